import type { ApiObject } from "../contract/api-object.ts";
import type { HookContext } from "../contract/kind-hooks.ts";
import { carryNotes } from "../go/source-notes.ts";
import { changeMeta, withMeta } from "../kinds/change-meta.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { equalMeaning } from "../values/equal-meaning.ts";

/** Takes from a new object what its writer may not decide: status, generation, fields of features that are off. */
export function prepareForCreate(kind: StoredKind, object: ApiObject, context: HookContext<ApiObject>): ApiObject {
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
  kind.hooks.prepare?.(prepared, context);
  kind.hooks.lifecycle?.prepareForCreate?.(prepared, context);
  return prepared;
}

/**
 * Keeps what this request may not change: status on the resource itself, everything else on `status`; generation, uid and
 * times always. Raises the generation when what it counts has changed.
 */
export function prepareForUpdate(
  kind: StoredKind,
  object: ApiObject,
  old: ApiObject,
  context: HookContext<ApiObject>,
): ApiObject {
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
  prepare?.(prepared, context);
  lifecycle?.prepareForUpdate?.(prepared, old, context);
  const raised = raisedEarly || (counts && raisesGeneration(kind, prepared, old));
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
  if (!kind.hasStatus || (subresource === undefined && kind.hooks.lifecycle?.acceptsStatusOnUpdate === true)) {
    return { ...object };
  }
  const { status: newStatus, ...rest } = object;
  if (subresource === undefined) {
    return old.status === undefined ? rest : { ...rest, status: old.status };
  }
  if (subresource === "status") {
    const { status: _former, ...kept } = old;
    return { ...kept, metadata: object.metadata, ...(newStatus !== undefined && { status: newStatus }) };
  }
  return { ...object };
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
