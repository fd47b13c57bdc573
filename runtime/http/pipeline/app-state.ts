import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { AuditedRequest } from "../../audit/request-trail.ts";
import type { RequestInfo } from "../../contract/request-info.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { BudgetOwner } from "./budget.ts";
import type { Slot } from "./slots.ts";

/** What one request gathers on its way through the app. */
export interface AppState {
  /** The request as it was read. Nothing looks at its method, target or query elsewhere. */
  readonly info: RequestInfo;
  user: UserInfo;
  /** Whom the request is counted for. */
  owner: BudgetOwner;
  /** Its place among the requests that are worked on; undefined where it needs none. */
  slot: Slot | undefined;
  /** Set while the request waits for its client: ends the waiting. */
  cancel: (() => void) | undefined;
  /** Texts of Warning headers, in order, each once. */
  warnings: Set<string>;
  auditId: string;
  /** Of requests that the audit policy wants written down. */
  trail: AuditedRequest | undefined;
  /** When it came in, in milliseconds of a clock that never goes back. */
  started: number;
  /** Milliseconds of it that were spent waiting for webhooks. */
  waitedMs: number;
  /** Length of the body; undefined if it was not read. */
  receivedBytes: number | undefined;
  /** How long its answer is, as far as it is sent. */
  sentBytes: number;
  /** Whether it was given up for the server's own sake. */
  terminated: boolean;
}

/** The message below Koa, for its headers and its body: method and target are in `state.info`. */
export type IncomingRequest = Omit<IncomingMessage, "method" | "url">;

/** What of Koa's context may be used: the rest would read the request a second time. */
export interface AppContext {
  readonly req: IncomingRequest;
  readonly res: ServerResponse;
  readonly state: AppState;
  /** False: the response is written by hand. */
  respond?: boolean;
  set(header: string, value: string): void;
}

export type Next = () => Promise<unknown>;

/** A request to switch protocols brings its socket along. */
export interface UpgradeRequest extends IncomingMessage {
  upgrade?: { readonly socket: Duplex; readonly head: Buffer };
}

/** The response below Koa: lists and watches write to it piece by piece. */
export function rawResponse(ctx: AppContext): ServerResponse {
  ctx.respond = false;
  return ctx.res;
}
