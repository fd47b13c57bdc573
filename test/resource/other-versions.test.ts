import { beforeAll, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { define, definitionWith } from "../kinds/custom/definitions.ts";

const { call } = servePlane();

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { [`in${name}`]: { type: "string" } } } },
    },
  },
});

beforeAll(() => define(call, definitionWith("sloes", "Sloe", [version("v1", true), version("v2", false)])));

const SLOE = {
  path: "/apis/example.com/v2/namespaces/default/sloes",
  body: { apiVersion: "example.com/v1", kind: "Sloe", metadata: { name: "a" }, spec: { inv1: "x", inv2: "x" } },
  mismatch: "the API version in the data (example.com/v1) does not match the expected API version (example.com/v2)",
  unknown: ["spec.inv2"],
};
const AUTOSCALER = {
  path: "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
  body: {
    apiVersion: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "a" },
    spec: { maxReplicas: 1, metrics: [] },
    more: 1,
  },
  mismatch: "the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)",
  unknown: ["spec.metrics", "more"],
};
const EVENT = {
  path: "/apis/events.k8s.io/v1/namespaces/default/events",
  body: { apiVersion: "v1", kind: "Event", metadata: { name: "a" }, status: {} },
  mismatch: "the API version in the data (v1) does not match the expected API version (events.k8s.io/v1)",
  unknown: ["status"],
};

it.each([SLOE, AUTOSCALER, EVENT])(
  "a body of another version is decoded before it is refused: $path",
  async (given) => {
    const { path, body, mismatch, unknown } = given;
    for (const [method, at] of [
      ["POST", path],
      ["PUT", `${path}/a`],
    ] as const) {
      const ignored = await call(method, `${at}?fieldValidation=Ignore`, { body });
      expect(ignored.status).toBe(400);
      expect(ignored.body.message).toBe(mismatch);
      expect(ignored.headers.warning).toBeUndefined();
      const warned = await call(method, at, { body });
      expect(warned.body.message).toBe(mismatch);
      expect(warned.headers.warning).toBe(unknown.map((field) => `299 - "unknown field \\"${field}\\""`).join(", "));
      const strict = await call(method, `${at}?fieldValidation=Strict`, { body });
      expect(strict.status).toBe(400);
      expect(strict.body.message).toBe(
        `${body.kind} in version "v1" cannot be handled as a ${body.kind}: strict decoding error: ${unknown.map((field) => `unknown field "${field}"`).join(", ")}`,
      );
    }
  },
);

it("an error of decoding in the version of the body comes before the mismatch", async () => {
  const body = { ...AUTOSCALER.body, spec: { maxReplicas: "many" } };
  const { body: status } = await call("POST", AUTOSCALER.path, { body });
  expect(status.message).toBe(
    'HorizontalPodAutoscaler in version "v1" cannot be handled as a HorizontalPodAutoscaler: json: cannot unmarshal string into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32',
  );
});
