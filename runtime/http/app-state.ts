import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ParameterizedContext } from "koa";
import type { AuditedRequest } from "../audit/request-trail.ts";
import type { RequestInfo } from "../contract/request-info.ts";
import type { UserInfo } from "../contract/user-info.ts";

/** What one request gathers on its way through the app. */
export interface AppState {
  info: RequestInfo;
  query: URLSearchParams;
  user: UserInfo;
  /** Texts of Warning headers, in order, each once. */
  warnings: Set<string>;
  auditId: string;
  /** Of requests that the audit policy wants written down. */
  trail: AuditedRequest | undefined;
  /** When it came in, in milliseconds of a clock that never goes back. */
  started: number;
  /** Milliseconds of it that were spent waiting for webhooks. */
  waitedMs: number;
  /** How long its body is; undefined where nobody read it. */
  receivedBytes: number | undefined;
  /** How long its answer is, as far as it is sent. */
  sentBytes: number;
  /** Whether it was given up for the server's own sake. */
  terminated: boolean;
}

export type AppContext = ParameterizedContext<AppState>;
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
