import {
  CasFailedError,
  CompactedError,
  CorruptError,
  FutureRevisionError,
  NoSpaceError,
  StoreError,
  type StoreErrorCode,
  StoreLostError,
  UnavailableError,
} from "../errors.ts";

/** A StoreError as JSON. The value of an entry is base64, which is acceptable because conflicts are rare. */
interface ErrorData {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly key?: string;
  readonly current?: { readonly value: string; readonly createRevision: number; readonly modRevision: number };
  readonly revisions?: readonly number[];
  readonly maybeApplied?: boolean;
}

/** Encodes the error of a store for another process. */
export function encodeStoreError(error: unknown): ErrorData {
  if (!(error instanceof StoreError)) return { code: "Unavailable", message: String(error), maybeApplied: true };
  const { code, message } = error;
  if (error instanceof CasFailedError) {
    const { key, current } = error;
    if (current === undefined) return { code, message, key };
    const { value, createRevision, modRevision } = current;
    return { code, message, key, current: { value: base64(value), createRevision, modRevision } };
  }
  if (error instanceof CompactedError) return { code, message, revisions: [error.compactRevision] };
  if (error instanceof FutureRevisionError) return { code, message, revisions: [error.requested, error.current] };
  if (error instanceof CorruptError) return { code, message: message.slice(error.key.length + 2), key: error.key };
  if (error instanceof UnavailableError) return { code, message, maybeApplied: error.maybeApplied };
  return { code, message };
}

/** Restores the error that `encodeStoreError` was called with. */
export function decodeStoreError(data: unknown): StoreError {
  const { code, message, key = "", current, revisions: [first = 0, second = 0] = [], maybeApplied } = data as ErrorData;
  switch (code) {
    case "CasFailed":
      return new CasFailedError(key, current && { ...current, key, value: Buffer.from(current.value, "base64") });
    case "Compacted":
      return new CompactedError(first);
    case "FutureRevision":
      return new FutureRevisionError(first, second);
    case "Corrupt":
      return new CorruptError(key, message);
    case "Unavailable":
      return new UnavailableError(message, { maybeApplied: maybeApplied ?? false });
    case "NoSpace":
      return new NoSpaceError(message);
    case "Lost":
      return new StoreLostError(message);
    default:
      return new StoreError(code, message);
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
