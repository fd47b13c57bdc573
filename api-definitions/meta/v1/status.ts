import {
  type Always,
  type AtomicLabel,
  type Int32,
  kind,
  type ListAtomic,
  type OmitZero,
  type Open,
} from "../../vocabulary.ts";
import type { ListMeta, TypeMeta } from "./type-meta.ts";

/** Result of a request that returns no object, such as an error or a completed deletion. */
export interface Status extends TypeMeta {
  /** Standard list metadata. In the error for an expired continue token, `continue` has a token for the current state. */
  metadata?: ListMeta & Always;
  /** Result of the request: `Success` or `Failure`. */
  status?: string & OmitZero;
  /** Human-readable description of the result. */
  message?: string & OmitZero;
  /**
   * Machine-readable reason of a failure. Empty if the server gives none. It may be more specific than `code` and never
   * contradicts it.
   */
  reason?: StatusReason & OmitZero;
  /** Details of the failure: the object concerned, its causes and when to retry. Unset if there are none. */
  details?: StatusDetails & AtomicLabel;
  /** HTTP status code of the response. */
  code?: Int32 & OmitZero;
}

export type StatusReason = Open<
  /** The request has no valid credentials (401). */
  | "Unauthorized"
  /** The user is not allowed to make this request, or admission rejected it (403). */
  | "Forbidden"
  /** The object, resource or path does not exist (404). */
  | "NotFound"
  /** An object of this name exists already (409). */
  | "AlreadyExists"
  /** The object was changed in the meantime or a precondition is not met. Read the object again and retry (409). */
  | "Conflict"
  /** The requested data is no longer available at this server (410). */
  | "Gone"
  /** Validation rejected the object; `details.causes` lists the errors (422). */
  | "Invalid"
  /** The server could not complete the request in time. Retry after `details.retryAfterSeconds` (500). */
  | "ServerTimeout"
  /** The object is stored but cannot be read, for example because it cannot be decrypted (500). */
  | "StorageReadError"
  /** The request took longer than the client or the server allowed. Part of it may have been carried out (504). */
  | "Timeout"
  /**
   * The server limits the rate of requests, or a disruption budget does not allow an eviction now. Retry after
   * `details.retryAfterSeconds` (429).
   */
  | "TooManyRequests"
  /** The request itself is malformed and will fail again (400). */
  | "BadRequest"
  /** The resource does not support the HTTP method or verb (405). */
  | "MethodNotAllowed"
  /** The server supports none of the formats of the `Accept` header (406). */
  | "NotAcceptable"
  /** The body of the request is too large (413). */
  | "RequestEntityTooLarge"
  /** The server does not support the content type of the request body (415). */
  | "UnsupportedMediaType"
  /** An unexpected error inside the server (500). */
  | "InternalError"
  /** A continue token or resource version is too old. Start the list or watch again (410). */
  | "Expired"
  /** The server or a server behind it cannot handle requests now. Retry later (503). */
  | "ServiceUnavailable"
>;

/** Details of a failed request. Which fields are set depends on the reason. */
export interface StatusDetails {
  /** Name of the object concerned, if there is exactly one. */
  name?: string & OmitZero;
  /** API group of the resource or kind in `kind`. Empty for the core group. */
  group?: string & OmitZero;
  /**
   * Resource or kind of the object concerned. In most errors this is the resource, such as `pods`; in validation errors
   * it is the kind.
   */
  kind?: string & OmitZero;
  /** UID of the object concerned, if there is exactly one and it is known. */
  uid?: string & OmitZero;
  /** Individual errors, for example one for each invalid field. Not complete in every case. */
  causes?: ListAtomic<StatusCause>;
  /** Number of seconds to wait before the request is retried. 0 means that no time is recommended. */
  retryAfterSeconds?: Int32 & OmitZero;
}

/** One of the errors that made a request fail. */
export interface StatusCause {
  /** Machine-readable reason of this error. Empty if there is none. */
  reason?: CauseType & OmitZero;
  /** Human-readable description of this error. */
  message?: string & OmitZero;
  /**
   * Path of the field concerned in the request body, such as `spec.containers[0].image`. Empty if the error concerns no
   * single field.
   */
  field?: string & OmitZero;
}

export type CauseType = Open<
  /** The field refers to an object or value that does not exist. */
  | "FieldValueNotFound"
  /** The field is required but not set. */
  | "FieldValueRequired"
  /** The value must be unique but occurs more than once. */
  | "FieldValueDuplicate"
  /** The value is malformed or out of range, or the field must not be changed. */
  | "FieldValueInvalid"
  /** The value is not one of the allowed values. */
  | "FieldValueNotSupported"
  /** The field or value is not allowed in this place or state. */
  | "FieldValueForbidden"
  /** The value is longer than allowed. */
  | "FieldValueTooLong"
  /** The list or map has more entries than allowed. */
  | "FieldValueTooMany"
  /** The server could not check the field. */
  | "InternalError"
  /** The value has the wrong type, such as a string instead of a number. */
  | "FieldValueTypeInvalid"
  /** A server behind this one sent a response that could not be interpreted. */
  | "UnexpectedServerResponse"
  /** Another manager owns the field with a different value. Apply with `force` to take it over. */
  | "FieldManagerConflict"
  /** The requested resource version is newer than the state of the server. Retry later. */
  | "ResourceVersionTooLarge"
>;

export const status = kind<Status>({ unserved: true });
