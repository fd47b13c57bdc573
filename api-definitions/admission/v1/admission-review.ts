import type { UserInfo } from "../../authentication/v1/user-info.ts";
import type { GroupVersionKind, GroupVersionResource } from "../../meta/v1/names.ts";
import type { Status } from "../../meta/v1/status.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, type Bytes, kind, type OmitZero, type Open, type RawObject } from "../../vocabulary.ts";

/**
 * Message between the API server and an admission webhook. The server sends `request`; the webhook returns an
 * AdmissionReview of the same API version with `response`. It is not stored.
 */
export interface AdmissionReview extends TypeMeta {
  /** Request to be reviewed, set by the API server. */
  request?: AdmissionRequest;
  /** Decision about the request, set by the webhook. */
  response?: AdmissionResponse;
}

/**
 * A request to the API server that an admission webhook reviews. Fields with the prefix `request` describe the original
 * request; they differ from those without it if `matchPolicy` `Equivalent` made the server convert it.
 */
export interface AdmissionRequest {
  /** Identifier of this call of the webhook. The webhook must copy it to `response.uid`. */
  uid: string;
  /** Kind of `object` and `oldObject` in this call, in the version that matches a rule of the webhook. */
  kind: GroupVersionKind;
  /** Resource of the request in this call, in the version that matches a rule of the webhook. */
  resource: GroupVersionResource;
  /** Subresource of the request, such as `status` or `scale`. Empty for the object itself. */
  subResource?: string & OmitZero;
  /**
   * Kind of the object in the original request. Differs from `kind` if the server converted the object for the webhook.
   */
  requestKind?: GroupVersionKind;
  /** Resource of the original request. Differs from `resource` if the server converted the object for the webhook. */
  requestResource?: GroupVersionResource;
  /** Subresource of the original request. Empty for the object itself. */
  requestSubResource?: string & OmitZero;
  /**
   * Name of the object. May be empty in a create request if the server generates the name, and in a request that
   * deletes a collection.
   */
  name?: string & OmitZero;
  /**
   * Namespace of the request. Empty for cluster-scoped resources. For requests for a Namespace it is the name of that
   * Namespace.
   */
  namespace?: string & OmitZero;
  /** Operation that the request performs. Patch requests are `UPDATE`, or `CREATE` if they create the object. */
  operation: Operation;
  /** User who made the original request. */
  userInfo: UserInfo;
  /** The object as it would be stored. `null` for `DELETE`; the options of the connection for `CONNECT`. */
  object?: RawObject & Always;
  /** The existing object. `null` for `CREATE` and `CONNECT`. */
  oldObject?: RawObject & Always;
  /**
   * Whether the result of the request is discarded. A webhook with side effects must not perform them if this is
   * `true`. Unset means `false`.
   */
  dryRun?: boolean;
  /**
   * Options of the request, such as a `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions` object.
   * `null` for requests without options.
   */
  options?: RawObject & Always;
}

export type Operation = Open<
  /** The request creates an object. */
  | "CREATE"
  /** The request replaces or patches an existing object. */
  | "UPDATE"
  /** The request deletes an object or a collection of objects. */
  | "DELETE"
  /** The request opens a connection to a subresource, such as `exec` or `proxy`. */
  | "CONNECT"
>;

/** Decision of an admission webhook about a request. */
export interface AdmissionResponse {
  /** Value of `request.uid`. A response with another value is invalid and is handled according to `failurePolicy`. */
  uid: string;
  /** Whether the request is admitted. */
  allowed: boolean;
  /**
   * Details for the client if the request is rejected: the message, and the HTTP status in `code`. Ignored if `allowed`
   * is `true`.
   */
  status?: Status;
  /**
   * Changes to the object as a JSON Patch, base64-encoded. Allowed only from mutating webhooks, and only together with
   * `patchType`.
   */
  patch?: Bytes;
  /** Format of `patch`. Required if `patch` is set, not allowed otherwise. */
  patchType?: PatchType;
  /**
   * Annotations that are added to the audit event of the request. The server prefixes each key with the name of the
   * webhook and `/`.
   */
  auditAnnotations?: Record<string, string>;
  /**
   * Warnings that the server returns to the client in `Warning` headers. Keep each under 120 characters if possible and
   * do not begin it with "Warning:".
   */
  warnings?: string[];
}

export type PatchType = Open<
  /** JSON Patch, a list of operations according to RFC 6902. */
  "JSONPatch"
>;

export const admissionReview = kind<AdmissionReview>({ unserved: true, introduced: "1.19" });
