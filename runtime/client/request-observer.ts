import type { ResourceToken } from "../contract/resource-token.ts";
import type { ConflictError } from "./api-error.ts";
import type { KnownObject } from "./informer/local-store.ts";

export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Observes the requests of a client for objects. A controller recognizes its own writes with it. */
export interface RequestObserver {
  /** Called before each request. If it throws, the request rejects with that error. */
  before?(): void;
  /** The resourceVersion for an update that specifies none. The update rejects with a `ConflictError` if the object has changed since. */
  versionOf?(token: ResourceToken<object>, key: ObjectKey): string | undefined;
  /** Called with an object as the server stored it. Not called for dry runs. */
  written?(token: ResourceToken<object>, object: KnownObject): void;
  /** Called when the server has removed an object. */
  removed?(token: ResourceToken<object>, key: ObjectKey): void;
  /** Called when an update was refused because the object has changed since `version`. Returns the error with which the update rejects. */
  refused?(token: ResourceToken<object>, key: ObjectKey & { readonly version: string }, error: ConflictError): Error;
}
