import { type Int64, kind, type ListAtomic, type OmitZero, type Open } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

/** Options of a create request, given as query parameters. All are optional. */
export interface CreateOptions extends TypeMeta {
  /**
   * `All` runs all steps of the request including admission and validation, but stores nothing. No other value is
   * allowed. If empty, the object is stored.
   */
  dryRun?: ListAtomic<string>;
  /**
   * Name of the client under which ownership of the fields is recorded in `metadata.managedFields`. At most 128 bytes
   * of printable characters. Defaults to the part of the user agent before the first `/`.
   */
  fieldManager?: string & OmitZero;
  /**
   * How unknown and duplicate fields are handled: `Ignore` drops them silently, `Warn` drops them and returns a warning
   * for each, `Strict` rejects the request with `400 Bad Request`. Defaults to `Warn`.
   */
  fieldValidation?: string & OmitZero;
}

/** Options of a request for one object, given as query parameters. */
export interface GetOptions extends TypeMeta {
  /**
   * Minimum version of the object. Unset returns the latest version, `0` returns any version that the server has at
   * hand, another value returns an object that is at least as new.
   */
  resourceVersion?: string & OmitZero;
}

/** Options of list and watch requests, given as query parameters. All are optional. */
export interface ListOptions extends TypeMeta {
  /** Selects objects by their labels, such as `app=web,tier!=cache`. If empty, all objects match. */
  labelSelector?: string & OmitZero;
  /**
   * Selects objects by fields, such as `metadata.name=web`. Only fields that the kind declares as selectable are
   * allowed. If empty, all objects match.
   */
  fieldSelector?: string & OmitZero;
  /** `true` returns a stream of changes instead of a list. The stream starts at `resourceVersion`. */
  watch?: boolean & OmitZero;
  /**
   * `true` allows the server to send events of type `BOOKMARK` that contain only a recent resource version, so that the
   * client can resume from there. The server decides when to send them. Ignored by list requests.
   */
  allowWatchBookmarks?: boolean & OmitZero;
  /**
   * For a list, the version that the list must have, as `resourceVersionMatch` specifies; unset returns the latest
   * state and `0` any state that the server has at hand. For a watch, the version after which changes are sent; if
   * unset or `0`, the watch starts with the existing objects.
   */
  resourceVersion?: string & OmitZero;
  /**
   * How `resourceVersion` restricts a list. Must not be set without `resourceVersion` or together with `continue`. For
   * a watch only `NotOlderThan` is allowed, and only together with `sendInitialEvents`.
   */
  resourceVersionMatch?: ResourceVersionMatch & OmitZero;
  /**
   * Number of seconds after which the server ends the request, even if a watch is still active. If unset, watches end
   * after a time that the server chooses.
   */
  timeoutSeconds?: Int64;
  /**
   * Maximum number of objects in a response. If more objects match, `metadata.continue` of the list has the token for
   * the next page. 0 returns all objects. Watches ignore it.
   */
  limit?: Int64 & OmitZero;
  /**
   * Token from `metadata.continue` of the previous page. The other parameters must be the same as in the request for
   * that page. After a few minutes the token expires, and the server returns `410 Gone` with a token that continues
   * with the current state.
   */
  continue?: string & OmitZero;
  /**
   * `true` starts a watch with an `ADDED` event for each existing object, followed by a bookmark with the annotation
   * `k8s.io/initial-events-end` if `allowWatchBookmarks` is set. Requires `resourceVersionMatch` `NotOlderThan`. Must
   * not be set for lists. If unset, the initial events are sent if `resourceVersion` is empty or `0`.
   */
  sendInitialEvents?: boolean;
}

export type ResourceVersionMatch = Open<
  /** The list is at least as new as `resourceVersion`. */
  | "NotOlderThan"
  /**
   * The list has exactly the state of `resourceVersion`, which must not be `0`. If that state is no longer available,
   * the server returns `410 Gone`.
   */
  | "Exact"
>;

/** Options of a patch request, given as query parameters. */
export interface PatchOptions extends TypeMeta {
  /**
   * `All` runs all steps of the request including admission and validation, but stores nothing. No other value is
   * allowed. If empty, the object is stored.
   */
  dryRun?: ListAtomic<string>;
  /**
   * `true` takes over the ownership of fields that other managers have set to other values, instead of returning a
   * conflict. Allowed only for apply patches.
   */
  force?: boolean;
  /**
   * Name of the client under which ownership of the fields is recorded in `metadata.managedFields`. At most 128 bytes
   * of printable characters. Required for apply patches; for other patches it defaults to the part of the user agent
   * before the first `/`.
   */
  fieldManager?: string & OmitZero;
  /**
   * How unknown and duplicate fields are handled: `Ignore` drops them silently, `Warn` drops them and returns a warning
   * for each, `Strict` rejects the request with `400 Bad Request`. Defaults to `Warn`.
   */
  fieldValidation?: string & OmitZero;
}

/** Options of an update request, given as query parameters. All are optional. */
export interface UpdateOptions extends TypeMeta {
  /**
   * `All` runs all steps of the request including admission and validation, but stores nothing. No other value is
   * allowed. If empty, the object is stored.
   */
  dryRun?: ListAtomic<string>;
  /**
   * Name of the client under which ownership of the fields is recorded in `metadata.managedFields`. At most 128 bytes
   * of printable characters. Defaults to the part of the user agent before the first `/`.
   */
  fieldManager?: string & OmitZero;
  /**
   * How unknown and duplicate fields are handled: `Ignore` drops them silently, `Warn` drops them and returns a warning
   * for each, `Strict` rejects the request with `400 Bad Request`. Defaults to `Warn`.
   */
  fieldValidation?: string & OmitZero;
}

/** Options of a server-side apply request for clients. The server receives them as PatchOptions. */
export interface ApplyOptions extends TypeMeta {
  /**
   * `All` runs all steps of the request including admission and validation, but stores nothing. No other value is
   * allowed. If empty, the object is stored.
   */
  dryRun?: ListAtomic<string>;
  /**
   * `true` takes over the ownership of fields that other managers have set to other values, instead of returning a
   * conflict.
   */
  force: boolean;
  /**
   * Name of the client under which ownership of the applied fields is recorded in `metadata.managedFields`. At most 128
   * bytes of printable characters. Required.
   */
  fieldManager: string;
}

export const createOptions = kind<CreateOptions>({ unserved: true });

export const getOptions = kind<GetOptions>({ unserved: true });

export const listOptions = kind<ListOptions>({ unserved: true });

export const patchOptions = kind<PatchOptions>({ unserved: true });

export const updateOptions = kind<UpdateOptions>({ unserved: true });
