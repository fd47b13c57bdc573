/** Public API of `typeplane/client`. It loads no modules of the server. */
export {
  AlreadyExistsError,
  ApiError,
  ConflictError,
  ConnectionError,
  ExpiredError,
  type FieldConflict,
  ForbiddenError,
  InvalidError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
} from "./client/api-error.ts";
export type { Client } from "./client/client.ts";
export { type ConnectOptions, connect } from "./client/connect.ts";
export { type KindName, UnknownKindError } from "./client/discovery.ts";
export type { InformerHandler } from "./client/informer/handler-queue.ts";
export type { Informer, InformerMetrics, Subscription } from "./client/informer/informer.ts";
export type { IndexFunction } from "./client/informer/local-store.ts";
export type { KindClient, KindInformerOptions, Patch } from "./client/kind-client.ts";
export type { Listing, Page } from "./client/listing.ts";
export { KubeconfigError } from "./client/login/kubeconfig.ts";
export type { Impersonation } from "./client/login/login.ts";
export type {
  Applicable,
  ApplicableStatus,
  JsonPatchOperation,
  Key,
  KindOf,
  MergePatch,
  New,
  Replacement,
  Stored,
  StoredMetadata,
  UntypedObject,
} from "./client/object-types.ts";
export type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  RequestOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./client/options.ts";
export type { Warning } from "./client/requester.ts";
export { retryOnConflict } from "./client/retry-on-conflict.ts";
export type { BookmarkEvent, ObjectEvent, WatchEvent } from "./client/watch-events.ts";
