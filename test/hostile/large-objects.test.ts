import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { longestTurn } from "./longest-turn.ts";

const GROUP = "large.example.com";
const SCHEMA = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { map: { type: "object", additionalProperties: { type: "string" } } } },
  },
};
const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `things.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } }],
  },
};

const map = (size: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`key-${index}`, "v"]));
const thingJson = (name: string, size: number) =>
  JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: "Thing", metadata: { name }, spec: { map: map(size) } });
const thingYaml = (name: string, size: number) => {
  const lines = Array.from({ length: size }, (_, index) => `    key-${index}: v\n`);
  return `apiVersion: ${GROUP}/v1\nkind: Thing\nmetadata:\n  name: n${name}\nspec:\n  map:\n${lines.join("")}`;
};
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const THINGS = `/apis/${GROUP}/v1/namespaces/default/things`;

describe("a valid object with tens of thousands of fields is handled in several turns of the event loop", () => {
  const { call } = servePlane();

  /** The largest share of the work in one turn, in the better of two attempts. */
  async function largestPart(send: (attempt: number) => Promise<{ readonly status: number }>): Promise<number> {
    const parts: number[] = [];
    for (const attempt of [1, 2]) {
      const { longest, total } = await longestTurn(async () => expect((await send(attempt)).status).toBeLessThan(300));
      parts.push(longest / total);
    }
    return Math.min(...parts);
  }
  let created = 0;
  const configMap = (name: string, data = map(20_000)) =>
    JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });

  it("when a ConfigMap is created", async () => {
    const bodies = ["", "a", "b"].map((name) => configMap(name));
    expect(await largestPart((attempt) => call("POST", CONFIG_MAPS, { body: bodies[attempt] }))).toBeLessThan(0.45);
  });

  it("when an object with many labels is posted to a subresource", async () => {
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    await call("POST", accounts, { body: JSON.stringify({ metadata: { name: "posted" } }) });
    const body = JSON.stringify({ metadata: { labels: map(30_000) } });
    expect(await largestPart(() => call("POST", `${accounts}/posted/token`, { body }))).toBeLessThan(0.45);
  });

  it("when a ConfigMap is replaced", async () => {
    await call("POST", CONFIG_MAPS, { body: configMap("replaced") });
    const bodies = ["", "v", "w"].map((value) => configMap("replaced", { ...map(20_000), other: value }));
    const part = await largestPart((attempt) => call("PUT", `${CONFIG_MAPS}/replaced`, { body: bodies[attempt] }));
    expect(part).toBeLessThan(0.45);
  });

  it("when one field of a large ConfigMap is patched", async () => {
    await call("POST", CONFIG_MAPS, { body: configMap("patched") });
    const part = await largestPart((attempt) =>
      call("PATCH", `${CONFIG_MAPS}/patched`, {
        type: "application/merge-patch+json",
        body: { data: { patched: `${attempt}` } },
      }),
    );
    expect(part).toBeLessThan(0.45);
  });

  it("when a custom object is created", async () => {
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: DEFINITION });
    await expect.poll(async () => (await call("GET", THINGS)).status).toBe(200);
    const bodies = ["", "a", "b"].map((name) =>
      JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: "Thing", metadata: { name }, spec: { map: map(15_000) } }),
    );
    expect(await largestPart((attempt) => call("POST", THINGS, { body: bodies[attempt] }))).toBeLessThan(0.45);
  });

  // On an idle machine no turn computes for 50 ms; others have a small part of its pace.
  it.each<[string, (name: string) => Promise<{ readonly status: number }>]>([
    ["a custom object of 20,000 strings in JSON", (name) => call("POST", THINGS, { body: thingJson(name, 20_000) })],
    [
      "a custom object of 20,000 strings in YAML",
      (name) => call("POST", THINGS, { type: "application/yaml", body: thingYaml(name, 20_000) }),
    ],
    ["a ConfigMap of 20,000 keys", (name) => call("POST", CONFIG_MAPS, { body: configMap(name) })],
    ["a request for YAML", () => call("GET", `${CONFIG_MAPS}/patched`, { headers: { Accept: "application/yaml" } })],
    ["a list as YAML", () => call("GET", `${CONFIG_MAPS}?limit=2`, { headers: { Accept: "application/yaml" } })],
    [
      "a SubjectAccessReview with 20,000 keys of extra",
      () => {
        const extra = Object.fromEntries(Object.keys(map(20_000)).map((key) => [key, ["v"]]));
        const spec = { user: "a", extra, resourceAttributes: { verb: "get", resource: "pods" } };
        return call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body: { spec } });
      },
    ],
    [
      "an EndpointSlice with 50,000 addresses",
      (name) => {
        const endpoints = Array.from({ length: 500 }, (_, i) => ({
          addresses: Array.from({ length: 100 }, (_, j) => `10.${i >> 8}.${i & 255}.${j}`),
        }));
        const body = { metadata: { name }, addressType: "IPv4", endpoints };
        return call("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", { body });
      },
    ],
  ])("so that none takes long: %s", async (_, send) => {
    // A repeated test creates other objects.
    const name = () => `large-${++created}`;
    let longest = Number.POSITIVE_INFINITY;
    for (let attempt = 1; attempt <= 3 && longest > 400; attempt++) {
      const work = async () => expect((await send(name())).status).toBeLessThan(300);
      longest = Math.min(longest, (await longestTurn(work)).longest);
    }
    expect(longest, "CPU time in ms").toBeLessThan(400);
  });

  it("when a CustomResourceDefinition with thousands of properties is created", async () => {
    const properties = Object.fromEntries(Object.keys(map(10_000)).map((name) => [name, { type: "string" }]));
    const bodies = ["", "a", "b"].map((name) => {
      const plural = `${name}s`;
      const versions = [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties } } },
      ];
      const spec = { ...DEFINITION.spec, names: { plural, singular: name, kind: plural.toUpperCase() }, versions };
      return JSON.stringify({ ...DEFINITION, metadata: { name: `${plural}.${GROUP}` }, spec });
    });
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    expect(await largestPart((attempt) => call("POST", definitions, { body: bodies[attempt] }))).toBeLessThan(0.5);
  });
});
