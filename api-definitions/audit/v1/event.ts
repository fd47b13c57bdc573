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
  level: Level;
  auditID: string;
  stage: Stage;
  requestURI: string;
  verb: string;
  user: UserInfo;
  impersonatedUser?: UserInfo;
  sourceIPs?: ListAtomic<string>;
  userAgent?: string & OmitZero;
  objectRef?: ObjectReference;
  responseStatus?: Status;
  requestObject?: RawObject;
  responseObject?: RawObject;
  requestReceivedTimestamp?: MicroTime & Always;
  stageTimestamp?: MicroTime & Always;
  annotations?: Record<string, string>;
}

export interface ObjectReference {
  resource?: string & OmitZero;
  namespace?: string & OmitZero;
  name?: string & OmitZero;
  uid?: string & OmitZero;
  apiGroup?: string & OmitZero;
  apiVersion?: string & OmitZero;
  resourceVersion?: string & OmitZero;
  subresource?: string & OmitZero;
}

/** Many audit events, as webhooks receive them. */
export type EventList = ListOf<Event>;

export const event = configKind<Event>({});

export const eventList = configKind<EventList>({});
