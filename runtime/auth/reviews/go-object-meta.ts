import type { ObjectMeta, OwnerReference } from "../../contract/api-object.ts";
import { goQuote } from "../../go/quote.ts";
import { goDate } from "../../go/time.ts";

/** Formats metadata like Go's `%#v`, as contained in errors of reviews. Pointer addresses are made up. */
export function goObjectMeta(meta: ObjectMeta): string {
  const fields: [string, string][] = [
    ["Name", text(meta.name)],
    ["GenerateName", text(meta.generateName)],
    ["Namespace", text(meta.namespace)],
    ["SelfLink", '""'],
    ["UID", text(meta.uid)],
    ["ResourceVersion", text(meta.resourceVersion)],
    ["Generation", String(meta.generation ?? 0)],
    ["CreationTimestamp", goDate(meta.creationTimestamp || undefined)],
    ["DeletionTimestamp", meta.deletionTimestamp === undefined ? "<nil>" : goDate(meta.deletionTimestamp || undefined)],
    ["DeletionGracePeriodSeconds", pointer("int64", meta.deletionGracePeriodSeconds)],
    ["Labels", map(meta.labels)],
    ["Annotations", map(meta.annotations)],
    ["OwnerReferences", list("v1.OwnerReference", meta.ownerReferences?.map(owner))],
    ["Finalizers", list("string", meta.finalizers?.map(goQuote))],
    ["ManagedFields", list("v1.ManagedFieldsEntry", (meta.managedFields as ManagedFields[] | undefined)?.map(managed))],
  ];
  return struct("v1.ObjectMeta", fields);
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
  readonly subresource?: string;
}

/** Formats a Go struct literal. */
export function struct(type: string, fields: readonly (readonly [string, string])[]): string {
  return `${type}{${fields.map(([name, value]) => `${name}:${value}`).join(", ")}}`;
}

function owner(reference: OwnerReference): string {
  return struct("v1.OwnerReference", [
    ["APIVersion", text(reference.apiVersion)],
    ["Kind", text(reference.kind)],
    ["Name", text(reference.name)],
    ["UID", text(reference.uid)],
    ["Controller", pointer("bool", reference.controller)],
    ["BlockOwnerDeletion", pointer("bool", reference.blockOwnerDeletion)],
  ]);
}

function managed(entry: ManagedFields): string {
  return struct("v1.ManagedFieldsEntry", [
    ["Manager", text(entry.manager)],
    ["Operation", text(entry.operation)],
    ["APIVersion", text(entry.apiVersion)],
    ["Time", entry.time === undefined ? "<nil>" : goDate(entry.time || undefined)],
    ["FieldsType", text(entry.fieldsType)],
    ["FieldsV1", pointer("v1.FieldsV1", entry.fieldsV1)],
    ["Subresource", text(entry.subresource)],
  ]);
}

function text(value: string | undefined): string {
  return goQuote(value ?? "");
}

function pointer(type: string, value: unknown): string {
  return `(*${type})(${value === undefined ? "nil" : "0xc000000000"})`;
}

function map(entries: Readonly<Record<string, string>> | undefined): string {
  if (entries === undefined) return "map[string]string(nil)";
  const sorted = Object.keys(entries).sort();
  return `map[string]string{${sorted.map((key) => `${goQuote(key)}:${text(entries[key])}`).join(", ")}}`;
}

function list(type: string, items: readonly string[] | undefined): string {
  return items === undefined ? `[]${type}(nil)` : `[]${type}{${items.join(", ")}}`;
}
