import { StatusError } from "../contract/status.ts";
import { toStatusError } from "../handlers/translate-errors.ts";
import type { AppContext, Next } from "./app-state.ts";
import type { EncodingContext } from "./encode-object.ts";
import { negotiateClauses, type Representation } from "./negotiate.ts";
import { sendStatus } from "./respond.ts";

export interface ErrorContext extends EncodingContext {
  /** Told of failures nobody foresaw. */
  readonly onUnexpected: (error: unknown, path: string) => void;
}

/** Outermost: whatever goes wrong becomes a Status in a format the client accepts. */
export function renderErrors(context: ErrorContext) {
  return async (ctx: AppContext, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const failure = toStatusError(error, context.types.metaGroup);
      if (!(error instanceof StatusError) && failure.status.reason === "InternalError") {
        context.onUnexpected(error, ctx.path);
        ctx.state.trail?.fails(error);
      }
      if (ctx.res.headersSent) {
        ctx.respond = false;
        ctx.res.destroy();
        return;
      }
      await sendStatus(
        ctx,
        failure.status,
        failure.httpStatus,
        errorFormat(ctx, context),
        context,
        errorHeaders(failure),
      );
    }
  };
}

/** JSON, unless the client clearly prefers another format we speak. */
function errorFormat(ctx: AppContext, context: ErrorContext): Representation {
  const accept = ctx.req.headers.accept ?? "";
  const plain: Representation = { format: "json", pretty: false };
  if (accept === "") {
    return plain;
  }
  const found = negotiateClauses(accept, context.types, { watch: false, transforms: false });
  return found === undefined ? plain : { format: found.format, pretty: found.pretty };
}

function errorHeaders({ status }: StatusError): Record<string, string> {
  const seconds = status.details?.retryAfterSeconds;
  const headers: Record<string, string> = {};
  if (seconds !== undefined && seconds > 0) {
    headers["Retry-After"] = String(seconds);
  }
  return headers;
}
