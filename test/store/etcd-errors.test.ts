import { status } from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { toStatusError } from "../../runtime/handlers/translate-errors.ts";
import { MemberFailure, storeError } from "../../runtime/store/etcd/etcd-errors.ts";

it.each([
  [status.INVALID_ARGUMENT, "etcdserver: request is too large", "etcdserver: request is too large"],
  [
    status.RESOURCE_EXHAUSTED,
    "grpc: received message larger than max (2200000 vs. 2097152)",
    "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2200000 vs. 2097152)",
  ],
])(
  "an object that is too large for etcd is refused with its message, as by kube-apiserver",
  (code, details, message) => {
    const error = storeError(new MemberFailure("127.0.0.1:2379", { code, details }), {
      currentRevision: 1,
      isWrite: true,
    });
    expect(error.code).toBe("TooLarge");
    expect(toStatusError(error).status).toMatchObject({ status: "Failure", code: 500, message });
    expect(toStatusError(error).status.reason ?? "").toBe("");
  },
);
