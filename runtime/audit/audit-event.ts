import type { Status } from "../contract/status.ts";
import type { UserInfo } from "../contract/user-info.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { AuditLevel, AuditStage } from "./audit-policy.ts";
import { formatMicros } from "./micro-clock.ts";

/** The object of a request. */
export interface AuditedObject {
  resource: string;
  namespace: string;
  name: string;
  uid: string;
  apiGroup: string;
  apiVersion: string;
  resourceVersion: string;
  subresource: string;
}

/** The audit event of a request at one of its stages. Objects are JSON strings, times are in microseconds. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditID: string;
  stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  /** Undefined if the request could not be authenticated. */
  readonly user: UserInfo | undefined;
  impersonatedUser?: UserInfo;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  objectRef?: AuditedObject;
  responseStatus?: Partial<Omit<Status, "kind" | "apiVersion" | "metadata">>;
  requestObject?: string;
  responseObject?: string;
  readonly requestReceived: number;
  stageTime: number;
  readonly annotations: Map<string, string>;
}

/** Encodes the event as one line of JSON, of kind Event in `audit.<domain>/v1`. `apiVersion` is that version. */
export function eventJson(event: AuditEvent, apiVersion: string): string {
  return `{"kind":"Event","apiVersion":${JSON.stringify(apiVersion)},${eventFields(event)}}`;
}

/** Encodes the event as an item of an EventList, without apiVersion and kind. */
export function eventItemJson(event: AuditEvent): string {
  return `{${eventFields(event)}}`;
}

/** Encodes a list of events, given as results of `eventItemJson`. */
export function eventListJson(items: readonly string[], apiVersion: string): string {
  return `{"kind":"EventList","apiVersion":${JSON.stringify(apiVersion)},"metadata":{},"items":[${items.join(",")}]}\n`;
}

function eventFields(event: AuditEvent): string {
  let text = "";
  const put = (key: string, json: string | undefined): void => {
    if (json !== undefined) text += `${text === "" ? "" : ","}"${key}":${json}`;
  };
  put("level", JSON.stringify(event.level));
  put("auditID", stringifyJson(event.auditID));
  put("stage", JSON.stringify(event.stage));
  put("requestURI", stringifyJson(event.requestURI));
  put("verb", stringifyJson(event.verb));
  put("user", userJson(event.user));
  put("impersonatedUser", event.impersonatedUser && userJson(event.impersonatedUser));
  put("sourceIPs", event.sourceIPs.length > 0 ? stringifyJson(event.sourceIPs) : undefined);
  put("userAgent", event.userAgent === "" ? undefined : stringifyJson(event.userAgent));
  put("objectRef", event.objectRef && referenceJson(event.objectRef));
  put("responseStatus", event.responseStatus && statusJson(event.responseStatus));
  put("requestObject", event.requestObject);
  put("responseObject", event.responseObject);
  put("requestReceivedTimestamp", JSON.stringify(formatMicros(event.requestReceived)));
  put("stageTimestamp", JSON.stringify(formatMicros(event.stageTime)));
  put("annotations", event.annotations.size > 0 ? annotationsJson(event.annotations) : undefined);
  return text;
}

function userJson(user: UserInfo | undefined): string {
  if (user === undefined) return "{}";
  const { name, uid, groups, extra } = user;
  return stringifyJson({
    ...(name !== "" && { username: name }),
    ...(uid !== undefined && uid !== "" && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra !== undefined && Object.keys(extra).length > 0 && { extra: sorted(Object.entries(extra)) }),
  });
}

function referenceJson(reference: AuditedObject): string {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  const inOrder = { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource };
  return stringifyJson(Object.fromEntries(Object.entries(inOrder).filter(([, value]) => value !== "")));
}

function statusJson({ status, message, reason, details, code }: NonNullable<AuditEvent["responseStatus"]>): string {
  return stringifyJson({
    metadata: {},
    ...(status && { status }),
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    ...(code && { code }),
  });
}

function annotationsJson(annotations: ReadonlyMap<string, string>): string {
  return stringifyJson(sorted([...annotations]));
}

function sorted<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
