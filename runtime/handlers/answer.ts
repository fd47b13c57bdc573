import type { ApiObject } from "../contract/api-object.ts";
import type { Status, StatusError } from "../contract/status.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { CacheWatch } from "../watch/cache-watch.ts";
import type { CachedObject } from "../watch/cached-object.ts";
import type { ListResult } from "../watch/requests.ts";

/** What a handler returns; http gives it the representation the client asked for. */
export type Answer = ObjectAnswer | CachedAnswer | ListAnswer | WatchAnswer | StatusAnswer | TextAnswer;

/** An object of the asked version, apiVersion and kind set. */
export interface ObjectAnswer {
  readonly type: "object";
  readonly status: number;
  readonly object: ApiObject;
  readonly schema: TypeSchema<ApiObject>;
  /** Its JSON, no newline, where it is at hand. */
  readonly json?: Uint8Array;
  /** Present where the object can be shown as a table or as bare metadata. */
  readonly resource?: ServedResource;
  /** The same object in its stored version, where it is at hand. */
  readonly stored?: ApiObject;
}

/** An object whose bytes are kept. */
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
  /** A failure that is told inside the stream, or the stream of changes. */
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

/** An object of the stored version, answered in the version of the request. */
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

/** What a write stored, answered in the version of the request: from the bytes that were stored, where they will do. */
export function liveAnswer(resource: ServedResource, status: number, live: LiveObject): ObjectAnswer {
  if (!resource.isStoredVersion || live.unversioned === true) {
    return storedAnswer(resource, status, live.object);
  }
  return {
    type: "object",
    status,
    get object() {
      return live.object;
    },
    schema: resource.schema,
    json: live.json,
    resource,
  };
}
