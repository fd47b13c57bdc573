import type { UserInfo } from "../../authentication/v1/user-info.ts";
import type { Status } from "../../meta/v1/status.ts";
import type { ListOf, TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  configKind,
  type ListAtomic,
  type MicroTime,
  type OmitZero,
  type RawObject,
} from "../../vocabulary.ts";
import type { Level, Stage } from "./policy.ts";

/**
 * Audit event: one request to the API server at one stage. The audit policy decides which requests produce events, and
 * in how much detail.
 */
export interface Event extends TypeMeta {
  /** Level of detail at which the event was recorded, by the rule of the audit policy that matched the request. */
  level: Level;
  /**
   * Unique identifier of the request, the same in its events of all stages. Taken from the header `Audit-ID` of the
   * request, or generated.
   */
  auditID: string;
  /** Stage of the request at which the event was recorded. */
  stage: Stage;
  /** Path and query of the request as the client sent them. */
  requestURI: string;
  /**
   * Verb of the request, such as `get`, `list` or `create`. For paths that are not resources it is the HTTP method in
   * lowercase.
   */
  verb: string;
  /** User who sent the request, as authenticated. Empty if authentication failed. */
  user: UserInfo;
  /** User whom the client impersonates and as whom the request was authorized. Unset without impersonation. */
  impersonatedUser?: UserInfo;
  /**
   * IP addresses of the client and of proxies on the way: those in the headers `X-Forwarded-For` and `X-Real-Ip`, then
   * the peer of the connection. Clients can forge all but the last.
   */
  sourceIPs?: ListAtomic<string>;
  /** Value of the header `User-Agent`, as the client sent it. Clients can set it to anything: do not trust it. */
  userAgent?: string & OmitZero;
  /** Object or resource that the request is about. Unset for paths that are not resources. */
  objectRef?: ObjectReference;
  /** Status of the response. For successful requests only `code` is set, for failed ones also reason and message. */
  responseStatus?: Status;
  /**
   * Object in the request, as JSON and as the client sent it: before conversion, defaulting and admission. For a patch
   * it is the patch. Recorded at the levels `Request` and `RequestResponse`, for resources only.
   */
  requestObject?: RawObject;
  /**
   * Object in the response, as JSON and in the version the client asked for. Recorded at the level `RequestResponse`,
   * for resources only.
   */
  responseObject?: RawObject;
  /** Time at which the API server received the request, in microseconds. */
  requestReceivedTimestamp?: MicroTime & Always;
  /** Time at which the request reached this stage, in microseconds. */
  stageTimestamp?: MicroTime & Always;
  /**
   * Annotations that admission, authorization and authentication added, such as `authorization.k8s.io/decision`. They
   * are not the annotations of the object.
   */
  annotations?: Record<string, string>;
}

/** Object or resource that an audited request is about. */
export interface ObjectReference {
  /** Plural name of the resource, such as `pods`. */
  resource?: string & OmitZero;
  /** Namespace of the object. Unset for objects without a namespace. */
  namespace?: string & OmitZero;
  /** Name of the object. Unset for requests about several objects, such as `list`. */
  name?: string & OmitZero;
  /** UID of the object, if the request contains it. */
  uid?: string & OmitZero;
  /** API group of the resource. Unset for the core group. */
  apiGroup?: string & OmitZero;
  /** Version of the group in the request, such as `v1`. */
  apiVersion?: string & OmitZero;
  /** Resource version of the object, if the request contains it. */
  resourceVersion?: string & OmitZero;
  /** Name of the subresource, such as `status`. Unset for requests for the object itself. */
  subresource?: string & OmitZero;
}

/** List of audit events, as sent to an audit webhook. */
export type EventList = ListOf<Event>;

export const event = configKind<Event>({});

export const eventList = configKind<EventList>({});
