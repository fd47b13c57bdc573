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

/** How a request ended, when the answer is not an object. */
export interface Status extends TypeMeta {
  /** Tells more when the failed request was for a list. */
  metadata?: ListMeta & Always;
  /** `Success` or `Failure`. */
  status?: string & OmitZero;
  /** What happened, for people. */
  message?: string & OmitZero;
  /** What happened, for programs. */
  reason?: StatusReason & OmitZero;
  /** More about the cause. */
  details?: StatusDetails & AtomicLabel;
  /** The HTTP status. */
  code?: Int32 & OmitZero;
}

export type StatusReason = Open<
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "StorageReadError"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable"
>;

/** More about why a request failed. */
export interface StatusDetails {
  /** Name of the object. */
  name?: string & OmitZero;
  /** Group of the object's resource. */
  group?: string & OmitZero;
  /** Kind or resource of the object. */
  kind?: string & OmitZero;
  /** Uid of the object. */
  uid?: string & OmitZero;
  /** Everything that is wrong. */
  causes?: ListAtomic<StatusCause>;
  /** Seconds to wait before trying again. */
  retryAfterSeconds?: Int32 & OmitZero;
}

/** One cause of a failure. */
export interface StatusCause {
  /** The cause, for programs. */
  reason?: CauseType & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
  /** The field at fault. */
  field?: string & OmitZero;
}

export type CauseType = Open<
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "InternalError"
  | "FieldValueTypeInvalid"
  | "UnexpectedServerResponse"
  | "FieldManagerConflict"
  | "ResourceVersionTooLarge"
>;

export const status = kind<Status>({ unserved: true });
