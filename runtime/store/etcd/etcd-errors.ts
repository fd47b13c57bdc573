import { status } from "@grpc/grpc-js";
import { CompactedError, FutureRevisionError, NoSpaceError, StoreError, UnavailableError } from "../errors.ts";

interface RpcFailure {
  readonly code: number;
  readonly details: string;
}

/** A failed call and its member. `cause` is the gRPC error. */
export class MemberFailure extends Error {
  readonly endpoint: string;

  constructor(endpoint: string, cause: unknown) {
    super(`a call to ${endpoint} failed`, { cause });
    this.endpoint = endpoint;
  }
}

/** Facts about a failed call, for messages that contain more than etcd's own. */
export interface CallContext {
  readonly requestedRevision?: number;
  readonly currentRevision: number;
  readonly isWrite: boolean;
}

/** Translates a failed call into a StoreError. */
export function storeError(failure: MemberFailure, context: CallContext): StoreError {
  const error = failure.cause;
  const { code, details } = error as RpcFailure;
  if (details?.includes("required revision has been compacted")) return new CompactedError(0, { cause: error });
  if (details?.includes("required revision is a future revision")) {
    return new FutureRevisionError(context.requestedRevision ?? 0, context.currentRevision, { cause: error });
  }
  if (details?.includes("database space exceeded")) {
    return new NoSpaceError("etcd has no space left: its database has reached its quota", { cause: error });
  }
  // Keeps the message of etcd, which kube-apiserver forwards to clients.
  if (details?.includes("request is too large")) return new StoreError("TooLarge", details, { cause: error });
  if (code === status.RESOURCE_EXHAUSTED && details?.includes("larger")) {
    // In kube-apiserver, the etcd client has the same limit and refuses the request first.
    const problem = details.replace("grpc: received message", "trying to send message");
    return new StoreError("TooLarge", `rpc error: code = ResourceExhausted desc = ${problem}`, { cause: error });
  }
  if (code === status.PERMISSION_DENIED)
    return new StoreError("Denied", `etcd at ${failure.endpoint} refuses the request: ${details}`, { cause: error });
  const reason = (details ?? String(error)).replace(/\.? Resolution note: *$/, "");
  return new UnavailableError(`etcd at ${failure.endpoint} is not available: ${reason}`, {
    cause: error,
    maybeApplied: context.isWrite && !wasNeverSent(error),
  });
}

/** Whether the call certainly did not reach a server: even a write may then be retried on another member. */
export function wasNeverSent(error: unknown): boolean {
  const { code, details } = error as RpcFailure;
  return code === status.UNAVAILABLE && /no connection established|failed to connect|name resolution/i.test(details);
}

/** Whether a retry on another member may succeed. */
export function isUnreachable(error: unknown): boolean {
  const { code } = error as RpcFailure;
  return code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED;
}
