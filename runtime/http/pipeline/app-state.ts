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
  /** Owner of the budgets to which the request is charged. */
  owner: BudgetOwner;
  /** The slot of the request among those in flight; undefined if it needs none. */
  slot: HeldSlot | undefined;
  /** Time limit of the request in milliseconds; 0 means no limit. */
  limitMs: number;
  /** Set while the request waits for its client: ends the wait. */
  cancel: (() => void) | undefined;
  /** Contents of Warning headers, in order and without duplicates. */
  warnings: Set<string>;
  auditId: string;
  /** Audit annotations from before the audit trail began. */
  annotations: Readonly<Record<string, string>> | undefined;
  /** Set for requests that the audit policy records. */
  trail: AuditedRequest | undefined;
  /** When the request arrived, in milliseconds of a monotonic clock. */
  started: number;
  /** Milliseconds that the request has waited for webhooks. */
  waitedMs: number;
  /** Length of the request body; undefined if it was not read. */
  receivedBytes: number | undefined;
  /** Bytes of the response body that have been sent so far. */
  sentBytes: number;
  /** Whether the server terminated the request in self-defense. */
  terminated: boolean;
}

/** Node's request, for its headers and its body only: method and target are in `state.info`. */
export type IncomingRequest = Omit<IncomingMessage, "method" | "url">;

/** The part of Koa's context that may be used: the rest would parse the request again. */
export interface AppContext {
  readonly req: IncomingRequest;
  readonly res: ServerResponse;
  readonly state: AppState;
  /** If false, Koa does not write the response. */
  respond?: boolean;
  set(header: string, value: string): void;
}

export type Next = () => Promise<unknown>;

/** An upgrade request, with its socket. */
export interface UpgradeRequest extends IncomingMessage {
  upgrade?: { readonly socket: Duplex; readonly head: Buffer };
}

/** Node's response, for lists and watches, which write to it piece by piece. */
export function rawResponse(ctx: AppContext): ServerResponse {
  ctx.respond = false;
  return ctx.res;
}
