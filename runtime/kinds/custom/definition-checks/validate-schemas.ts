import { createRequire } from "node:module";
import type { FieldError } from "../../../contract/field-error.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { forbiddenField, invalidField } from "../../../values/field-errors.ts";
import { type CustomDefinition, type DefinitionVersion, versionsOf } from "../definition/custom-definition.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import type { DefinitionCheckOptions } from "./definition-check-options.ts";
import type { Demands } from "./demands.ts";
import { asSent, hasRules } from "./sent-schema.ts";
import { placeParts } from "./shared-parts.ts";
import { validateDefaults } from "./validate-defaults.ts";
import { type LaterRule, validateKeywords } from "./validate-keywords.ts";
import { validateStructure } from "./validate-structure.ts";

/** Rejects schemas by which objects could not be pruned, defaulted, merged and validated. */
export function* validateSchemas(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  demands: Demands,
  options: DefinitionCheckOptions,
): Steps<FieldError[]> {
  const rules = old === undefined ? undefined : rulesOf(old, options.vendor);
  const errors: FieldError[] = [];
  for (const { value, path, version } of placeParts(definition, "schema")) {
    if (value.openAPIV3Schema === undefined) continue;
    yield;
    const schema = (yield* asSent(value.openAPIV3Schema)) as CustomSchema;
    const at = `${path}.openAPIV3Schema`;
    yield;
    errors.push(
      ...(version.subresources?.status === undefined ? [] : validateRoot(schema, at)),
      ...(schema.nullable === true ? [forbiddenField(`${at}.nullable`, "nullable cannot be true at the root")] : []),
      ...(yield* validateSchema(
        schema,
        at,
        rules && old && { definition: old, rules, isUnchanged: hasSameSchema(old, version) },
        demands,
        options,
      )),
    );
  }
  return errors;
}

/** The stored state of a schema, before an update. */
interface Stored {
  readonly definition: CustomDefinition;
  /** All rules of the stored definition. */
  readonly rules: ReadonlySet<string>;
  readonly isUnchanged: boolean;
}

function hasSameSchema(old: CustomDefinition | undefined, { name, schema }: DefinitionVersion): boolean {
  const before = old && versionsOf(old).find((version) => version.name === name);
  return before !== undefined && equalJson(before.schema, schema);
}

/** Returns the later checks (`LaterRule`) that a stored definition fails. */
function* brokenRules(definition: CustomDefinition, vendor: string): Steps<ReadonlySet<LaterRule | undefined>> {
  const broken = new Set<LaterRule>();
  for (const { schema } of versionsOf(definition)) {
    if (schema?.openAPIV3Schema === undefined) continue;
    const sent = (yield* asSent(schema.openAPIV3Schema)) as CustomSchema;
    const { later } = yield* validateKeywords(sent, vendor, "");
    for (const rule of later.values()) broken.add(rule);
  }
  return broken;
}

/** Checks structure, then defaults, then rules. Each check relies on the previous one. */
function* validateSchema(
  schema: CustomSchema,
  path: string,
  stored: Stored | undefined,
  demands: Demands,
  { vendor, release }: DefinitionCheckOptions,
): Steps<FieldError[]> {
  const { errors: found, later, unreadable } = yield* validateKeywords(schema, vendor, path);
  const tolerated = stored !== undefined && later.size > 0 ? yield* brokenRules(stored.definition, vendor) : undefined;
  const keywords = found.filter((error) => tolerated?.has(later.get(error)) !== true);
  const isChecked = unreadable === undefined && demands.structure;
  const structure = isChecked ? yield* validateStructure(schema, vendor, path) : [];
  const defaults = isChecked && structure.length === 0 ? yield* validateDefaults(schema, vendor, path) : [];
  const errors = [...structure, ...defaults, ...keywords];
  yield;
  if (unreadable !== undefined)
    return errors.length > 0 || !demands.structure ? errors : [invalidField(path, "", unreadable)];
  if (!hasRules(schema, vendor)) return errors;
  yield;
  const uncompiled = structure.length + defaults.length > 0;
  const refused = keywords.map(({ field }) => field);
  const { check, newExpressionsVersion } = loadRules();
  const version = newExpressionsVersion(release as `1.${number}`);
  yield;
  const checks = check(schema, {
    vendor,
    path,
    version,
    uncompiled,
    refused,
    ...(stored && { stored: stored.rules, isUnchanged: stored.isUnchanged }),
  });
  return [...errors, ...(yield* checks)];
}

/** CEL is loaded with the first definition that has rules. */
function loadRules() {
  const { checkStructuralRules: check } = createRequire(import.meta.url)(
    "../../../cel/rules/check-structural-rules.ts",
  ) as typeof import("../../../cel/rules/check-structural-rules.ts");
  const { newExpressionsVersion } = createRequire(import.meta.url)(
    "../../../cel/cel.ts",
  ) as typeof import("../../../cel/cel.ts");
  return { check, newExpressionsVersion };
}

const ROOT_KEYWORDS: readonly string[] = [
  "description",
  "type",
  "format",
  "title",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "multipleOf",
  "required",
  "items",
  "properties",
  "externalDocs",
  "example",
];

/** If status is a subresource, the root of the schema is checked in two parts and therefore allows only few keywords. */
function validateRoot(schema: CustomSchema, path: string): FieldError[] {
  if ((schema.type ?? "") !== "" && schema.type !== "object")
    return [
      invalidField(
        `${path}.type`,
        schema.type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  const stranger = Object.keys(schema).some(
    (keyword) => !ROOT_KEYWORDS.includes(keyword) && !/^x-.*-(preserve-unknown-fields|validations)$/.test(keyword),
  );
  if (!stranger) return [];
  const allowed =
    "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations";
  return [
    invalidField(
      path,
      schema,
      `only [${allowed}] fields are allowed at the root of the schema if the status subresource is enabled`,
    ),
  ];
}

/** Returns all rules of a stored definition. They stay valid even if they fail checks for new rules. */
function rulesOf(definition: CustomDefinition, vendor: string): ReadonlySet<string> {
  const rules = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === `x-${vendor}-validations` && Array.isArray(member))
        for (const { rule } of member) rules.add(String(rule));
      else visit(member);
    }
  };
  for (const { schema } of versionsOf(definition)) if (hasRules(schema?.openAPIV3Schema, vendor)) visit(schema);
  return rules;
}
