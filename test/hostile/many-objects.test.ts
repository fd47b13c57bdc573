import { describe, expect, it } from "vitest";
import { limitObjectsSteps } from "../../runtime/resource/limit-objects.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const PODS = "/api/v1/namespaces/default/pods";
const SERVICES = "/api/v1/namespaces/default/services";
const POLICIES = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
const TOO_MANY = {
  status: 413,
  message: "Request entity too large: the object has more than 100000 objects in it",
};

const empty = (count: number) => Array.from({ length: count }, () => ({}));
const inJson = (value: unknown) => ["application/json", JSON.stringify(value)] as const;

/** Protobuf of a pod whose spec has a million containers, of two bytes each. */
function emptyContainers(): Buffer {
  const field = (number: number, bytes: Buffer) => {
    const length: number[] = [];
    for (let rest = bytes.length; ; rest >>>= 7) {
      if (rest < 0x80) return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), bytes]);
      length.push((rest & 0x7f) | 0x80);
    }
  };
  const type = Buffer.concat([field(1, Buffer.from("v1")), field(2, Buffer.from("Pod"))]);
  const containers = Buffer.alloc(2_000_000).fill(Buffer.from([(2 << 3) | 2, 0]));
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, field(2, containers))]);
}

/* An empty entry takes two or three bytes of a body. Validating a million of them would block the event loop for seconds. */
describe("an object of a built-in kind with more than 100,000 objects in it is refused", () => {
  const { call } = servePlane();
  const send = async (method: string, path: string, type: string, body: unknown) => {
    const answer = await call(method, path, { type, body });
    return { status: answer.status, message: answer.body.message };
  };

  it.each<[string, string, readonly [string, unknown]]>([
    ["containers", PODS, inJson({ metadata: { name: "a" }, spec: { containers: empty(900_000) } })],
    ["null containers", PODS, ["application/json", `{"spec":{"containers":[${"null,".repeat(500_000)}null]}}`]],
    ["containers in protobuf", PODS, ["application/vnd.kubernetes.protobuf", emptyContainers()]],
    ["ports of a Service", SERVICES, inJson({ metadata: { name: "a" }, spec: { ports: empty(900_000) } })],
    ["owners", CONFIG_MAPS, inJson({ metadata: { name: "a", ownerReferences: empty(900_000) } })],
    ["rules of a policy", POLICIES, inJson({ metadata: { name: "a" }, spec: { egress: empty(100_000) } })],
  ])("when it is created: %s", async (_, path, [type, body]) => {
    expect(await send("POST", path, type, body)).toEqual(TOO_MANY);
  });

  it("when it is replaced, patched or applied", async () => {
    const of = (count: number) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "b" },
      spec: { podSelector: {}, egress: empty(count) },
    });
    expect((await send("POST", POLICIES, ...inJson(of(10)))).status).toBe(201);
    const path = `${POLICIES}/b`;
    expect(await send("PUT", path, ...inJson(of(100_000)))).toEqual(TOO_MANY);
    const [, merge] = inJson({ spec: { egress: empty(100_000) } });
    expect(await send("PATCH", path, "application/merge-patch+json", merge)).toEqual(TOO_MANY);
    expect(await send("PATCH", path, "application/strategic-merge-patch+json", merge)).toEqual(TOO_MANY);
    const apply = `${path}?fieldManager=a&force=true`;
    expect(await send("PATCH", apply, "application/apply-patch+yaml", inJson(of(100_000))[1])).toEqual(TOO_MANY);
    expect((await send("PUT", path, ...inJson(of(99_000)))).status).toBe(200);
  });

  it("when a small patch copies a list again and again", async () => {
    const spec = { podSelector: {}, ingress: empty(30_000) };
    expect((await send("POST", POLICIES, ...inJson({ metadata: { name: "c" }, spec }))).status).toBe(201);
    const copies = Array.from({ length: 4 }, (_, index) => ({
      op: "copy",
      from: "/spec/ingress",
      path: `/spec/copy${index}`,
    }));
    const answer = await send("PATCH", `${POLICIES}/c`, "application/json-patch+json", JSON.stringify(copies));
    expect(answer).toEqual(TOO_MANY);
  });
});

it("the keys of one object are looked at in several steps", () => {
  const object = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, 1]));
  expect([...limitObjectsSteps(object)]).toHaveLength(5);
});
