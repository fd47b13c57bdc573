import type { ApiObject } from "../contract/api-object.ts";
import type { Status, StatusError } from "../contract/status.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import type { ConnectionTarget } from "../nodes/connection-target.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { CacheWatch } from "../watch/cache-watch.ts";
import type { CachedObject } from "../watch/cached-object.ts";
import type { ListResult } from "../watch/requests.ts";

/** Response of a handler; the HTTP layer encodes it in the requested representation. */
export type Answer =
  | ObjectAnswer
  | CachedAnswer
  | ListAnswer
  | WatchAnswer
  | StatusAnswer
  | TextAnswer
  | ConnectionAnswer;

/** An object of the requested version, with apiVersion and kind. */
export interface ObjectAnswer {
  readonly type: "object";
  readonly status: number;
  readonly object: ApiObject;
  readonly schema: TypeSchema<ApiObject>;
  /** JSON of the object without a newline, if available. */
  readonly json?: Uint8Array;
  /** The object whose encodings are cached, if available. */
  readonly cached?: CachedObject | undefined;
  /** Present if the object can be returned as a Table or as PartialObjectMetadata. */
  readonly resource?: ServedResource;
  /** The same object in its stored version, if available. */
  readonly stored?: ApiObject;
}

/** An object whose bytes are cached. */
export interface CachedAnswer {
  readonly type: "cached";
  readonly object: CachedObject;
  readonly resource: ServedResource;
}

export interface ListAnswer {
  readonly type: "list";
  readonly list: ListResult;
  readonly resource: ServedResource;
}

export interface WatchAnswer {
  readonly type: "watch";
  /** The stream of changes, or an error that is sent inside the stream. */
  readonly watch: CacheWatch | StatusError;
  readonly resource: ServedResource;
}

export interface StatusAnswer {
  readonly type: "status";
  readonly status: number;
  readonly body: Status;
}

export interface TextAnswer {
  readonly type: "text";
  readonly text: string;
}

/** A connection to a node, a pod or a service, which the HTTP layer makes. */
export interface ConnectionAnswer {
  readonly type: "connection";
  /** `log` streams the response of a kubelet as text; `upgrade` switches protocols; `proxy` forwards the request. */
  readonly mode: "log" | "upgrade" | "proxy";
  readonly target: ConnectionTarget;
  /** For proxies: the part of this server's path that precedes the path of the target. */
  readonly prefix?: string;
}

/** Response with an object of the stored version, converted to the version of the request. */
export function storedAnswer(resource: ServedResource, status: number, object: ApiObject): ObjectAnswer {
  return {
    type: "object",
    status,
    object: resource.fromStored(object),
    schema: resource.schema,
    resource,
    stored: object,
  };
}

/** Response with the result of a write in the version of the request, from the stored bytes if possible. */
export function liveAnswer(resource: ServedResource, status: number, live: LiveObject): ObjectAnswer {
  if (!resource.isStoredVersion || live.unversioned === true) {
    return storedAnswer(resource, status, live.object);
  }
  return new LiveAnswer(resource, status, live);
}

/** Parses the object when it is first read. A class, because creating an object literal with a getter is slow. */
class LiveAnswer implements ObjectAnswer {
  readonly type = "object";
  readonly status: number;
  readonly schema: TypeSchema<ApiObject>;
  readonly json: Buffer;
  readonly cached: CachedObject | undefined;
  readonly resource: ServedResource;
  readonly #live: LiveObject;

  constructor(resource: ServedResource, status: number, live: LiveObject) {
    this.status = status;
    this.schema = resource.schema;
    this.json = live.json;
    this.cached = live.cached;
    this.resource = resource;
    this.#live = live;
  }

  get object(): ApiObject {
    return this.#live.object;
  }
}
