import type { Log } from "./log.ts";

/** Called with an unexpected error and its source: a request, a timer, a promise that is not awaited. */
export type OnUnexpected = (source: string, error: unknown) => void;

export interface UnexpectedErrorParts {
  readonly log: Log;
  /** Counts each error. */
  readonly count: (source: string) => void;
  readonly monotonic: () => number;
}

/** Similar errors are logged at most once in this time, with the number of suppressed ones. */
const QUIET_MS = 1000;
/** Maximum number of kinds of errors that are distinguished. */
const MAX_KINDS = 100;

interface Repeated {
  loggedAt: number;
  leftOut: number;
}

/**
 * Creates a handler of unexpected errors. Each is counted. Errors are logged with their stack, at a limited rate, so that a peer that causes them
 * on purpose cannot flood the log.
 */
export function createUnexpectedErrors({ log, count, monotonic }: UnexpectedErrorParts): OnUnexpected {
  const kinds = new Map<string, Repeated>();
  return (source, error) => {
    count(source);
    const kind = kindOf(source, error);
    const now = monotonic();
    let repeated = kinds.get(kind);
    if (repeated === undefined) {
      if (kinds.size >= MAX_KINDS) kinds.clear();
      repeated = { loggedAt: Number.NEGATIVE_INFINITY, leftOut: 0 };
      kinds.set(kind, repeated);
    }
    if (now - repeated.loggedAt < QUIET_MS) {
      repeated.leftOut += 1;
      return;
    }
    const { leftOut } = repeated;
    repeated.loggedAt = now;
    repeated.leftOut = 0;
    log("error", `unexpected error (${source}): ${describe(error)}`, leftOut > 0 ? { leftOut } : undefined);
  };
}

/** Distinguishes errors by the location that threw them, because messages may contain data from a peer. */
function kindOf(source: string, error: unknown): string {
  if (!(error instanceof Error)) return source;
  const at = /^ +at .*/m.exec(error.stack ?? "")?.[0] ?? "";
  return `${source} ${error.name} ${(error as NodeJS.ErrnoException).code ?? ""} ${at}`;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
