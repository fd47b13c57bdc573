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

export interface Status extends TypeMeta {
  metadata?: ListMeta & Always;
  status?: string & OmitZero;
  message?: string & OmitZero;
  reason?: StatusReason & OmitZero;
  details?: StatusDetails & AtomicLabel;
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

export interface StatusDetails {
  name?: string & OmitZero;
  group?: string & OmitZero;
  kind?: string & OmitZero;
  uid?: string & OmitZero;
  causes?: ListAtomic<StatusCause>;
  retryAfterSeconds?: Int32 & OmitZero;
}

export interface StatusCause {
  reason?: CauseType & OmitZero;
  message?: string & OmitZero;
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
