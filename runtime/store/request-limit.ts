import { MAX_REQUEST_BYTES, TooLargeError } from "./errors.ts";

/** The largest message that Kubernetes' client of etcd sends: it refuses larger ones itself, with another error. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;
/** Tags, lengths, the revision compared and the header of the request. */
const AROUND_BYTES = 48;

/** Sizes of a value as Kubernetes stores it. */
export interface ValueBytes {
  readonly all: number;
  /** Without managedFields; absent if that is not known. */
  readonly withoutOwners?: number | undefined;
}

/** Throws etcd's error for a value of that size, which kube-apiserver passes on. `expected` is 0 where the key must be absent. */
export function checkRequestSize(key: string, bytes: ValueBytes, expected: number): void {
  const { all, withoutOwners } = bytes;
  const error = sizeError(key, all, expected);
  if (error === undefined) return;
  throw withoutOwners === undefined ? error : new TooLargeError(error.message, sizeError(key, withoutOwners, expected));
}

function sizeError(key: string, valueBytes: number, expected: number): TooLargeError | undefined {
  // The key is compared and written; after a failed update the object is read, too.
  const keys = expected === 0 ? 2 : 3;
  const bytes = valueBytes + keys * Buffer.byteLength(key) + AROUND_BYTES;
  if (bytes <= MAX_REQUEST_BYTES) return undefined;
  if (bytes <= MAX_SENT_BYTES) return new TooLargeError("etcdserver: request is too large");
  const problem = `trying to send message larger than max (${bytes} vs. ${MAX_SENT_BYTES})`;
  return new TooLargeError(`rpc error: code = ResourceExhausted desc = ${problem}`);
}
