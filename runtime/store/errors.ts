import type { StoreEntry } from "./store.ts";

/** Codes of store errors. Codes are stable; messages are for humans. */
export type StoreErrorCode =
  | "CasFailed"
  | "Compacted"
  | "FutureRevision"
  | "Unavailable"
  | "NoSpace"
  | "TooLarge"
  | "Corrupt"
  | "Unconvertible"
  | "Closed"
  | "Denied"
  | "Locked"
  | "Lost"
  | "NotWritable"
  | "UnknownFormat";

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/**
 * The largest request that etcd accepts, the default of its `--max-request-bytes`. The embedded store has the same limit, so that it
 * accepts the same objects as a cluster of Kubernetes. A request contains the value as Kubernetes stores it, the key and their framing.
 */
export const MAX_REQUEST_BYTES = 1.5 * 1024 * 1024;

/** Whether the store refused a value because of its size. Nothing was written. */
export function isTooLarge(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === "TooLarge";
}

/** The value of an object is larger than etcd accepts. */
export class TooLargeError extends StoreError {
  /** The error for the same object without managedFields. Undefined if that object is small enough or its size is unknown. */
  readonly withoutOwners: TooLargeError | undefined;

  constructor(message: string, withoutOwners?: TooLargeError) {
    super("TooLarge", message);
    this.withoutOwners = withoutOwners;
  }
}

export function notWritable(directory: string, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError("NotWritable", `the data directory ${directory} cannot be written: ${reason}`, { cause });
}

/** The key was not at the expected revision. `current` is its durable state; undefined if it does not exist. */
export class CasFailedError extends StoreError {
  readonly key: string;
  readonly current: StoreEntry | undefined;

  constructor(key: string, current: StoreEntry | undefined) {
    super("CasFailed", `${key} is at revision ${current?.modRevision ?? 0}, not at the expected one`);
    this.key = key;
    this.current = current;
  }
}

/** The requested history was compacted. `compactRevision` is the oldest revision that can still be read. */
export class CompactedError extends StoreError {
  readonly compactRevision: number;

  constructor(compactRevision: number, options?: { cause?: unknown }) {
    super("Compacted", `the required revision has been compacted; the oldest available is ${compactRevision}`, options);
    this.compactRevision = compactRevision;
  }
}

/** The requested revision does not exist yet. */
export class FutureRevisionError extends StoreError {
  readonly requested: number;
  readonly current: number;

  constructor(requested: number, current: number, options?: { cause?: unknown }) {
    super("FutureRevision", `revision ${requested} is in the future; the current one is ${current}`, options);
    this.requested = requested;
    this.current = current;
  }
}

/**
 * The store cannot be reached or did not respond in time. `maybeApplied`: the failed write may have been applied, so the caller must read
 * before it retries.
 */
export class UnavailableError extends StoreError {
  readonly maybeApplied: boolean;

  constructor(message: string, options?: { cause?: unknown; maybeApplied?: boolean }) {
    super("Unavailable", message, options);
    this.maybeApplied = options?.maybeApplied ?? false;
  }
}

/** The write did not fit on the disk or in the store's quota. Nothing was changed; reads continue to work. */
export class NoSpaceError extends StoreError {
  constructor(message = "the store has no space left for writes", options?: { cause?: unknown }) {
    super("NoSpace", message, options);
  }
}

/** One stored value cannot be decoded. Only reads of that key fail. */
export class CorruptError extends StoreError {
  readonly key: string;

  constructor(key: string, message: string, options?: { cause?: unknown }) {
    super("Corrupt", `${key}: ${message}`, options);
    this.key = key;
  }
}

/** Values cannot be converted between versions at present, or the conversion webhook cannot convert them. Nothing was changed. */
export class UnconvertibleError extends StoreError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("Unconvertible", message, options);
  }
}

/** This process cannot use the data any more: another process must open it again. */
export class StoreLostError extends StoreError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("Lost", message, options);
  }
}

/** The data was written by another version of this program. */
export class UnknownFormatError extends StoreError {
  /** The format of the data; undefined if it has none. */
  readonly found: number | undefined;

  constructor(message: string, found: number | undefined) {
    super("UnknownFormat", message);
    this.found = found;
  }
}
