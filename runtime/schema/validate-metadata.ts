import type { ObjectMeta, OwnerReference } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import { goList, goStruct, goText, goTexts, shown } from "../go/literal.ts";
import { goQuote } from "../go/quote.ts";
import { goTime } from "../go/time.ts";
import { append } from "../lib/append.ts";
import { equalJson } from "../lib/equal-json.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  isEnough,
  requiredField,
  tooLongField,
} from "../values/field-errors.ts";
import { validateFieldManager } from "../values/manager-name.ts";
import { checkDnsLabel, checkFinalizer, checkLabelValue, checkQualifiedName } from "../values/names.ts";

/** Size limit for all annotations of an object, keys included, in bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;

export type CheckName = (name: string, isPrefix: boolean) => readonly string[];

/** Validates metadata without comparison to an old object. Names must already have been generated. */
export function validateMetadata(meta: ObjectMeta, namespaced: boolean, checkName: CheckName): FieldError[] {
  return [...validateNames(meta, checkName), ...validateBesidesNames(meta, namespaced)];
}

/** Performs the checks of `validateMetadata` that do not depend on the names that a kind allows. */
export function validateBesidesNames(meta: ObjectMeta, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const { namespace = "" } = meta;
  if (!namespaced && namespace !== "") {
    errors.push(forbiddenField("metadata.namespace", "not allowed on this type"));
  } else if (namespaced && namespace === "") {
    errors.push(requiredField("metadata.namespace"));
  } else if (namespaced) {
    errors.push(...checkDnsLabel(namespace).map((why) => invalidField("metadata.namespace", namespace, why)));
  }
  if ((meta.generation ?? 0) < 0) {
    errors.push(invalidField("metadata.generation", meta.generation, "must be greater than or equal to 0"));
  }
  append(errors, validateLabels(meta.labels, "metadata.labels"));
  append(errors, validateAnnotations(meta.annotations));
  append(errors, validateOwnerReferences(meta.ownerReferences ?? []));
  append(errors, validateFinalizers(meta.finalizers ?? []));
  append(errors, validateManagedFields(meta.managedFields ?? []));
  return errors;
}

/** Validates `name` and `generateName`. */
export function validateNames({ name = "", generateName = "" }: ObjectMeta, checkName: CheckName): FieldError[] {
  const errors: FieldError[] = [];
  if (generateName !== "") {
    errors.push(
      ...checkName(generateName, true).map((why) => invalidField("metadata.generateName", generateName, why)),
    );
  }
  if (name === "") {
    errors.push(requiredField("metadata.name", "name or generateName is required"));
  } else {
    errors.push(...checkName(name, false).map((why) => invalidField("metadata.name", name, why)));
  }
  return errors;
}

/** Validates the change of metadata in an update. */
export function validateMetadataUpdate(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const former = new Set(old.finalizers);
    const extra = [...new Set(meta.finalizers)].filter((finalizer) => !former.has(finalizer)).sort();
    if (extra.length > 0) {
      const shown = `[]string{${extra.map(goQuote).join(", ")}}`;
      errors.push(
        forbiddenField(
          "metadata.finalizers",
          `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`,
        ),
      );
    }
  }
  if ((meta.resourceVersion ?? "") === "") {
    errors.push(invalidField("metadata.resourceVersion", "", "must be specified for an update"));
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalidField("metadata.generation", meta.generation ?? 0, "must not be decremented"));
  }
  for (const field of ["name", "namespace", "uid"] as const) {
    if ((meta[field] ?? "") !== (old[field] ?? "")) {
      errors.push(invalidField(`metadata.${field}`, meta[field] ?? "", "field is immutable"));
    }
  }
  for (const field of ["creationTimestamp", "deletionTimestamp"] as const) {
    if (!equalJson(meta[field], old[field])) {
      errors.push(invalidField(`metadata.${field}`, shownTime(meta[field]), "field is immutable"));
    }
  }
  if (meta.deletionGracePeriodSeconds !== old.deletionGracePeriodSeconds) {
    const field = "metadata.deletionGracePeriodSeconds";
    errors.push(invalidField(field, meta.deletionGracePeriodSeconds, "field is immutable"));
  }
  append(errors, validateLabels(meta.labels, "metadata.labels"));
  append(errors, validateAnnotations(meta.annotations));
  append(errors, validateOwnerReferences(meta.ownerReferences ?? []));
  append(errors, validateManagedFields(meta.managedFields ?? []));
  return errors;
}

function shownTime(time: string | null | undefined): unknown {
  return time ? shown(goTime(time)) : undefined;
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    if (isEnough(errors)) break;
    const value = labels[key] as string;
    for (const why of checkQualifiedName(key)) errors.push(invalidField(field, key, why));
    for (const why of checkLabelValue(value)) errors.push(invalidField(field, value, why));
  }
  return errors;
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> = {},
  field = "metadata.annotations",
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key in annotations) {
    const problems = isEnough(errors) ? [] : checkQualifiedName(key.toLowerCase());
    for (const why of problems) errors.push(invalidField(field, key, why));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] as string);
  }
  if (bytes > ANNOTATIONS_LIMIT) errors.push(tooLongField(field, ANNOTATIONS_LIMIT));
  return errors;
}

function validateOwnerReferences(references: readonly OwnerReference[]): FieldError[] {
  const field = "metadata.ownerReferences";
  const errors: FieldError[] = [];
  let controller = "";
  for (const reference of references) {
    errors.push(...validateOwnerReference(reference, field));
    if (reference.controller === true) {
      const name = `${reference.kind}/${reference.name}`;
      if (controller === "") {
        controller = name;
      } else {
        errors.push(
          invalidField(
            field,
            shown(goList("v1.OwnerReference", references.map(goOwnerReference))),
            `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
          ),
        );
      }
    }
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const [version = "", ...more] = reference.apiVersion.split("/").reverse();
  if (version === "" || more.length > 1) {
    errors.push(invalidField(`${field}.apiVersion`, reference.apiVersion, "version must not be empty"));
  }
  for (const member of ["kind", "name", "uid"] as const) {
    if (reference[member] === "") {
      errors.push(invalidField(`${field}.${member}`, "", `${member} must not be empty`));
    }
  }
  if (reference.apiVersion === "v1" && reference.kind === "Event") {
    errors.push(
      invalidField(field, shown(goOwnerReference(reference)), "/v1, Kind=Event is disallowed from being an owner"),
    );
  }
  return errors;
}

function goOwnerReference({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  const pointer = (flag: boolean | undefined) => `(*bool)(${flag === undefined ? "nil" : "0xc000000000"})`;
  return goStruct("v1.OwnerReference", {
    APIVersion: goText(apiVersion),
    Kind: goText(kind),
    Name: goText(name),
    UID: goText(uid),
    Controller: pointer(controller),
    BlockOwnerDeletion: pointer(blockOwnerDeletion),
  });
}

function validateFinalizers(finalizers: readonly string[]): FieldError[] {
  const field = "metadata.finalizers";
  const errors: FieldError[] = [];
  for (const finalizer of finalizers) {
    if (isEnough(errors)) break;
    append(errors, invalidFields(field, finalizer, checkQualifiedName(finalizer)));
  }
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    errors.push(
      invalidField(field, shown(goTexts(finalizers)), "finalizer orphan and foregroundDeletion cannot be both set"),
    );
  }
  return errors;
}

/** Validates finalizers by the additional rules for built-in kinds: a name with a domain, or one of the few known names without. */
export function validateFinalizerNames({ finalizers = [] }: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, finalizer] of finalizers.entries()) {
    if (isEnough(errors)) break;
    append(errors, invalidFields(`metadata.finalizers[${index}]`, finalizer, checkFinalizer(finalizer)));
  }
  return errors;
}

interface ManagedFieldsShape {
  readonly operation?: string;
  readonly fieldsType?: string;
  readonly manager?: string;
  readonly subresource?: string;
}

const MAX_SUBRESOURCE_BYTES = 256;

function validateManagedFields(entries: readonly unknown[]): FieldError[] {
  return (entries as readonly ManagedFieldsShape[]).flatMap((entry, index) => {
    const field = `metadata.managedFields[${index}]`;
    const errors: FieldError[] = [];
    const { operation = "", fieldsType = "", manager = "", subresource = "" } = entry;
    if (operation !== "Apply" && operation !== "Update") {
      errors.push(invalidField(`${field}.operation`, operation, "must be `Apply` or `Update`"));
    }
    if (fieldsType !== "" && fieldsType !== "FieldsV1") {
      errors.push(invalidField(`${field}.fieldsType`, fieldsType, "must be `FieldsV1`"));
    }
    errors.push(...validateFieldManager(manager, `${field}.manager`));
    if (Buffer.byteLength(subresource) > MAX_SUBRESOURCE_BYTES) {
      errors.push(tooLongField(`${field}.subresource`, MAX_SUBRESOURCE_BYTES));
    }
    return errors;
  });
}
