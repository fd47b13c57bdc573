import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, invalidFields, requiredField, unsupportedField } from "../../../runtime/lib/field-errors.ts";
import { goList, goPointer, goStruct, goText, goTexts, shown } from "../../../runtime/lib/go-literal.ts";
import { checkDns1035Label, checkSubdomain } from "../../../runtime/lib/names.ts";
import { validateConversion } from "./conversion-validation.ts";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from "./custom-resource-definition.ts";
import { type CommonParts, splitVersions } from "./definition-shape.ts";
import { validateColumns, validateSelectableFields, validateSubresources } from "./presentation-validation.ts";
import { validateSchema } from "./schema-validation.ts";
import { someSchema } from "./schema-walk.ts";

const APPROVAL = "api-approved.kubernetes.io";
const APPROVAL_ADVICE = "see https://github.com/kubernetes/enhancements/pull/1111";
const MAX_WARNING = 256;

/** `old` is undefined for a new definition. */
export function validateDefinition(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  errors: FieldError[],
): void {
  const { metadata, spec, status } = definition;
  const expected = `${spec.names?.plural ?? ""}.${spec.group ?? ""}`;
  if (old === undefined && metadata?.name !== expected) {
    const detail = 'must be spec.names.plural+"."+spec.group';
    errors.push(invalidField("metadata.name", metadata?.name ?? "", detail));
  }
  validateSpec(spec, expressionsOf(old?.spec), "spec", errors);
  if (old !== undefined) validateNamesUnchanged(spec, old, errors);
  validateNames(status?.acceptedNames, "status.acceptedNames", errors);
  validateStoredVersions(status?.storedVersions ?? undefined, spec.versions ?? [], "status.storedVersions", errors);
  validateApproval(definition, old, errors);
  if (spec.preserveUnknownFields === true && old?.spec?.preserveUnknownFields !== true) {
    const detail =
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    errors.push(invalidField("spec.preserveUnknownFields", true, detail));
  }
}

export function validateNames(
  names: CustomResourceDefinitionNames | undefined,
  path: string,
  errors: FieldError[],
): void {
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = names ?? {};
  const check = (text: string, field: string, mixedCase = false) => {
    const problems = checkDns1035Label(mixedCase ? text.toLowerCase() : text).join(",");
    if (problems === "") return;
    const prefix = mixedCase ? "may have mixed case, but should otherwise match: " : "";
    errors.push(invalidField(`${path}.${field}`, text, `${prefix}${problems}`));
  };
  if (plural !== "") check(plural, "plural");
  if (singular !== "") check(singular, "singular");
  if (kind !== "") check(kind, "kind", true);
  if (listKind !== "") check(listKind, "listKind", true);
  for (const [index, name] of shortNames.entries()) check(name, `shortNames[${index}]`);
  if (kind !== "" && kind === listKind) {
    errors.push(invalidField(`${path}.listKind`, listKind, "kind and listKind may not be the same"));
  }
  for (const [index, category] of categories.entries()) check(category, `categories[${index}]`);
}

function validateSpec(
  spec: CustomResourceDefinitionSpec,
  stored: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  validateGroup(spec.group ?? "", `${path}.group`, errors);
  const scopes = ["Cluster", "Namespaced"];
  if (!spec.scope) errors.push(requiredField(`${path}.scope`));
  else if (!scopes.includes(spec.scope)) errors.push(unsupportedField(`${path}.scope`, spec.scope, scopes));
  const { common, versions } = splitVersions(spec);
  if (common.schema?.openAPIV3Schema === undefined) {
    for (const [index, version] of versions.entries()) {
      if (version.schema?.openAPIV3Schema !== undefined) continue;
      errors.push(requiredField(`${path}.versions[${index}].schema.openAPIV3Schema`, "schemas are required"));
    }
  }
  for (const [index, version] of versions.entries()) {
    const at = `${path}.versions[${index}]`;
    const problems = checkDns1035Label(version.name ?? "");
    if (problems.length > 0) errors.push(invalidField(`${at}.name`, version.name ?? "", problems.join(",")));
    validateWarning(version, `${at}.deprecationWarning`, errors);
    const hasStatus = (version.subresources ?? common.subresources)?.status !== undefined;
    validateParts(version, "schema", hasStatus, stored, at, errors);
  }
  validateVersionList(versions, `${path}.versions`, errors);
  for (const name of ["plural", "singular", "kind", "listKind"] as const) {
    if (!spec.names?.[name]) errors.push(requiredField(`${path}.names.${name}`));
  }
  validateNames(spec.names, `${path}.names`, errors);
  const anyStatus = (spec.versions ?? []).some(({ subresources }) => subresources?.status !== undefined);
  validateParts(common, "validation", anyStatus, stored, path, errors);
  validateConversion(spec.conversion, `${path}.conversion`, errors);
}

/** What a version says, or all of them together; the schema goes by different names there. */
function validateParts(
  parts: CommonParts,
  schemaName: "schema" | "validation",
  hasStatus: boolean,
  stored: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  const schema = parts.schema?.openAPIV3Schema;
  if (schema !== undefined) validateSchema(schema, hasStatus, stored, `${path}.${schemaName}.openAPIV3Schema`, errors);
  validateSubresources(parts.subresources, `${path}.subresources`, errors);
  validateColumns(parts.additionalPrinterColumns ?? [], `${path}.additionalPrinterColumns`, errors);
  validateSelectableFields(parts.selectableFields ?? [], schema, `${path}.selectableFields`, errors);
}

function validateGroup(group: string, field: string, errors: FieldError[]): void {
  const problems = checkSubdomain(group);
  if (group === "") errors.push(requiredField(field));
  else if (problems.length > 0) errors.push(invalidField(field, group, problems.join(",")));
  else if (!group.includes(".")) errors.push(invalidField(field, group, "should be a domain with at least one dot"));
}

function validateWarning(version: CustomResourceDefinitionVersion, field: string, errors: FieldError[]): void {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return;
  const refuse = (detail: string) => errors.push(invalidField(field, warning, detail));
  if (!deprecated) {
    refuse("can only be set for deprecated versions");
    return;
  }
  if (Buffer.byteLength(warning) > MAX_WARNING) refuse(`must be <= ${MAX_WARNING} characters long`);
  if (warning === "") refuse("must not be an empty string");
  const odd = /[^\P{C}\p{Cn}]|\p{Zl}|\p{Zp}|(?! )\p{Zs}/u.exec(warning);
  if (odd !== null) {
    const index = Buffer.byteLength(warning.slice(0, odd.index));
    refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
}

function validateVersionList(
  versions: readonly CustomResourceDefinitionVersion[],
  field: string,
  errors: FieldError[],
): void {
  const value = shown(goList("apiextensions.CustomResourceDefinitionVersion", versions.map(goVersion)));
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalidField(field, value, "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    errors.push(invalidField(field, value, "must have exactly one version marked as storage version"));
  }
}

/** Once served, a resource keeps its scope and kind; its group is declared to stay. */
function validateNamesUnchanged(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinition,
  errors: FieldError[],
): void {
  const isEstablished = (old.status?.conditions ?? []).some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  const refuse = (field: string, value: string | undefined) =>
    errors.push(invalidField(field, value ?? "", "field is immutable"));
  if (isEstablished && spec.scope !== old.spec.scope) refuse("spec.scope", spec.scope);
  if (isEstablished && spec.names?.kind !== old.spec.names?.kind) refuse("spec.names.kind", spec.names?.kind);
  if (spec.names?.plural !== old.spec.names?.plural) refuse("spec.names.plural", spec.names?.plural);
}

function validateStoredVersions(
  stored: readonly string[] | undefined,
  versions: readonly CustomResourceDefinitionVersion[],
  path: string,
  errors: FieldError[],
): void {
  const value = shown(goTexts(stored));
  if (stored === undefined || stored.length === 0) {
    errors.push(invalidField(path, value, "must have at least one stored version"));
    return;
  }
  for (const { name, storage } of versions) {
    if (storage === true && !stored.includes(name)) {
      errors.push(invalidField(path, value, `must have the storage version ${name}`));
    }
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(...invalidFields(`${path}[${index}]`, name, [detail]));
  }
}

/** Groups of the community need its blessing. */
function validateApproval(
  { metadata, spec }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  errors: FieldError[],
): void {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group ?? "")) return;
  const annotation = metadata?.annotations?.[APPROVAL] ?? "";
  const state = approvalState(annotation);
  if (old !== undefined && approvalState(old.metadata?.annotations?.[APPROVAL] ?? "") === state) return;
  const field = `metadata.annotations[${APPROVAL}]`;
  if (state === "missing") {
    errors.push(
      requiredField(field, `protected groups must have approval annotation "${APPROVAL}", ${APPROVAL_ADVICE}`),
    );
  } else if (state === "invalid") {
    const detail = `protected groups must have approval annotation "${APPROVAL}" with either a URL or a reason starting with "unapproved", ${APPROVAL_ADVICE}`;
    errors.push(invalidField(field, annotation, detail));
  }
}

function approvalState(annotation: string): "missing" | "fine" | "invalid" {
  if (annotation === "") return "missing";
  return annotation.startsWith("unapproved") || /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/]+/.test(annotation)
    ? "fine"
    : "invalid";
}

function expressionsOf(spec: CustomResourceDefinitionSpec | undefined): Set<string> {
  const expressions = new Set<string>();
  for (const { schema } of spec?.versions ?? []) {
    someSchema(schema?.openAPIV3Schema, (part) => {
      for (const { rule, messageExpression } of part["x-kubernetes-validations"] ?? []) {
        expressions.add(rule);
        if (messageExpression) expressions.add(messageExpression);
      }
      return false;
    });
  }
  return expressions;
}

function goVersion(version: CustomResourceDefinitionVersion): string {
  const columns = version.additionalPrinterColumns?.map(() => "apiextensions.CustomResourceColumnDefinition{}");
  const fields = version.selectableFields?.map(({ jsonPath }) =>
    goStruct("apiextensions.SelectableField", { JSONPath: goText(jsonPath) }),
  );
  return goStruct("apiextensions.CustomResourceDefinitionVersion", {
    Name: goText(version.name),
    Served: String(version.served ?? false),
    Storage: String(version.storage ?? false),
    Deprecated: String(version.deprecated ?? false),
    DeprecationWarning: goPointer("string", version.deprecationWarning),
    Schema: goPointer("apiextensions.CustomResourceValidation", version.schema),
    Subresources: goPointer("apiextensions.CustomResourceSubresources", version.subresources),
    AdditionalPrinterColumns: goList("apiextensions.CustomResourceColumnDefinition", columns),
    SelectableFields: goList("apiextensions.SelectableField", fields),
  });
}
