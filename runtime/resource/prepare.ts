import type { ApiObject } from "../contract/api-object.ts";
import { carryNotes } from "../go/source-notes.ts";
import { changeMeta, withMeta } from "../kinds/change-meta.ts";
import type { WriteContext } from "../kinds/loaded-hooks.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { equalMeaning } from "../values/equal-meaning.ts";

/** Resets fields of a new object that clients cannot set: status, generation, fields of disabled features. */
export function prepareForCreate(
  kind: StoredKind,
  object: ApiObject,
  context: WriteContext,
): ApiObject | Promise<ApiObject> {
  let prepared = object;
  if (kind.hasStatus && kind.hooks.lifecycle?.acceptsStatusOnCreate !== true) {
    const { status: _ignored, ...rest } = object;
    const empty = kind.schema.emptyObject().status;
    prepared = empty === undefined ? rest : { ...rest, status: empty };
    carryNotes(object, prepared);
  }
  if (kind.tracksGeneration) {
    prepared = withMeta(prepared, { generation: 1 });
  }
  kind.schema.dropDisabledFields(prepared, undefined, context.featureEnabled);
  const pending = prepareBy(kind, prepared, undefined, context);
  return pending === undefined ? prepared : pending.then(() => prepared);
}

/**
 * Keeps fields that this request cannot change: the status for the resource itself, everything else for `status`; generation, uid and times
 * in either case. Increments the generation if fields that it covers have changed.
 */
export function prepareForUpdate(
  kind: StoredKind,
  object: ApiObject,
  old: ApiObject,
  context: WriteContext,
): ApiObject | Promise<ApiObject> {
  const prepared = keepOtherHalf(kind, object, old, context.subresource);
  carryNotes(object, prepared);
  const { prepare, lifecycle } = kind.hooks;
  if (
    prepare !== undefined ||
    lifecycle?.prepareForUpdate !== undefined ||
    prepared.metadata.generation !== old.metadata.generation
  ) {
    prepared.metadata = changeMeta(prepared.metadata, { generation: old.metadata.generation });
  }
  const counts = kind.tracksGeneration && context.subresource !== "status";
  const raisedEarly =
    counts && kind.hooks.compatibility?.countsDroppedFields === true && raisesGeneration(kind, prepared, old);
  kind.schema.dropDisabledFields(prepared, old, context.featureEnabled);
  const pending = prepareBy(kind, prepared, old, context);
  const finish = () => settleMeta(prepared, old, raisedEarly || (counts && raisesGeneration(kind, prepared, old)));
  return pending === undefined ? finish() : pending.then(finish);
}

/** Calls the hooks that prepare an object. Returns a promise only if they read other objects. */
function prepareBy(
  { hooks: { prepare, lifecycle } }: StoredKind,
  object: ApiObject,
  old: ApiObject | undefined,
  context: WriteContext,
): Promise<void> | undefined {
  const second = () =>
    old === undefined
      ? lifecycle?.prepareForCreate?.(object, context)
      : lifecycle?.prepareForUpdate?.(object, old, context);
  const first = prepare?.(object, context);
  const last = first instanceof Promise ? first.then(second) : second();
  return last instanceof Promise ? last : undefined;
}

/** Keeps metadata that no update can change, and increments the generation if `raised`. */
function settleMeta(prepared: ApiObject, old: ApiObject, raised: boolean): ApiObject {
  const { metadata } = prepared;
  prepared.metadata = changeMeta(metadata, {
    ...(raised && { generation: (old.metadata.generation ?? 0) + 1 }),
    ...((metadata.uid ?? "") === "" && { uid: old.metadata.uid }),
    ...(old.metadata.creationTimestamp && { creationTimestamp: old.metadata.creationTimestamp }),
    ...(old.metadata.deletionTimestamp && { deletionTimestamp: old.metadata.deletionTimestamp }),
    ...(metadata.deletionGracePeriodSeconds === undefined &&
      old.metadata.deletionGracePeriodSeconds !== undefined && {
        deletionGracePeriodSeconds: old.metadata.deletionGracePeriodSeconds,
      }),
  });
  return prepared;
}

function keepOtherHalf(
  kind: StoredKind,
  object: ApiObject,
  old: ApiObject,
  subresource: string | undefined,
): ApiObject {
  const { status: newStatus, ...rest } = object;
  if (keepsStatus(kind, subresource)) {
    return old.status === undefined ? rest : { ...rest, status: old.status };
  }
  if (subresource === "status" && kind.hasStatus) {
    const { status: _former, ...kept } = old;
    const metadata = kind.statusKeepsMetadata ? keptMetadata(object, old) : object.metadata;
    return { ...kept, metadata, ...(newStatus !== undefined && { status: newStatus }) };
  }
  return { ...object };
}

/** The old metadata with the managedFields of the new object. */
function keptMetadata({ metadata: { managedFields } }: ApiObject, old: ApiObject): ApiObject["metadata"] {
  const { managedFields: _former, ...kept } = old.metadata;
  return managedFields === undefined ? kept : { ...kept, managedFields };
}

/** Whether an update keeps the old status, whatever the new object contains. */
export function keepsStatus({ hasStatus, hooks }: StoredKind, subresource: string | undefined): boolean {
  return hasStatus && subresource === undefined && hooks.lifecycle?.acceptsStatusOnUpdate !== true;
}

function raisesGeneration(kind: StoredKind, object: ApiObject, old: ApiObject): boolean {
  const own = kind.hooks.lifecycle?.raisesGeneration;
  if (own !== undefined) {
    return own(object, old);
  }
  const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const field of ["apiVersion", "kind", "metadata", "status"]) {
    fields.delete(field);
  }
  return [...fields].some((field) => !equalMeaning(object[field], old[field]));
}
