import { createRequire } from "node:module";
import type { FieldError } from "../../contract/field-error.ts";
import type { Release } from "../../contract/resource-descriptor.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField, Verbatim } from "../../lib/field-errors.ts";
import { goQuote } from "../../lib/go-quote.ts";
import { checkDns1035Label, checkSubdomain } from "../../lib/names.ts";
import {
  type CustomDefinition,
  type DefinitionVersion,
  isConditionTrue,
  versionsOf,
} from "../definition/custom-definition.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { isShared, placeParts } from "./shared-parts.ts";
import { type Conversion, validateConversion } from "./validate-conversion.ts";
import { validateDefaults } from "./validate-defaults.ts";
import { validateKeywords } from "./validate-keywords.ts";
import { requireNames, validateNames } from "./validate-names.ts";
import {
  validateColumn,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from "./validate-parts.ts";
import { validateStructure } from "./validate-structure.ts";

export interface DefinitionCheckOptions {
  readonly vendor: string;
  readonly domain: string;
  /** Decides what new rules may use. */
  readonly release: Release;
}

/** Refuses definitions whose kind could not be served, or not without surprises. `old` is what is being changed. */
export function validateDefinition(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  options: DefinitionCheckOptions,
): FieldError[] {
  return [
    ...(old === undefined ? validateName(definition) : []),
    ...validateSpec(definition, old, options),
    ...(old === undefined ? [] : validateSpecChange(definition, old)),
    ...validateNames(definition.status?.acceptedNames ?? { plural: "", kind: "" }, "status.acceptedNames"),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, old, options),
    ...validatePreservation(definition, old),
  ];
}

function validateName({ metadata, spec }: CustomDefinition): FieldError[] {
  const { name = "" } = metadata;
  if (name === `${spec.names.plural}.${spec.group}`) return [];
  return [invalidField("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
}

const SCOPES = ["Cluster", "Namespaced"];

function validateSpec(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  options: DefinitionCheckOptions,
): FieldError[] {
  const { spec } = definition;
  const errors: FieldError[] = [...validateGroup(spec.group)];
  if (spec.scope === "") errors.push(requiredField("spec.scope"));
  else if (!SCOPES.includes(spec.scope)) errors.push(unsupportedField("spec.scope", spec.scope, SCOPES));
  errors.push(...validateVersions(definition));
  errors.push(...requireNames(spec.names, "spec.names"), ...validateNames(spec.names, "spec.names"));
  errors.push(...validateSchemas(definition, old, options), ...validateParts(definition, options));
  if (spec.conversion !== undefined)
    errors.push(...validateConversion(spec.conversion as Conversion, "spec.conversion"));
  return errors;
}

function validateGroup(group: string): FieldError[] {
  if (group === "") return [requiredField("spec.group")];
  const problems = checkSubdomain(group);
  if (problems.length > 0) return [invalidField("spec.group", group, problems.join(","))];
  return group.includes(".") ? [] : [invalidField("spec.group", group, "should be a domain with at least one dot")];
}

function validateVersions(definition: CustomDefinition): FieldError[] {
  const versions = versionsOf(definition);
  const errors: FieldError[] = [];
  versions.forEach(({ schema }, index) => {
    if (schema?.openAPIV3Schema === undefined)
      errors.push(requiredField(`spec.versions[${index}].schema.openAPIV3Schema`, "schemas are required"));
  });
  versions.forEach((version, index) => {
    const path = `spec.versions[${index}]`;
    errors.push(...labelProblems(`${path}.name`, version.name), ...validateDeprecation(version, path));
  });
  const all = () => new Verbatim(versionsText(versions));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalidField("spec.versions", all(), "must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(invalidField("spec.versions", all(), "must have exactly one version marked as storage version"));
  // Before there were several versions, there was one with a field of its own.
  return versions[0] === undefined ? errors : [...errors, ...labelProblems("spec.version", versions[0].name)];
}

function labelProblems(path: string, name: string): FieldError[] {
  const problems = checkDns1035Label(name);
  return problems.length === 0 ? [] : [invalidField(path, name, problems.join(","))];
}

function validateSchemas(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  options: DefinitionCheckOptions,
): FieldError[] {
  const stored = old === undefined ? undefined : rulesOf(old, options.vendor);
  return placeParts(definition, "schema").flatMap(({ value, path, version }) => {
    const schema = value.openAPIV3Schema;
    if (schema === undefined) return [];
    const at = `${path}.openAPIV3Schema`;
    return [
      ...(version.subresources?.status === undefined ? [] : validateRoot(schema, at)),
      ...(schema.nullable === true ? [forbiddenField(`${at}.nullable`, "nullable cannot be true at the root")] : []),
      ...validateSchema(schema, at, stored, options),
    ];
  });
}

/** Each look relies on the one before: types, then values, then rules. */
function validateSchema(
  schema: CustomSchema,
  path: string,
  stored: ReadonlySet<string> | undefined,
  { vendor, release }: DefinitionCheckOptions,
): FieldError[] {
  const keywords = validateKeywords(schema, vendor, path);
  const isReadable = !keywords.some(({ field }) => field.endsWith(".$ref") || field.endsWith(".items"));
  const structure = isReadable ? validateStructure(schema, vendor, path) : [];
  const defaults = structure.length > 0 || !isReadable ? [] : validateDefaults(schema, vendor, path);
  const errors = [...structure, ...defaults, ...keywords];
  const hasRules = JSON.stringify(schema, (_key, value) =>
    typeof value === "bigint" ? Number(value) : value,
  ).includes(`"x-${vendor}-validations"`);
  if (!hasRules || structure.length + defaults.length > 0 || !isReadable) return errors;
  const { check, newExpressionsVersion } = loadRules();
  const version = newExpressionsVersion(release as `1.${number}`);
  return [...errors, ...check(schema, { vendor, path, version, ...(stored && { stored }) })];
}

/** CEL is loaded with the first definition that has rules. */
function loadRules() {
  const load = createRequire(import.meta.url);
  const { checkStructuralRules: check } = load(
    "../../cel/rules/check-structural-rules.ts",
  ) as typeof import("../../cel/rules/check-structural-rules.ts");
  const { newExpressionsVersion } = load("../../cel/cel.ts") as typeof import("../../cel/cel.ts");
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

/** Where status is a subresource, the root of the schema is checked in two halves, so it may say little. */
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

function validateParts(definition: CustomDefinition, { vendor }: DefinitionCheckOptions): FieldError[] {
  return [
    ...placeParts(definition, "subresources").flatMap(({ value, path }) => validateSubresources(value, path)),
    ...placeParts(definition, "additionalPrinterColumns").flatMap(({ value, path }) =>
      value.flatMap((column, index) => validateColumn(column, `${path}[${index}]`)),
    ),
    ...placeParts(definition, "selectableFields").flatMap(({ value, path, version }) =>
      validateSelectableFields(value, version.schema?.openAPIV3Schema ?? {}, vendor, path),
    ),
  ];
}

function validateSpecChange({ spec }: CustomDefinition, old: CustomDefinition): FieldError[] {
  const fields: (readonly [string, string, string])[] = [
    ...(isConditionTrue(old, "Established")
      ? ([
          ["spec.scope", spec.scope, old.spec.scope],
          ["spec.names.kind", spec.names.kind, old.spec.names.kind],
        ] as const)
      : []),
    ["spec.group", spec.group, old.spec.group],
    ["spec.names.plural", spec.names.plural, old.spec.names.plural],
  ];
  return fields
    .filter(([, now, before]) => now !== before)
    .map(([path, now]) => invalidField(path, now, "field is immutable"));
}

function validateStoredVersions(definition: CustomDefinition): FieldError[] {
  const path = "status.storedVersions";
  const stored = definition.status?.storedVersions ?? [];
  if (stored.length === 0)
    return [invalidField(path, new Verbatim("[]string(nil)"), "must have at least one stored version")];
  const versions = versionsOf(definition);
  const missing = versions.filter(({ name, storage }) => storage && !stored.includes(name));
  const gone = stored.filter((name) => !versions.some((version) => version.name === name));
  return [
    ...missing.map(({ name }) => invalidField(path, stored, `must have the storage version ${name}`)),
    ...gone.map((name) =>
      invalidField(
        `${path}[${stored.indexOf(name)}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ];
}

/** Groups of the platform itself are for those who are allowed to extend it. */
function validateApproval(
  { metadata, spec }: CustomDefinition,
  old: CustomDefinition | undefined,
  { domain, vendor }: DefinitionCheckOptions,
): FieldError[] {
  const isProtected = [domain, `${vendor}.io`].some((name) => spec.group === name || spec.group.endsWith(`.${name}`));
  const key = `api-approved.${vendor}.io`;
  const approval = metadata.annotations?.[key] ?? "";
  const isSettled =
    old !== undefined && approvalState(old.metadata.annotations?.[key] ?? "") === approvalState(approval);
  if (!isProtected || isSettled) return [];
  const demand = `protected groups must have approval annotation ${goQuote(key)}`;
  const reference = "see https://github.com/kubernetes/enhancements/pull/1111";
  const path = `metadata.annotations[${key}]`;
  switch (approvalState(approval)) {
    case "missing":
      return [requiredField(path, `${demand}, ${reference}`)];
    case "invalid":
      return [
        invalidField(
          path,
          approval,
          `${demand} with either a URL or a reason starting with "unapproved", ${reference}`,
        ),
      ];
    default:
      return [];
  }
}

function approvalState(approval: string): "missing" | "invalid" | "bypassed" | "approved" {
  if (approval === "") return "missing";
  if (approval.startsWith("unapproved")) return "bypassed";
  return URL.canParse(approval) && new URL(approval).host !== "" ? "approved" : "invalid";
}

function validatePreservation({ spec }: CustomDefinition, old: CustomDefinition | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec.preserveUnknownFields === true) return [];
  return [
    invalidField(
      "spec.preserveUnknownFields",
      true,
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    ),
  ];
}

/** Every rule of a definition: those may stay, whatever new ones are held to. */
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
  for (const { schema } of versionsOf(definition)) visit(schema);
  return rules;
}

/** Versions as Go prints them, with made-up addresses where it shows pointers. */
function versionsText(versions: readonly DefinitionVersion[]): string {
  const type = "apiextensions.CustomResourceDefinitionVersion";
  const pointer = (name: string, isSet: boolean) => `(*${name})(${isSet ? "0xc000000000" : "nil"})`;
  const list = (name: string, isSet: boolean) => `[]apiextensions.${name}${isSet ? "{…}" : "(nil)"}`;
  const has = (version: DefinitionVersion, part: Parameters<typeof isShared>[1]) =>
    !isShared(versions, part) && version[part] !== undefined;
  const one = (version: DefinitionVersion): string => {
    const { name, served, storage, deprecated = false, deprecationWarning } = version;
    const parts = [
      `Name:${goQuote(name)}, Served:${served}, Storage:${storage}, Deprecated:${deprecated}`,
      `DeprecationWarning:${pointer("string", deprecationWarning !== undefined)}`,
      `Schema:${pointer("apiextensions.CustomResourceValidation", has(version, "schema"))}`,
      `Subresources:${pointer("apiextensions.CustomResourceSubresources", has(version, "subresources"))}`,
      `AdditionalPrinterColumns:${list("CustomResourceColumnDefinition", has(version, "additionalPrinterColumns"))}`,
      `SelectableFields:${list("SelectableField", has(version, "selectableFields"))}`,
    ];
    return `${type}{${parts.join(", ")}}`;
  };
  return `[]${type}{${versions.map(one).join(", ")}}`;
}
