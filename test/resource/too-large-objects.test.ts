import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { type LiveObject, ObjectStore } from "../../runtime/kinds/object-store.ts";
import { LARGE_BYTES } from "../../runtime/lib/in-turns.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { type Shape, Shapes, type StructShape } from "../../runtime/schema/shape.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { MAX_REQUEST_BYTES } from "../../runtime/store/errors.ts";
import { catalogue, schemas, types } from "../kinds/conversions/converters.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { thingCodec } from "../watch/cache-fixture.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const THINGS = "/apis/example.com/v1/namespaces/default/things";
const TOO_LARGE = { code: 500, message: "etcdserver: request is too large" };
const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";

const withEtcd = findTool("etcd") !== undefined;
if (!withEtcd) console.warn(`too large objects in etcd: ${skipMessage("etcd")}`);

/** Keys whose owners are as large as they are. */
const keys = (size: number, value = ""): Record<string, string> =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`key-${index}-${"x".repeat(240)}`, value]));
const definition = {
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

describe.each([
  ["the embedded store", false],
  ["etcd", true],
] as const)("an object that is too large for etcd, in %s", (_store, isEtcd) => {
  let etcd: EtcdProcess | undefined;
  let plane: Plane;
  beforeAll(async () => {
    if (isEtcd && !withEtcd) return;
    etcd = isEtcd ? await EtcdProcess.start() : undefined;
    const flags = { controllers: "false", ...(etcd && { "etcd-servers": etcd.endpoint }) };
    plane = await startPlane({ listen: false, flags });
    await plane.ready;
  });
  afterAll(async () => {
    await plane?.stop();
    await etcd?.stop();
  });
  const send = async (method: string, path: string, body?: object, type = "application/json") => {
    const headers = { "Content-Type": type };
    const answer = await plane.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as ApiObject & { code?: number; message?: string; data?: Record<string, string> };
  };
  const test = it.runIf(!isEtcd || withEtcd);

  test("is refused with etcd's error, above 2 MiB with that of its client", async () => {
    const path = "/api/v1/namespaces/default/podtemplates";
    const template = (name: string, bytes: number) => ({
      metadata: { name },
      template: { spec: { containers: [{ name: "a", image: "a", args: ["x".repeat(bytes)] }] } },
    });
    const create = (name: string, bytes: number, query = "") => send("POST", `${path}${query}`, template(name, bytes));
    expect(await create("more", MAX_REQUEST_BYTES)).toMatchObject(TOO_LARGE);
    expect(await create("much", 2.5 * 1024 * 1024)).toMatchObject({
      code: 500,
      message: expect.stringMatching(
        /^rpc error: code = ResourceExhausted desc = trying to send message larger than max/,
      ),
    });
    expect(await create("more", MAX_REQUEST_BYTES, "?dryRun=All")).toMatchObject({ kind: "PodTemplate" });
    // Around the arguments there are other fields, their owners, the envelope, the key and the request.
    const most = await create("most", MAX_REQUEST_BYTES - 1100);
    expect(most).toMatchObject({ metadata: { managedFields: [{}] } });
    expect(await send("PUT", `${path}/most`, template("most", MAX_REQUEST_BYTES))).toMatchObject(TOO_LARGE);
    expect(await send("GET", `${path}/most`)).toEqual(most);
  });

  test("is measured as protobuf, not as JSON", async () => {
    const labels = { "a-long-name-of-a-field": "" };
    const terms = Array.from({ length: 8000 }, () => ({ namespaceSelector: { matchLabels: labels }, podSelector: {} }));
    const spec = { podSelector: {}, ingress: [{ from: Array.from({ length: 2 }, () => terms).flat() }] };
    expect(JSON.stringify(spec).length).toBeGreaterThan(1.3e6);
    const policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
    const more = { ...spec, egress: [{ to: terms.slice(0, 6000) }] };
    expect(JSON.stringify(more).length).toBeGreaterThan(1.8e6);
    expect(await send("POST", policies, { metadata: { name: "a" }, spec: more })).toMatchObject({
      metadata: { managedFields: [{}] },
    });
  });

  test("is stored without managedFields if it fits without them, but for an apply", async () => {
    const data = keys(4000);
    const created = await send("POST", CONFIG_MAPS, { metadata: { name: "owned" }, data });
    expect(created.metadata).toMatchObject({ name: "owned" });
    expect(created.metadata.managedFields).toBeUndefined();
    const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" }, data };
    expect(await send("PATCH", `${CONFIG_MAPS}/applied?fieldManager=a`, applied, APPLY)).toMatchObject(TOO_LARGE);

    for (const name of ["put", "merged", "patched"]) await send("POST", CONFIG_MAPS, { metadata: { name }, data: {} });
    const put = await send("PUT", `${CONFIG_MAPS}/put`, { metadata: { name: "put" }, data });
    const merged = await send("PATCH", `${CONFIG_MAPS}/merged`, { data }, MERGE);
    const patched = await send("PATCH", `${CONFIG_MAPS}/patched`, { data }, STRATEGIC);
    for (const { metadata, data: stored } of [put, merged, patched]) {
      expect(metadata.managedFields).toBeUndefined();
      expect(Object.keys(stored ?? {})).toHaveLength(4000);
    }
    expect(await send("GET", `${CONFIG_MAPS}/put`)).toEqual(put);
  });

  test("is told with its size without managedFields if it does not fit without them either, but for an apply", async () => {
    const templates = "/api/v1/namespaces/default/podtemplates";
    const template = { spec: { containers: [{ name: "a", image: "a", args: ["x".repeat(2.5 * 1024 * 1024)] }] } };
    const huge = { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "huge" }, template };
    const [short, long] = ["m", "m".repeat(100)];
    const bytesOf = async (...args: Parameters<typeof send>) => {
      const { code, message } = await send(...args);
      expect(code, message).toBe(500);
      return Number(/larger than max \((\d+) vs/.exec(message ?? "")?.[1]);
    };
    const created = await bytesOf("POST", `${templates}?fieldManager=${short}`, huge);
    expect(await bytesOf("POST", `${templates}?fieldManager=${long}`, huge)).toBe(created);
    const small = { spec: { containers: [{ name: "a", image: "a" }] } };
    expect(await send("POST", templates, { ...huge, template: small })).toMatchObject({ kind: "PodTemplate" });
    const path = `${templates}/huge?fieldManager=`;
    const replaced = await bytesOf("PUT", `${path}${short}`, huge);
    expect(await bytesOf("PUT", `${path}${long}`, huge)).toBe(replaced);
    expect(await bytesOf("PATCH", `${path}${long}`, { template }, MERGE)).toBe(replaced);
    const applied = await bytesOf("PATCH", `${path}${short}`, huge, APPLY);
    expect(await bytesOf("PATCH", `${path}${long}`, huge, APPLY)).toBe(applied + long.length - short.length);
  });

  test("of a custom kind is measured as JSON", async () => {
    await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    await expect.poll(async () => (await plane.fetch(THINGS)).status).toBe(200);
    const create = (name: string, bytes: number) =>
      send("POST", THINGS, {
        apiVersion: "example.com/v1",
        kind: "Thing",
        metadata: { name },
        spec: { a: "x".repeat(bytes) },
      });
    expect(await create("more", MAX_REQUEST_BYTES)).toMatchObject(TOO_LARGE);
    expect(await create("most", MAX_REQUEST_BYTES - 900)).toMatchObject({ metadata: { name: "most" } });
  });

  test("of a custom kind is stored without managedFields if it is too large with them", async () => {
    await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    await expect.poll(async () => (await plane.fetch(THINGS)).status).toBe(200);
    const free = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, ""]));
    const object = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "owned" }, spec: { free } };
    const { metadata, spec } = (await send("POST", THINGS, object)) as typeof object;
    expect([metadata, Object.keys(spec?.free ?? {}).length]).toMatchObject([{ name: "owned" }, 100_000]);
    expect(metadata).not.toHaveProperty("managedFields");
  });
});

it("an object of an earlier server that is too large can be read, made smaller and deleted, but not made larger", async () => {
  const store = openMemoryStore({ historyMs: 1000 });
  const codec = thingCodec();
  const objects = new ObjectStore({ store, codec, present: () => undefined, presentTellsAll: false });
  const thing = (bytes: number) => ({ metadata: { name: "a" }, spec: { a: "x".repeat(bytes) } });
  const key = "/registry/things/a";
  const encoded = (bytes: number) => codec.encode(thing(bytes), key);
  try {
    await store.put(key, encoded(2_000_000), { expected: 0 });
    const live = await objects.get(key);
    expect(live?.json.length).toBeGreaterThan(2_000_000);
    const revision = live?.revision ?? 0;
    const larger = objects.putEncoded(key, encoded(2_000_100), revision, { live: live as LiveObject });
    await expect(larger).rejects.toMatchObject({ code: "TooLarge" });
    await expect(objects.put(key, thing(2_000_000), revision)).rejects.toMatchObject({ code: "TooLarge" });
    const smaller = await objects.putEncoded(key, encoded(1_999_990), revision, { live: live as LiveObject });
    const marked = await objects.rewrite(key, thing(2_000_100), smaller.revision);
    await objects.delete(key, marked.revision);
    expect(await objects.get(key)).toBeUndefined();
  } finally {
    await store.close();
  }
});

it("no object with less JSON than a large one has more protobuf than etcd takes", () => {
  const shapes = new Shapes(types);
  const repeated = new Set<StructShape>();
  const visited = new Set<StructShape>();
  const visit = (shape: Shape, isRepeated: boolean): void => {
    if (shape.kind === "list" || shape.kind === "map") return visit(shape.element, true);
    if (shape.kind === "scalar") return shape.scalar.startsWith("schemaOr") ? visit(shape.schema(), true) : undefined;
    const known = isRepeated ? repeated : visited;
    if (known.has(shape)) return;
    known.add(shape);
    for (const { type } of shape.fields) visit(type, isRepeated);
  };
  for (const { type } of catalogue.resources) visit(shapes.struct(type), false);
  expect(repeated.size).toBeGreaterThan(300);
  // An entry of a list in JSON has three bytes, `{},`; in protobuf a tag of two, its length, and the fields that are always written.
  const ratios = [...repeated].map(({ ref }) => (3 + schemas.of(ref).encodeProtobuf({}).length) / 3);
  expect(Math.max(...ratios)).toBeLessThan(MAX_REQUEST_BYTES / LARGE_BYTES);
});
