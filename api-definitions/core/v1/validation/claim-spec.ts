import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { shown } from "../../../../runtime/go/literal.ts";
import { asGiven } from "../../../../runtime/go/source-notes.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkDnsLabel, checkQualifiedName, checkSubdomain } from "../../../../runtime/values/names.ts";
import { parseQuantity } from "../../../../runtime/values/quantity.ts";
import {
  isUnsoundSelector,
  validateLabelSelector,
  validateLabels,
} from "../../../meta/v1/label-selector-validation.ts";
import type { ObjectMeta } from "../../../meta/v1/object-meta.ts";
import type { PersistentVolumeClaimSpec } from "../persistent-volume-claim.ts";
import type { PersistentVolumeClaimTemplate } from "../volumes.ts";
import { VOLUME_MODES, validateAccessModes } from "./access-modes.ts";
import { need } from "./basics.ts";
import type { PodRules } from "./security.ts";

/** Metadata that templates cannot set, in the order of the Go fields. */
const NOT_IN_TEMPLATES = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const satisfies readonly (keyof ObjectMeta)[];

/** Validates the spec of a claim or claim template. */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: string,
  errors: FieldError[],
  checksAttributesClass: boolean,
  old?: PersistentVolumeClaimSpec,
): void {
  if ((spec.accessModes ?? []).length === 0)
    errors.push(requiredField(`${path}.accessModes`, "at least 1 access mode is required"));
  validateLabelSelector(spec.selector, `${path}.selector`, errors, isUnsoundSelector(old?.selector));
  validateAccessModes(spec.accessModes, `${path}.accessModes`, errors);
  validateSize(spec.resources?.requests?.storage, `${path}.resources[storage]`, errors);
  const { storageClassName, volumeMode } = spec;
  if (storageClassName)
    errors.push(...invalidFields(`${path}.storageClassName`, storageClassName, checkSubdomain(storageClassName)));
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode))
    errors.push(unsupportedField(`${path}.volumeMode`, volumeMode, VOLUME_MODES));
  validateDataSources(spec, path, errors, old);
  if (checksAttributesClass) {
    const name = spec.volumeAttributesClassName || undefined;
    errors.push(...invalidFields(`${path}.volumeAttributesClassName`, name, name ? checkSubdomain(name) : []));
  }
}

/** Validates the template of a claim that is created for a pod. Its metadata may contain only labels and annotations. */
export function validateClaimTemplate(
  { metadata, spec }: PersistentVolumeClaimTemplate,
  path: string,
  errors: FieldError[],
  { featureEnabled }: PodRules,
): void {
  validateTemplateMetadata(metadata, `${path}.metadata`, errors);
  validateClaimSpec(spec ?? {}, `${path}.spec`, errors, featureEnabled("VolumeAttributesClass"));
}

/** Validates the metadata of a template, which may contain only labels and annotations. */
export function validateTemplateMetadata(metadata: ObjectMeta | undefined, path: string, errors: FieldError[]): void {
  for (const key of Object.keys(metadata?.annotations ?? {}))
    errors.push(...invalidFields(`${path}.annotations`, key, checkQualifiedName(key.toLowerCase())));
  validateLabels(metadata?.labels, `${path}.labels`, errors);
  for (const name of NOT_IN_TEMPLATES) {
    if ((asGiven(metadata, name) ?? "") !== "")
      errors.push(forbiddenField(`${path}.${name === "uid" ? "uID" : name}`, "cannot be set"));
  }
}

function validateSize(size: string | undefined, field: string, errors: FieldError[]): void {
  if (size === undefined) errors.push(requiredField(field));
  else if (parseQuantity(size).unscaled <= 0n) errors.push(invalidField(field, size, "must be greater than zero"));
}

/** If both `dataSource` and `dataSourceRef` are set, they must match. */
function validateDataSources(
  spec: PersistentVolumeClaimSpec,
  path: string,
  errors: FieldError[],
  old: PersistentVolumeClaimSpec | undefined,
): void {
  const { dataSource, dataSourceRef } = spec;
  const lenient = (old?.dataSource?.apiGroup ?? old?.dataSourceRef?.apiGroup ?? undefined) !== undefined;
  if (dataSource !== undefined) validateReference(dataSource, lenient, `${path}.dataSource`, errors);
  if (dataSourceRef !== undefined) {
    validateReference(dataSourceRef, lenient, `${path}.dataSourceRef`, errors);
    const namespace = dataSourceRef.namespace;
    if (namespace)
      errors.push(...invalidFields(`${path}.dataSourceRef.namespace`, namespace, checkDnsLabel(namespace)));
  }
  if (dataSource === undefined || dataSourceRef === undefined) return;
  const agree =
    dataSource.apiGroup === dataSourceRef.apiGroup &&
    dataSource.kind === dataSourceRef.kind &&
    dataSource.name === dataSourceRef.name;
  // Kubernetes shows the Go struct of the field path here, not the value: its last element, and a pointer to its parent.
  const value = shown('field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}');
  if (dataSourceRef.namespace)
    errors.push(invalidField(path, value, "may not be specified when dataSourceRef.namespace is specified"));
  else if (!agree) errors.push(invalidField(path, value, "must match dataSourceRef"));
}

function validateReference(
  reference: { readonly apiGroup?: string | null; readonly kind: string; readonly name: string },
  lenient: boolean,
  path: string,
  errors: FieldError[],
): void {
  need(reference.name, `${path}.name`, errors);
  need(reference.kind, `${path}.kind`, errors);
  const group = reference.apiGroup ?? "";
  if (group === "" && reference.kind !== "PersistentVolumeClaim") {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalidField(path, reference.kind ?? "", detail));
  }
  if (group !== "" && !lenient) errors.push(...invalidFields(`${path}.apiGroup`, group, checkSubdomain(group)));
}
