import { excludeFields, type FieldFilter } from "../apply/fieldpath/field-filter.ts";
import { fieldPath, type Path } from "../apply/fieldpath/path.ts";
import { createFieldManager, type FieldManager } from "../apply/managed-fields/field-manager.ts";
import { prepareManagedSteps } from "../apply/managed-fields/managed.ts";
import type { HowToApply } from "../apply/merge/updater.ts";
import { validate, validateSteps } from "../apply/typed/validate.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { MergeType } from "../contract/merge-schema.ts";
import { carryNotes } from "../go/source-notes.ts";
import { withMeta } from "../kinds/change-meta.ts";
import type { ServedResource, VersionConversion } from "../kinds/served-resource.ts";
import { atOnce, inTurns, type Steps } from "../lib/in-turns.ts";
import type { JsonObject, JsonValue } from "../lib/json-object.ts";
import { WaitingConversions } from "./waiting-conversions.ts";
import type { FieldOwnership, WriteRequest } from "./write-request.ts";

/** Finds a version of the kind of a resource; undefined if it is not served. */
export type FindVersion = (resource: ServedResource, apiVersion: string) => ServedResource | undefined;

/** Creates field ownership for the write path. Paths are those of the version of the request. */
export function createFieldOwnership(findVersion: FindVersion, now: () => Date): FieldOwnership {
  const waiting = new WaitingConversions();
  const managers = new WeakMap<ServedResource, Map<string, FieldManager>>();

  const managerFor = ({ resource, subresource }: WriteRequest): FieldManager => {
    let bySubresource = managers.get(resource);
    if (bySubresource === undefined) {
      bySubresource = new Map();
      managers.set(resource, bySubresource);
    }
    let manager = bySubresource.get(subresource);
    if (manager === undefined) {
      manager = newManager(resource, subresource);
      bySubresource.set(subresource, manager);
    }
    return manager;
  };

  const newManager = (resource: ServedResource, subresource: string): FieldManager => {
    const filter = ownableFields(resource, subresource);
    // As in Kubernetes, an endpoint of a custom kind resets fields only in its own version: owners in other versions conflict.
    const isReset = (apiVersion: string): boolean =>
      resource.descriptor.custom === undefined || apiVersion === resource.apiVersion;
    return createFieldManager({
      apiVersion: resource.apiVersion,
      kind: resource.descriptor.kind,
      subresource,
      now,
      schemaFor: (apiVersion): MergeType | undefined => findVersion(resource, apiVersion)?.schema.mergeType,
      convert(object, apiVersion) {
        if (hasWebhook(resource)) return plain(waiting.converted(asObject(object), apiVersion));
        const from = findVersion(resource, String(object.apiVersion)) ?? resource;
        const to = findVersion(resource, apiVersion) ?? resource;
        return plain(to.fromStored(from.toStored(asObject(object))));
      },
      ...(filter && { resetFields: (apiVersion) => (isReset(apiVersion) ? filter : undefined) }),
      ...(isForeignScale(resource) && {
        unconvertible: `request to convert CR to an invalid group/version: ${resource.apiVersion}`,
      }),
    });
  };

  const ownership = {
    update(request: WriteRequest, live: ApiObject | undefined, next: ApiObject): ApiObject {
      const { resource } = request;
      const result = managerFor(request).update(
        live && plain(resource.fromStored(live)),
        plain(resource.fromStored(next)),
        request.fieldManager,
      );
      return stored(resource, next, asObject(result));
    },
    *updateSteps(request: WriteRequest, live: ApiObject | undefined, next: ApiObject): Steps<ApiObject> {
      const { resource } = request;
      const before = live && plain(resource.fromStored(live));
      yield;
      const after = plain(resource.fromStored(next));
      yield;
      const result = yield* managerFor(request).updateSteps(before, after, request.fieldManager);
      yield;
      return yield* storedSteps(resource, next, asObject(result));
    },
    *applySteps(
      request: WriteRequest,
      live: ApiObject | undefined,
      configuration: ApiObject,
      how: HowToApply,
    ): Steps<ApiObject> {
      const { fieldManager, resource } = request;
      const manager = managerFor(request);
      const merged = asObject(yield* manager.applySteps(live && plain(live), plain(configuration), fieldManager, how));
      if (merged !== live) checkGivenEntries(resource, merged, configuration);
      return merged;
    },
  };
  return {
    update(request, live, next, isLarge = false) {
      const { resource } = request;
      if (!hasWebhook(resource))
        return isLarge ? inTurns(ownership.updateSteps(request, live, next)) : ownership.update(request, live, next);
      return waiting.run(resource.conversion, () => ownership.update(request, live, next));
    },
    apply(request, live, configuration, force, isLarge = false) {
      const { resource } = request;
      const steps = () => ownership.applySteps(request, live, configuration, { force, isLarge });
      if (hasWebhook(resource)) return waiting.run(resource.conversion, () => atOnce(steps()));
      return isLarge ? inTurns(withParsedOwners(live, steps())) : atOnce(steps());
    },
  };
}

/** Parses the managedFields of a large object in steps, before the actual work. */
function* withParsedOwners<T>(live: ApiObject | undefined, work: Steps<T>): Steps<T> {
  yield* prepareManagedSteps(live?.metadata.managedFields as JsonValue | undefined);
  return yield* work;
}

/** The object to store: `next`, or the result of the field manager if it is in the stored version. */
function stored(resource: ServedResource, next: ApiObject, owned: ApiObject): ApiObject {
  // Only managedFields changed: the rest need not be converted back.
  if (!resource.isStoredVersion) return withMeta(next, { managedFields: owned.metadata?.managedFields });
  return resource.toStored(isTypable(resource, owned) ? owned : withoutOwners(owned));
}

/** Like `stored`, for a large object, in steps between which the caller may pause. */
function* storedSteps(resource: ServedResource, next: ApiObject, owned: ApiObject): Steps<ApiObject> {
  const { descriptor, isStoredVersion, schema } = resource;
  if (!isStoredVersion || descriptor.custom === undefined) return stored(resource, next, owned);
  const mismatches = yield* validateSteps(schema.mergeType, plain(owned), { allowDuplicates: true });
  yield;
  return resource.toStored(mismatches.length === 0 ? owned : withoutOwners(owned));
}

/** Whether conversions need a webhook. A Scale is never converted. */
function hasWebhook(resource: ServedResource): resource is ServedResource & { readonly conversion: VersionConversion } {
  return resource.conversion !== undefined && !isForeignScale(resource);
}

/**
 * Applies a configuration to an object in the stored version. The merged object is made canonical in the request's version before it is
 * converted.
 */
export async function applyToStored(
  { ownership }: { readonly ownership: FieldOwnership },
  request: WriteRequest,
  live: ApiObject | undefined,
  configuration: ApiObject,
): Promise<ApiObject> {
  const { resource } = request;
  const current = live && resource.fromStored(live);
  const merged = await ownership.apply(request, current, configuration, true);
  if (merged === current && live !== undefined) return live;
  if (resource.isStoredVersion) return resource.toStored(merged);
  return resource.toStored(resource.schema.canonicalize(merged, { given: true, restores: true }));
}

/** Whether the resource is the Scale of a custom kind: Kubernetes fails to convert applies to it. */
function isForeignScale({ descriptor, apiVersion }: ServedResource): boolean {
  return descriptor.custom !== undefined && !apiVersion.startsWith(`${descriptor.group}/`);
}

/** Checks the types of `managedFields` in the request, even of entries that are ignored because they cannot be decoded. */
function checkGivenEntries(resource: ServedResource, merged: ApiObject, { metadata }: ApiObject): void {
  const managedFields = metadata?.managedFields;
  if (!Array.isArray(managedFields)) return;
  resource.schema.canonicalize(
    { ...merged, metadata: { ...merged.metadata, managedFields } },
    { given: true, restores: true },
  );
}

/** Whether field ownership can be computed: objects of custom kinds may contain fields that are not in their schema. */
function isTypable({ descriptor, schema }: ServedResource, next: ApiObject): boolean {
  return (
    descriptor.custom === undefined || validate(schema.mergeType, plain(next), { allowDuplicates: true }).length === 0
  );
}

function withoutOwners(object: ApiObject): ApiObject {
  const { managedFields: _dropped, ...metadata } = object.metadata;
  const bare = { ...object, metadata };
  carryNotes(object, bare);
  return bare;
}

/** Fields that a request through this endpoint can set, and that its field manager can own. */
function ownableFields(resource: ServedResource, subresource: string): FieldFilter | undefined {
  const reset = resetFields(resource, subresource).map(toPath);
  for (const key of resource.carriedAnnotations ?? []) reset.push(fieldPath("metadata", "annotations", key));
  return reset.length === 0 ? undefined : excludeFields(...reset);
}

function toPath(text: string): Path {
  return fieldPath(...text.split("."));
}

/** Fields that a request through this endpoint cannot set, and that its field manager does not own. */
function resetFields({ stored }: ServedResource, subresource: string): readonly string[] {
  const declared = stored.hooks.lifecycle?.resetFields?.[subresource];
  if (declared !== undefined) {
    return declared;
  }
  if (!stored.hasStatus) {
    return [];
  }
  if (subresource === "") {
    return ["status"];
  }
  if (subresource !== "status" || stored.schema.mergeType.kind !== "map") {
    return [];
  }
  const others = new Set(stored.schema.mergeType.fields.keys());
  for (const field of ["apiVersion", "kind", "metadata", "status"]) {
    others.delete(field);
  }
  return [...others];
}

function plain(object: ApiObject): JsonObject {
  return object as unknown as JsonObject;
}

function asObject(object: JsonObject): ApiObject {
  return object as unknown as ApiObject;
}
