import type { ResourceToken } from "../contract/resource-token.ts";
import type { ConflictError } from "./api-error.ts";
import type { KnownObject } from "./informer/local-store.ts";

export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Sees the requests of a client for objects of kinds: how a controller learns of its own writes. */
export interface RequestObserver {
  /** Before each request. What it throws is what the request rejects with. */
  before?(): void;
  /** The version that an update must find which names none: it fails with a `ConflictError` if the object has changed since. */
  versionOf?(token: ResourceToken<object>, key: ObjectKey): string | undefined;
  /** An object as the server stored it. Not called for dry runs. */
  written?(token: ResourceToken<object>, object: KnownObject): void;
  /** An object that the server removed. */
  removed?(token: ResourceToken<object>, key: ObjectKey): void;
  /** An update was refused because the object has changed since `version`. Returns the error with which the update rejects. */
  refused?(token: ResourceToken<object>, key: ObjectKey & { readonly version: string }, error: ConflictError): Error;
}
