import type { ApiObject } from "../contract/api-object.ts";
import type { ServedResource } from "./served-resource.ts";

interface Clock {
  readonly now: () => Date;
}

/** Fills in what the writer left out: declared defaults, then computed ones. Changes the object. */
export function applyDefaults(resource: ServedResource, object: ApiObject, { now }: Clock): ApiObject {
  resource.schema.applyDefaults(object);
  resource.hooks.default?.(object);
  resource.hooks.defaults?.times?.(object, now);
  return object;
}

/** A decoded object of the request's version as it is stored, defaulted; where its fields stand is settled when it is. */
export function toDefaultedStored(resource: ServedResource, object: ApiObject, clock: Clock): ApiObject {
  return resource.toStored(applyDefaults(resource, object, clock));
}
