import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { AuditedRequest } from "../../audit/request-trail.ts";
import type { RequestInfo } from "../../contract/request-info.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { BudgetOwner } from "./budget.ts";
import type { HeldSlot } from "./slots.ts";

/** State of one request. */
export interface AppState {
  /** The parsed request: the only source of method, target and query. */
  readonly info: RequestInfo;
  user: UserInfo;
  /** Owner of the budgets that the request counts against. */
  owner: BudgetOwner;
  /** Its slot among the requests in flight; undefined if it needs none. */
  slot: HeldSlot | undefined;
  /** Milliseconds that the request may take; 0 is no limit. */
  limitMs: number;
  /** Set while the request waits for its client: ends the waiting. */
  cancel: (() => void) | undefined;
  /** Texts of Warning headers, in order, each once. */
  warnings: Set<string>;
  auditId: string;
  /** Annotations from before there was a trail. */
  annotations: Readonly<Record<string, string>> | undefined;
  /** Set for requests that the audit policy records. */
  trail: AuditedRequest | undefined;
  /** When it arrived, in milliseconds of a monotonic clock. */
  started: number;
  /** Milliseconds of it that were spent waiting for webhooks. */
  waitedMs: number;
  /** Length of the body; undefined if it was not read. */
  receivedBytes: number | undefined;
  /** Length of the response body, as far as it is sent. */
  sentBytes: number;
  /** Whether the server terminated it in self-defense. */
  terminated: boolean;
}

/** Node's request, for its headers and its body: method and target are in `state.info`. */
export type IncomingRequest = Omit<IncomingMessage, "method" | "url">;

/** The part of Koa's context that may be used: the rest would parse the request a second time. */
export interface AppContext {
  readonly req: IncomingRequest;
  readonly res: ServerResponse;
  readonly state: AppState;
  /** False: Koa does not write the response. */
  respond?: boolean;
  set(header: string, value: string): void;
}

export type Next = () => Promise<unknown>;

/** An upgrade request, with its socket. */
export interface UpgradeRequest extends IncomingMessage {
  upgrade?: { readonly socket: Duplex; readonly head: Buffer };
}

/** Node's response: lists and watches write to it piece by piece. */
export function rawResponse(ctx: AppContext): ServerResponse {
  ctx.respond = false;
  return ctx.res;
}
