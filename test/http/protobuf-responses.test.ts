import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { decodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { CachedObject } from "../../runtime/watch/cached-object.ts";
import { schemas } from "../kinds/conversions/converters.ts";

/* Responses in protobuf are encoded from stored JSON and cached. They are compared with messages of the objects that are then read as JSON. */

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const PODS = "/api/v1/namespaces/default/pods";
const REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
const SCALERS = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const MERGE = "application/merge-patch+json";

let plane: Plane;
let count = 0;

beforeAll(async () => {
  plane = await startPlane({
    listen: false,
    flags: { controllers: "false", "disable-admission-plugins": "ServiceAccount" },
  });
  await plane.ready;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => plane.stop());

async function send(method: string, path: string, body?: unknown, type = "application/json", accept = PROTOBUF) {
  const init = { method, headers: { Accept: accept, "Content-Type": type } };
  const response = await plane.fetch(path, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.ok, `${method} ${path} ${response.ok ? "" : bytes}`).toBe(true);
  return bytes;
}

async function readJson(path: string) {
  return JSON.parse((await send("GET", path, undefined, undefined, "application/json")).toString("utf8"));
}

const messageOf = (response: Buffer) => Buffer.from(decodeEnvelope(response).raw);

/** Compares a response with the object, or with its expected parts. */
async function expectMessage(response: Buffer, type: string, path: string, expected?: object) {
  const object = expected ?? (await readJson(path));
  const { apiVersion, kind } = decodeEnvelope(response);
  expect({ apiVersion, kind }).toEqual({ apiVersion: object.apiVersion, kind: object.kind });
  const message = Buffer.from(schemas.of(type as TypeRef).encodeProtobuf(object));
  expect(messageOf(response).toString("latin1")).toBe(message.toString("latin1"));
}

function pod(name: string): object {
  const env = Array.from({ length: 20 }, (_, index) => ({ name: `V${index}`, value: `"${index}" <ünïcode> 😀` }));
  const spec = { containers: [{ name: "a", image: "b", env, resources: { limits: { cpu: "1500m" } } }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name, finalizers: ["example.com/kept"] }, spec };
}

describe("a response in protobuf", () => {
  it("is the message of the object after each kind of write, and of a read", async () => {
    const name = `written-${count++}`;
    const path = `${PODS}/${name}`;
    await expectMessage(await send("POST", PODS, pod(name)), "core/v1.Pod", path);
    await expectMessage(await send("GET", path), "core/v1.Pod", path);
    const labelled = await send("PATCH", path, { metadata: { labels: { a: "1" } } }, MERGE);
    await expectMessage(labelled, "core/v1.Pod", path);
    const status = await send("PATCH", `${path}/status`, { status: { phase: "Running", podIP: "10.0.0.1" } }, MERGE);
    await expectMessage(status, "core/v1.Pod", path);
    const live = await readJson(path);
    live.metadata.annotations = { "example.com/put": "yes" };
    await expectMessage(await send("PUT", path, live), "core/v1.Pod", path);
    await expectMessage(await send("PUT", path, await readJson(path)), "core/v1.Pod", path);
    await expectMessage(await send("DELETE", `${path}?gracePeriodSeconds=0`), "core/v1.Pod", path);
    await send("PATCH", path, { metadata: { finalizers: null } }, MERGE);
  });

  it("shows what a dry run would store, and leaves the message of the object as it is", async () => {
    const name = `dry-${count++}`;
    const path = `${PODS}/${name}`;
    const created = await send("POST", `${PODS}?dryRun=All`, pod(name));
    expect(schemas.of("core/v1.Pod").decodeProtobuf(decodeEnvelope(created).raw)).toMatchObject({
      metadata: { name, finalizers: ["example.com/kept"] },
    });
    await send("POST", PODS, pod(name));
    const patched = await send("PATCH", `${path}?dryRun=All`, { metadata: { labels: { dry: "run" } } }, MERGE);
    expect(messageOf(patched).includes("dry")).toBe(true);
    await expectMessage(await send("GET", path), "core/v1.Pod", path);
    expect((await readJson(path)).metadata.labels).toBeUndefined();
  });

  it("is the message of an object that is converted, or has raw data", async () => {
    const name = `other-${count++}`;
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const spec = { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 };
    const type = "autoscaling/v1.HorizontalPodAutoscaler";
    await expectMessage(await send("POST", SCALERS, { metadata: { name }, spec }), type, `${SCALERS}/${name}`);
    await expectMessage(await send("GET", `${SCALERS}/${name}`), type, `${SCALERS}/${name}`);
    const revision = { metadata: { name }, revision: 1, data: { a: [1, { b: "c" }] } };
    const made = await send("POST", REVISIONS, revision);
    await expectMessage(made, "apps/v1.ControllerRevision", `${REVISIONS}/${name}`);
    await expectMessage(
      await send("GET", `${REVISIONS}/${name}`),
      "apps/v1.ControllerRevision",
      `${REVISIONS}/${name}`,
    );
  });

  it("is made without parsing the object again, and once for the write, reads and watches", async () => {
    const parsed = vi.spyOn(CachedObject.prototype, "parse");
    const toEncode = vi.spyOn(CachedObject.prototype, "objectToEncode", "get");
    const name = `once-${count++}`;
    const message = messageOf(await send("POST", PODS, pod(name)));
    expect(messageOf(await send("GET", `${PODS}/${name}`)).equals(message)).toBe(true);
    const query = `watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}`;
    expect((await send("GET", `${PODS}?${query}`)).includes(message)).toBe(true);
    for (const { mock } of [parsed, toEncode])
      expect(mock.contexts.filter((object) => (object as CachedObject).key.endsWith(`/${name}`))).toEqual([]);
  });
});
