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

/** What was asked of the API by whom, and how it ended. */
export interface Event extends TypeMeta {
  /** How much detail it has. */
  level: Level;
  /** Id of the request. */
  auditID: string;
  /** How far the request was. */
  stage: Stage;
  /** What was asked for. */
  requestURI: string;
  /** What was to be done. */
  verb: string;
  /** Who asked. */
  user: UserInfo;
  /** Who the asker pretended to be. */
  impersonatedUser?: UserInfo;
  /** Where the request came from, and through whom. */
  sourceIPs?: ListAtomic<string>;
  /** What the client calls itself. */
  userAgent?: string & OmitZero;
  /** The object it was about. */
  objectRef?: ObjectReference;
  /** How the request ended. */
  responseStatus?: Status;
  /** The object in the request. */
  requestObject?: RawObject;
  /** The object in the answer. */
  responseObject?: RawObject;
  /** When the request came. */
  requestReceivedTimestamp?: MicroTime & Always;
  /** When it came to this stage. */
  stageTimestamp?: MicroTime & Always;
  /** Notes of plugins. */
  annotations?: Record<string, string>;
}

/** The object a request was about. */
export interface ObjectReference {
  /** Its resource. */
  resource?: string & OmitZero;
  /** Its namespace. */
  namespace?: string & OmitZero;
  /** Its name. */
  name?: string & OmitZero;
  /** Its uid. */
  uid?: string & OmitZero;
  /** Its group. */
  apiGroup?: string & OmitZero;
  /** Its version. */
  apiVersion?: string & OmitZero;
  /** The version meant. */
  resourceVersion?: string & OmitZero;
  /** The subresource. */
  subresource?: string & OmitZero;
}

/** Many audit events, as webhooks receive them. */
export type EventList = ListOf<Event>;

export const event = configKind<Event>({});

export const eventList = configKind<EventList>({});
