import type { ApiObject } from "../contract/api-object.ts";
import type { ServedResource, StoredKind } from "./served-resource.ts";

interface Clock {
  readonly now: () => Date;
}

/** Sets fields that the client omitted: declared defaults, then computed ones. Changes the object. */
export function applyDefaults(resource: ServedResource, object: ApiObject, { now }: Clock): ApiObject {
  (resource.fullSchema ?? resource.schema).applyDefaults(object);
  resource.hooks.default?.(object);
  resource.hooks.defaults?.times?.(object, now);
  return object;
}

/**
 * Defaults a decoded object of the request's version, converts it to the stored version and sets the defaults of that version too, as
 * kube-apiserver does when it reads a stored object. Keys are not ordered yet.
 */
export function toDefaultedStored(resource: ServedResource, object: ApiObject, clock: Clock): ApiObject {
  const stored = resource.toStored(applyDefaults(resource, object, clock));
  const { descriptor, isStoredVersion } = resource;
  if (!isStoredVersion && descriptor.type !== descriptor.storage.type) setStoredDefaults(resource.stored, stored);
  return stored;
}

/** Sets the defaults of the stored version, in place, and returns the object with its keys in canonical order. */
export function withStoredDefaults(kind: StoredKind, object: ApiObject): ApiObject {
  setStoredDefaults(kind, object);
  return kind.schema.canonicalize(object);
}

function setStoredDefaults({ schema, hooks }: StoredKind, object: ApiObject): void {
  schema.applyDefaults(object);
  hooks.default?.(object);
}
