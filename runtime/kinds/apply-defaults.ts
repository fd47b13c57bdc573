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

/** Defaults a decoded object of the request's version and converts it to the stored version. Its keys are not ordered yet. */
export function toDefaultedStored(resource: ServedResource, object: ApiObject, clock: Clock): ApiObject {
  return resource.toStored(applyDefaults(resource, object, clock));
}

/** A stored object with the defaults of its storage version, which may be younger than the object. Changes the object. */
export function withStoredDefaults({ schema, hooks }: StoredKind, object: ApiObject): ApiObject {
  schema.applyDefaults(object);
  hooks.default?.(object);
  return schema.canonicalize(object);
}
