import { StoreError } from "./errors.ts";

/**
 * The largest request that etcd takes, its `--max-request-bytes` by default: what Kubernetes' clusters can hold, the embedded store holds, and
 * nothing larger. A request is the value as Kubernetes stores it, the key and what stands around them.
 */
export const MAX_REQUEST_BYTES = 1.5 * 1024 * 1024;
/** The largest message that Kubernetes' client of etcd sends: it refuses larger ones itself, with another error. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;
/** Tags, lengths, the revision compared and the header of the request. */
const AROUND_BYTES = 48;

/** Throws etcd's error for a value of that size, which kube-apiserver passes on. `expected` is 0 where the key must be absent. */
export function checkRequestSize(key: string, valueBytes: number, expected: number): void {
  // The key is compared and written; after a failed update the object is read, too.
  const keys = expected === 0 ? 2 : 3;
  const bytes = valueBytes + keys * Buffer.byteLength(key) + AROUND_BYTES;
  if (bytes <= MAX_REQUEST_BYTES) return;
  if (bytes <= MAX_SENT_BYTES) throw new StoreError("TooLarge", "etcdserver: request is too large");
  const problem = `trying to send message larger than max (${bytes} vs. ${MAX_SENT_BYTES})`;
  throw new StoreError("TooLarge", `rpc error: code = ResourceExhausted desc = ${problem}`);
}
