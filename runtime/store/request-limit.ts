import { MAX_REQUEST_BYTES, TooLargeError } from "./errors.ts";

/** The largest message that Kubernetes' etcd client sends. It refuses larger ones itself, with a different error. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;
/** Tags, lengths, the compared revision and the header of the request. */
const AROUND_BYTES = 48;

/** Size in bytes of a value as Kubernetes stores it. */
export interface ValueBytes {
  readonly all: number;
  /** Size without managedFields; absent if unknown. */
  readonly withoutOwners?: number | undefined;
}

/** Throws etcd's error, which kube-apiserver forwards, if the value is too large. `expected` is 0 if the key must not exist. */
export function checkRequestSize(key: string, bytes: ValueBytes, expected: number): void {
  const { all, withoutOwners } = bytes;
  const error = sizeError(key, all, expected);
  if (error === undefined) return;
  throw withoutOwners === undefined ? error : new TooLargeError(error.message, sizeError(key, withoutOwners, expected));
}

function sizeError(key: string, valueBytes: number, expected: number): TooLargeError | undefined {
  // The key is compared and written. After a failed update, the object is also read.
  const keys = expected === 0 ? 2 : 3;
  const bytes = valueBytes + keys * Buffer.byteLength(key) + AROUND_BYTES;
  if (bytes <= MAX_REQUEST_BYTES) return undefined;
  if (bytes <= MAX_SENT_BYTES) return new TooLargeError("etcdserver: request is too large");
  const problem = `trying to send message larger than max (${bytes} vs. ${MAX_SENT_BYTES})`;
  return new TooLargeError(`rpc error: code = ResourceExhausted desc = ${problem}`);
}
