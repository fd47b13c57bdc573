import type { Log } from "./log.ts";

/** Where an error came from: a request, a timer, a promise that nothing awaits. */
export type OnUnexpected = (source: string, error: unknown) => void;

export interface UnexpectedErrorParts {
  readonly log: Log;
  /** Counts every one of them. */
  readonly count: (source: string) => void;
  readonly monotonic: () => number;
}

/** Errors that look the same are logged once in this time, with the number of those that were left out. */
const QUIET_MS = 1000;
/** Most kinds of errors that are told apart. */
const MAX_KINDS = 100;

interface Repeated {
  loggedAt: number;
  leftOut: number;
}

/**
 * Handles unexpected errors: each is counted, and logged with its stack, not so often that a peer that causes them
 * on purpose can flood the log.
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

/** The place it was thrown at: messages may hold what a peer sent. */
function kindOf(source: string, error: unknown): string {
  if (!(error instanceof Error)) return source;
  const at = /^ +at .*/m.exec(error.stack ?? "")?.[0] ?? "";
  return `${source} ${error.name} ${(error as NodeJS.ErrnoException).code ?? ""} ${at}`;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
