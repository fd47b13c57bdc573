import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();
const CORE = "/api/v1/namespaces/default";
const create = (name: string, spec: object) =>
  call("POST", `${CORE}/pods`, {
    body: { metadata: { name }, spec: { containers: [{ name: "a", image: "a" }], ...spec } },
  });

beforeAll(async () => {
  await call("POST", `${CORE}/serviceaccounts`, { body: { metadata: { name: "default" } } });
  await call("POST", "/apis/node.k8s.io/v1/runtimeclasses", {
    body: { metadata: { name: "small" }, handler: "small", scheduling: { nodeSelector: { size: "small" } } },
  });
});

describe("RuntimeClass", () => {
  it("removes redundant tolerations of a pod even if the class has none", async () => {
    const any = { key: "a", operator: "Exists" };
    const tolerations = [any, { key: "a", operator: "Equal", value: "b", effect: "NoSchedule" }, any];
    const { body } = await create("tolerant", { runtimeClassName: "small", tolerations });
    expect(body.spec.nodeSelector).toEqual({ size: "small" });
    expect(body.spec.tolerations.filter(({ key }: { key: string }) => key === "a")).toEqual([any]);
    const plain = await create("plain", { tolerations });
    expect(plain.body.spec.tolerations).toHaveLength(5);
  });

  it("refuses an empty overhead of a pod without a class that defines one", async () => {
    expect((await create("heavy", { overhead: {} })).body).toMatchObject({
      code: 403,
      message:
        'pods "heavy" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    });
  });

  it("cannot look up a class with an empty name", async () => {
    const { status, body } = await create("nameless", { runtimeClassName: "" });
    expect([status, body]).toEqual([
      500,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "resource name may not be empty",
        code: 500,
      },
    ]);
  });
});
