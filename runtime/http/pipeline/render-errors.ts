import { EarlyFailure, StatusError, TooBusy } from "../../contract/status.ts";
import { goQuote } from "../../go/quote.ts";
import { toStatusError } from "../../handlers/translate-errors.ts";
import { isPretty } from "../negotiate/is-pretty.ts";
import { negotiateClauses, type Representation } from "../negotiate/negotiate.ts";
import type { EncodingContext } from "../respond/encode-object.ts";
import { sendText } from "../respond/plain-text.ts";
import { noteStatus, sendStatus } from "../respond/respond.ts";
import type { AppContext, Next } from "./app-state.ts";
import { type Budget, budgetOwner } from "./budget.ts";

export interface ErrorContext extends EncodingContext {
  /** Budget for bytes of responses that clients have not read. Errors count too: they quote the request and may be long. */
  readonly unread: Budget;
  /** Called with unexpected errors. */
  readonly onUnexpected: (error: unknown, path: string) => void;
}

/** Outer middleware: sends every error as a Status in a format that the client accepts. */
export function renderErrors(context: ErrorContext) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const failure = toStatusError(error, context.types.metaGroup);
      // A full disk (507) has the same reason, but its own metrics and alerts.
      if (!(error instanceof StatusError) && failure.status.reason === "InternalError" && failure.httpStatus === 500) {
        context.onUnexpected(error, ctx.state.info.path);
        ctx.state.trail?.fails(error);
      }
      if (ctx.res.headersSent) {
        ctx.respond = false;
        ctx.res.destroy();
        return;
      }
      if (failure instanceof EarlyFailure) {
        const said = `Internal Server Error: ${goQuote(ctx.state.info.uri)}: ${failure.message}\n`;
        await sendText(ctx, 500, said.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
        return;
      }
      if (failure instanceof TooBusy) await sendBusy(ctx, failure);
      else await sendFailure(ctx, failure, context);
    }
  };
}

const UNAUTHENTICATED = { name: "system:anonymous", groups: [] };

function sendBusy(ctx: AppContext, failure: TooBusy): Promise<void> {
  return sendText(ctx, failure.httpStatus, `${failure.message}\n`, errorHeaders(failure));
}

/** Sends the Status, or 429 instead if the user has too many unread responses. */
async function sendFailure(ctx: AppContext, failure: StatusError, context: ErrorContext): Promise<void> {
  const { status, httpStatus } = failure;
  const { state } = ctx;
  // Impersonation may be refused before an owner is set.
  state.owner ??= budgetOwner(state.user ?? UNAUTHENTICATED);
  try {
    const negotiated = errorFormat(ctx, context);
    // As in Kubernetes, the audit event contains only the status code if the client does not accept the response.
    if (negotiated !== undefined) noteStatus(ctx, status);
    const format = negotiated ?? { format: "json", pretty: true };
    await sendStatus(ctx, status, httpStatus, format, context, errorHeaders(failure));
  } catch (error) {
    if (!(error instanceof TooBusy)) throw error;
    await sendBusy(ctx, error);
  }
}

/** JSON, unless the Accept header prefers another supported format. Undefined if it names no supported one. */
function errorFormat(ctx: AppContext, context: ErrorContext): Representation | undefined {
  const accept = ctx.req.headers.accept ?? "";
  const rules = { watch: false, transforms: false };
  const found = accept === "" ? undefined : negotiateClauses(accept, context.types, rules);
  if (found === undefined && accept !== "") return undefined;
  return { format: found?.format ?? "json", pretty: isPretty(ctx, found?.pretty ?? false) };
}

function errorHeaders({ status }: StatusError): Record<string, string> {
  const seconds = status.details?.retryAfterSeconds;
  const headers: Record<string, string> = {};
  if (seconds !== undefined && seconds > 0) {
    headers["Retry-After"] = String(seconds);
  }
  return headers;
}
