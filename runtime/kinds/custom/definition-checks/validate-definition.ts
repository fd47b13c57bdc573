import type { FieldError } from "../../../contract/field-error.ts";
import { asGiven } from "../../../go/source-notes.ts";
import { Verbatim } from "../../../go/verbatim.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { invalidField, requiredField, unsupportedField } from "../../../values/field-errors.ts";
import { checkDns1035Label, checkSubdomain } from "../../../values/names.ts";
import {
  type CustomDefinition,
  type DefinitionVersion,
  hasReadableCaBundle,
  isConditionTrue,
  versionsOf,
} from "../definition/custom-definition.ts";
import type { DefinitionCheckOptions } from "./definition-check-options.ts";
import { type Demands, demandsOn, hasDefaults } from "./demands.ts";
import { isShared, placeParts } from "./shared-parts.ts";
import { validateApproval } from "./validate-approval.ts";
import { type Conversion, type ConversionDemands, hasKnownVersion, validateConversion } from "./validate-conversion.ts";
import { requireNames, validateNames } from "./validate-names.ts";
import {
  validateColumn,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from "./validate-parts.ts";
import { validateSchemas } from "./validate-schemas.ts";
import { versionsText } from "./versions-text.ts";

/** Errors of a definition. In an update, the errors of the declared rules are reported between the two lists. */
export interface DefinitionErrors {
  readonly first: FieldError[];
  readonly last: FieldError[];
}

/** Rejects definitions whose kind could not be served correctly. `old` is set in an update. */
export function* validateDefinition(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  options: DefinitionCheckOptions,
): Steps<DefinitionErrors> {
  const demands = yield* demandsOn(definition, old, options);
  return {
    first: [
      ...(old === undefined ? validateName(definition) : []),
      ...(yield* validateSpec(definition, old, demands, options)),
      ...(old === undefined ? [] : validateEstablished(definition, old)),
    ],
    last: [
      // A declared rule already makes the group immutable.
      ...(old === undefined ? [] : unchanged("spec.names.plural", definition.spec.names.plural, old.spec.names.plural)),
      ...validateNames(definition.status?.acceptedNames ?? { plural: "", kind: "" }, "status.acceptedNames"),
      ...validateStoredVersions(definition),
      ...validateApproval(definition, old, options),
      ...(demands.pruning ? refusePreservation(definition) : []),
    ],
  };
}

function validateName({ metadata, spec }: CustomDefinition): FieldError[] {
  const { name = "", generateName = "" } = metadata;
  return Object.entries({ generateName, name })
    .filter(([, text]) => text !== "" && text !== `${spec.names.plural}.${spec.group}`)
    .map(([field, text]) => invalidField(`metadata.${field}`, text, 'must be spec.names.plural+"."+spec.group'));
}

const SCOPES = ["Cluster", "Namespaced"];

function* validateSpec(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  demands: Demands,
  options: DefinitionCheckOptions,
): Steps<FieldError[]> {
  const { spec } = definition;
  const errors: FieldError[] = [...validateGroup(spec.group)];
  if (spec.scope === "") errors.push(requiredField("spec.scope"));
  else if (!SCOPES.includes(spec.scope)) errors.push(unsupportedField("spec.scope", spec.scope, SCOPES));
  errors.push(...requireSchemas(definition, demands), ...validateVersions(definition));
  errors.push(...requireNames(spec.names, "spec.names"), ...validateNames(spec.names, "spec.names"));
  errors.push(...(yield* validateSchemas(definition, old, demands, options)), ...validateParts(definition, options));
  if (spec.conversion === undefined) return errors;
  const { strategy } = spec.conversion;
  if (strategy !== "None" && spec.preserveUnknownFields === true) {
    const detail = "must be None if spec.preserveUnknownFields is true";
    errors.push(invalidField("spec.conversion.strategy", strategy, detail));
  }
  errors.push(...validateConversion(spec.conversion as Conversion, conversionDemands(old), "spec.conversion"));
  return errors;
}

/** CA certificates may be unreadable if the old definition was not established yet or already had unreadable ones. */
function conversionDemands(old: CustomDefinition | undefined): ConversionDemands {
  const versions = old?.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  return {
    readableCa: old !== undefined && isConditionTrue(old, "Established") && hasReadableCaBundle(old),
    knownVersion: versions.length === 0 || hasKnownVersion(versions),
  };
}

function validateGroup(group: string): FieldError[] {
  if (group === "") return [requiredField("spec.group")];
  const problems = checkSubdomain(group);
  if (problems.length > 0) return [invalidField("spec.group", group, problems.join(","))];
  return group.includes(".") ? [] : [invalidField("spec.group", group, "should be a domain with at least one dot")];
}

function requireSchemas(definition: CustomDefinition, demands: Demands): FieldError[] {
  const isPruned = definition.spec.preserveUnknownFields !== true;
  const why = demands.schemas ? "schemas are required" : "because otherwise all fields are pruned";
  const isNeeded = ({ served }: DefinitionVersion) => demands.schemas || (isPruned && served);
  const errors = versionsOf(definition).flatMap((version, index) =>
    version.schema?.openAPIV3Schema === undefined && isNeeded(version)
      ? [requiredField(`spec.versions[${index}].schema.openAPIV3Schema`, why)]
      : [],
  );
  if (isPruned || !hasDefaults(definition)) return errors;
  const detail = "must be false in order to use defaults in the schema";
  return [...errors, invalidField("spec.preserveUnknownFields", true, detail)];
}

function validateVersions(definition: CustomDefinition): FieldError[] {
  const versions = versionsOf(definition);
  const errors: FieldError[] = [];
  versions.forEach((version, index) => {
    const path = `spec.versions[${index}]`;
    errors.push(...labelProblems(`${path}.name`, version.name), ...validateDeprecation(version, path));
  });
  const isGiven = asGiven(definition.spec, "versions") != null;
  const all = () => new Verbatim(versionsText(versions, isGiven));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalidField("spec.versions", all(), "must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(invalidField("spec.versions", all(), "must have exactly one version marked as storage version"));
  // Before `spec.versions`, definitions had a field `spec.version`. Kubernetes still reports the first version under that path.
  const first = versions[0]?.name ?? "";
  return first === "" ? errors : [...errors, ...labelProblems("spec.version", first)];
}

function labelProblems(path: string, name: string): FieldError[] {
  const problems = checkDns1035Label(name);
  return problems.length === 0 ? [] : [invalidField(path, name, problems.join(","))];
}

function validateParts(definition: CustomDefinition, { vendor }: DefinitionCheckOptions): FieldError[] {
  const versions = versionsOf(definition);
  // Kubernetes looks up the schema at the level where it finds the fields: in the version, or in the definition.
  const isBeside = isShared(versions, "selectableFields") === isShared(versions, "schema");
  return [
    ...placeParts(definition, "subresources").flatMap(({ value, path }) => validateSubresources(value, path)),
    ...placeParts(definition, "additionalPrinterColumns").flatMap(({ value, path }) =>
      value.flatMap((column, index) => validateColumn(column, `${path}[${index}]`)),
    ),
    ...placeParts(definition, "selectableFields").flatMap(({ value, path, version }) =>
      validateSelectableFields(value, isBeside ? version.schema?.openAPIV3Schema : undefined, vendor, path),
    ),
  ];
}

function validateEstablished({ spec }: CustomDefinition, old: CustomDefinition): FieldError[] {
  if (!isConditionTrue(old, "Established")) return [];
  return [
    ...unchanged("spec.scope", spec.scope, old.spec.scope),
    ...unchanged("spec.names.kind", spec.names.kind, old.spec.names.kind),
  ];
}

function unchanged(path: string, now: string, before: string): FieldError[] {
  return now === before ? [] : [invalidField(path, now, "field is immutable")];
}

const MOST_MISSING = 10;

function firstIndexes(names: readonly string[]): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, name] of names.entries()) if (!indexes.has(name)) indexes.set(name, index);
  return indexes;
}

function validateStoredVersions(definition: CustomDefinition): FieldError[] {
  const path = "status.storedVersions";
  const stored = definition.status?.storedVersions ?? [];
  if (stored.length === 0)
    return [invalidField(path, new Verbatim("[]string(nil)"), "must have at least one stored version")];
  const versions = versionsOf(definition);
  // If versions have the same name, a stored version matches only the first of them.
  const first = firstIndexes(versions.map(({ name }) => name));
  const places = firstIndexes(stored);
  const missing = versions.filter(
    ({ name, storage }, index) => storage && !(places.has(name) && first.get(name) === index),
  );
  const gone = stored.filter((name) => !first.has(name));
  return [
    // Several storage versions are rejected elsewhere. The number is limited because each message contains the whole list.
    ...missing
      .slice(0, MOST_MISSING)
      .map(({ name }) => invalidField(path, stored, `must have the storage version ${name}`)),
    ...gone.map((name) =>
      invalidField(
        `${path}[${places.get(name)}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ];
}

function refusePreservation({ spec }: CustomDefinition): FieldError[] {
  if (spec.preserveUnknownFields !== true) return [];
  return [
    invalidField(
      "spec.preserveUnknownFields",
      true,
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    ),
  ];
}
