import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { parseOwnText } from "../../runtime/encoding/json/parse-own-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { lengthPrefix } from "../../runtime/http/respond/length-prefix.ts";
import { partialMetadata } from "../../runtime/http/respond/table.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { CachedObject } from "../../runtime/watch/cached-object.ts";
import type { Parsed } from "../fixtures/plane-client.ts";
import { catalogue, schemas } from "../kinds/conversions/converters.ts";

/*
 * Frames are built from the bytes that lists cache, most of them without parsing objects. This test builds them again from the parsed objects
 * of a JSON watch, and compares both byte by byte.
 */

interface WatchedEvent {
  readonly type: string;
  readonly object: ApiObject;
}

interface Watched {
  readonly path: string;
  /** Absent for custom kinds. */
  readonly type?: TypeRef;
  /** Annotations that the version adds, and metadata alone lacks. */
  readonly versionAnnotations?: readonly string[];
}

const AS_METADATA = "as=PartialObjectMetadata;g=meta.k8s.io;v=";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
/** Every form except JSON of whole objects and tables. */
const FORMS = [
  `application/json;${AS_METADATA}v1`,
  `application/json;${AS_METADATA}v1beta1`,
  PROTOBUF,
  `${PROTOBUF};${AS_METADATA}v1`,
  "application/cbor",
  `application/cbor;${AS_METADATA}v1`,
];
const METADATA_TYPE = "meta/v1.PartialObjectMetadata";
const AWKWARD = 'a "quoted" } brace { and \\ more, <b> ünïcode 😀 \u2028';

/** Returns the frame of an event, built from its parsed object. */
function frameOf({ type, object }: WatchedEvent, form: string, watched: Watched): Buffer {
  const version = form.split(AS_METADATA)[1];
  const value = version === undefined ? object : metadataOf(object, `meta.k8s.io/${version}`, watched);
  if (form.startsWith("application/cbor")) return encodeCbor({ type, object: value });
  if (!form.startsWith(PROTOBUF)) return Buffer.from(`${stringifyJson({ type, object: value })}\n`);
  const schema = schemas.of<ApiObject>(version === undefined ? (watched.type as TypeRef) : METADATA_TYPE);
  const { apiVersion = "", kind = "" } = value;
  const field = (tag: number, bytes: Uint8Array) => Buffer.concat([lengthPrefix(tag, bytes.length), bytes]);
  const envelope = encodeEnvelope({ apiVersion, kind, raw: schema.encodeProtobuf(value) });
  const event = Buffer.concat([field(0x0a, Buffer.from(type)), field(0x12, field(0x0a, envelope))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

function metadataOf(object: ApiObject, apiVersion: string, { type, versionAnnotations }: Watched): ApiObject {
  const resource = {
    descriptor: type === undefined ? { custom: {} } : {},
    hooks: { compatibility: versionAnnotations && { versionAnnotations } },
  } as unknown as Parameters<typeof partialMetadata>[2];
  return partialMetadata(object, apiVersion, resource);
}

const formsOf = ({ type }: Watched) => FORMS.filter((form) => type !== undefined || form !== PROTOBUF);

let plane: Plane;

async function call(method: string, path: string, body?: object, type = "application/json"): Promise<Parsed> {
  const headers = { "Content-Type": type };
  const response = await plane.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const answer = (await response.json()) as Parsed;
  expect(response.ok, `${method} ${path}: ${answer.message ?? ""}`).toBe(true);
  return answer;
}

const patch = (path: string, body: object) => call("PATCH", path, body, "application/merge-patch+json");

/** A watch that is read as far as a test needs. */
class Stream {
  readonly #parts: AsyncIterator<Uint8Array>;
  #read: Buffer = Buffer.alloc(0);

  private constructor(body: AsyncIterable<Uint8Array>) {
    this.#parts = body[Symbol.asyncIterator]();
  }

  static async open(path: string, accept: string, query = ""): Promise<Stream> {
    const response = await plane.fetch(`${path}?watch=1&timeoutSeconds=60${query}`, { headers: { Accept: accept } });
    expect(response.status, `${path} ${accept}`).toBe(200);
    return new Stream(response.body as unknown as AsyncIterable<Uint8Array>);
  }

  /** Returns the next bytes, or fewer if the watch ends. */
  async bytes(count: number): Promise<Buffer> {
    while (this.#read.length < count) {
      const { done, value } = await this.#parts.next();
      if (done) break;
      this.#read = Buffer.concat([this.#read, value]);
    }
    const bytes = this.#read.subarray(0, count);
    this.#read = this.#read.subarray(count);
    return bytes;
  }

  /** Returns the next events of a JSON watch. */
  async events(count: number): Promise<WatchedEvent[]> {
    const events: WatchedEvent[] = [];
    while (events.length < count) {
      for (let end = this.#read.indexOf("\n"); end >= 0 && events.length < count; end = this.#read.indexOf("\n")) {
        events.push(parseOwnText((await this.bytes(end + 1)).toString("utf8")) as WatchedEvent);
      }
      if (events.length < count) await this.#more();
    }
    return events;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#parts.next();
    if (done) throw new Error("the watch has ended");
    this.#read = Buffer.concat([this.#read, value]);
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}

/** Reads what a watch of each form sends for events of the same watch in JSON, and compares it with frames of parsed objects. */
async function expectFrames(events: readonly WatchedEvent[], streams: ReadonlyMap<string, Stream>, watched: Watched) {
  for (const [form, stream] of streams) {
    for (const event of events) {
      const expected = frameOf(event, form, watched);
      const actual = await stream.bytes(expected.length);
      if (!actual.equals(expected))
        expect(actual.toString("latin1"), `${event.type} ${form}`).toBe(expected.toString("latin1"));
    }
  }
}

async function openAll(watched: Watched, query = ""): Promise<Map<string, Stream>> {
  const streams = new Map<string, Stream>();
  for (const form of formsOf(watched)) streams.set(form, await Stream.open(watched.path, form, query));
  return streams;
}

async function closeAll(streams: Iterable<Stream>): Promise<void> {
  for (const stream of streams) await stream.close();
}

/** Compares the initial events of watches of a resource; returns how many there are. */
async function compareInitial(watched: Watched): Promise<number> {
  const { items } = await call("GET", watched.path);
  const json = await Stream.open(watched.path, "application/json");
  const events = await json.events(items.length);
  // Twice: from the objects themselves, and from cached encodings.
  for (let round = 0; round < 2; round++) {
    const streams = await openAll(watched);
    await expectFrames(events, streams, watched);
    await closeAll(streams.values());
  }
  await json.close();
  return events.length;
}

const PODS: Watched = { path: "/api/v1/namespaces/default/pods", type: "core/v1.Pod" };
const MAPS = "/api/v1/namespaces/default/configmaps";
const SCALERS = "/namespaces/default/horizontalpodautoscalers";
const SCALERS_V1: Watched = {
  path: `/apis/autoscaling/v1${SCALERS}`,
  type: "autoscaling/v1.HorizontalPodAutoscaler",
  versionAnnotations: ["metrics", "current-metrics", "conditions", "behavior"].map(
    (name) => `autoscaling.alpha.kubernetes.io/${name}`,
  ),
};
const SETS: Watched = {
  path: "/apis/apps/v1/namespaces/default/daemonsets",
  type: "apps/v1.DaemonSet",
  versionAnnotations: ["deprecated.daemonset.template.generation"],
};
const PARTS: Watched = { path: "/apis/example.com/v1/namespaces/default/parts" };
const OLD_PARTS: Watched = { path: "/apis/example.com/v1alpha1/namespaces/default/parts" };

function pod(name: string, variables: number, metadata: object = {}): object {
  const env = Array.from({ length: variables }, (_, index) => ({ name: `V${index}`, value: `${AWKWARD} ${index}` }));
  const containers = ["web", "logs"].map((each) => ({ name: each, image: "example.com/image:1", env }));
  return { apiVersion: "v1", kind: "Pod", metadata: { name, ...metadata }, spec: { containers } };
}

const EVERY_FIELD = {
  generateName: "every-",
  labels: { "example.com/b": "2", a: "1", app: "web" },
  annotations: { awkward: AWKWARD, empty: "", "example.com/json": '{"metadata":{"name":"other"}}' },
  finalizers: ["example.com/first", "example.com/second"],
  ownerReferences: [
    { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "1-2-3", controller: true, blockOwnerDeletion: true },
    { apiVersion: "apps/v1", kind: "ReplicaSet", name: "other", uid: "4-5-6" },
  ],
};

/** Returns an object with nested `metadata` at exactly the position of that of an ordinary object. */
function misplaced(): object {
  const usual = Buffer.byteLength('{"apiVersion":"example.com/v1","kind":"Part",');
  const padding = "x".repeat(usual - Buffer.byteLength('{"aaa":{"a":"",'));
  return { aaa: { a: padding, metadata: { name: "other", uid: "stolen", labels: { wrong: "yes" } } } };
}

function deep(levels: number): object {
  let value: object = { end: 1 };
  for (let level = 0; level < levels; level++) value = { metadata: { nested: value }, list: [[value === null]] };
  return value;
}

async function createParts(): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "parts.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "parts", kind: "Part" },
      versions: [
        { name: "v1", served: true, storage: true, schema },
        { name: "v1alpha1", served: true, storage: false, schema },
      ],
    },
  });
  await vi.waitFor(async () => expect((await plane.fetch(PARTS.path)).status).toBe(200), 30_000);
  const objects: Readonly<Record<string, object>> = {
    plain: { zzz: 1 },
    preceded: { aaa: { metadata: { name: "other" } }, Upper: 1 },
    misplaced: misplaced(),
    deep: { spec: deep(60) },
  };
  for (const [name, members] of Object.entries(objects)) {
    const metadata = { name, ...EVERY_FIELD };
    await call("POST", PARTS.path, { ...members, apiVersion: "example.com/v1", kind: "Part", metadata });
  }
}

beforeAll(async () => {
  plane = await startPlane({
    listen: false,
    flags: {
      controllers: "false",
      "disable-admission-plugins": "ServiceAccount",
      "feature-gates": "CBORServingAndStorage=true",
    },
  });
  await plane.ready;
  for (const [name, variables] of [
    ["small", 1],
    ["large", 120],
    ["larger", 1500],
  ] as const)
    await call("POST", PODS.path, pod(name, variables, EVERY_FIELD));
  const long = { ...EVERY_FIELD, annotations: { long: AWKWARD.repeat(4000) } };
  await call("POST", MAPS, { metadata: { name: "long-metadata", ...long }, data: { a: "1" } });
  await call("POST", `/apis/autoscaling/v2${SCALERS}`, {
    metadata: { name: "scaler", annotations: { kept: AWKWARD } },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      maxReplicas: 3,
      metrics: [
        { type: "Resource", resource: { name: "memory", target: { type: "Utilization", averageUtilization: 5 } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 5 } },
    },
  });
  const template = { metadata: { labels: { a: "1" } }, spec: { containers: [{ name: "a", image: "b" }] } };
  const annotations = { "deprecated.daemonset.template.generation": "1", kept: "yes" };
  await call("POST", SETS.path, {
    metadata: { name: "set", annotations },
    spec: { selector: { matchLabels: { a: "1" } }, template },
  });
  await call("POST", "/apis/apps/v1/namespaces/default/controllerrevisions", {
    metadata: { name: "revision", ...EVERY_FIELD },
    revision: 1,
    data: { a: [1, { b: "c" }] },
  });
  await createParts();
});

afterEach(() => vi.restoreAllMocks());
afterAll(() => plane.stop());

describe("the frames of existing objects", () => {
  it("are those of parsed objects for every kind that a server starts with", async () => {
    const known = new Map([SCALERS_V1, SETS].map((watched) => [watched.type, watched.versionAnnotations]));
    let compared = 0;
    for (const { group, version, resource, type, verbs } of catalogue.resources) {
      const path = group === "" ? `/api/${version}/${resource}` : `/apis/${group}/${version}/${resource}`;
      if (!verbs.includes("watch") || (await plane.fetch(path)).status !== 200) continue;
      const versionAnnotations = known.get(type);
      compared += await compareInitial({ path, type, ...(versionAnnotations && { versionAnnotations }) });
    }
    expect(compared).toBeGreaterThan(150);
  }, 60_000);

  it("are those of parsed objects for custom kinds, in both versions, whatever precedes metadata", async () => {
    expect(await compareInitial(PARTS)).toBe(4);
    expect(await compareInitial(OLD_PARTS)).toBe(4);
  });

  it.each([`application/json;${AS_METADATA}v1`, PROTOBUF, `${PROTOBUF};${AS_METADATA}v1`])(
    "are made without parsing the objects (%s)",
    async (form) => {
      const { metadata } = await call("POST", PODS.path, pod("", 3, { generateName: "unparsed-" }));
      const selector = `&fieldSelector=metadata.name%3D${metadata.name}`;
      const json = await Stream.open(PODS.path, "application/json", selector);
      const events = await json.events(1);
      const spies = (["parse", "parseLarge"] as const).map((name) => vi.spyOn(CachedObject.prototype, name));
      const toEncode = vi.spyOn(CachedObject.prototype, "objectToEncode", "get");
      const stream = await Stream.open(PODS.path, form, selector);
      await expectFrames(events, new Map([[form, stream]]), PODS);
      for (const spy of [...spies, toEncode]) expect(spy).not.toHaveBeenCalled();
      await closeAll([json, stream]);
      await call("DELETE", `${PODS.path}/${metadata.name}?gracePeriodSeconds=0`);
    },
  );
});

describe("the frames of changes", () => {
  let objects = 0;

  it.each([
    ["of pods", PODS, pod("changed", 40, { labels: { shown: "yes" } })],
    ["of custom objects", PARTS, { apiVersion: "example.com/v1", kind: "Part", ...misplaced() }],
    [
      "of custom objects in another version",
      OLD_PARTS,
      { apiVersion: "example.com/v1alpha1", kind: "Part", spec: deep(9) },
    ],
  ] as const)("%s are those of parsed objects, also of objects that are deleted", async (_, watched, object) => {
    const query = "&labelSelector=shown%3Dyes";
    const [json, all] = [await Stream.open(watched.path, "application/json", query), await openAll(watched, query)];
    const name = `changed-${objects++}`;
    const metadata = { name, labels: { shown: "yes" }, finalizers: ["example.com/kept"] };
    await call("POST", watched.path, { ...object, metadata });
    const path = `${watched.path}/${name}`;
    await patch(path, { metadata: { annotations: { awkward: AWKWARD } } });
    await patch(path, { metadata: { labels: { shown: "no" } } });
    await patch(path, { metadata: { labels: { shown: "yes" } } });
    await call("DELETE", `${path}?gracePeriodSeconds=0`);
    const { metadata: before } = await call("GET", path);
    await patch(path, { metadata: { finalizers: null } });
    const { metadata: list } = await call("GET", watched.path);
    const events = await json.events(6);
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED", "ADDED", "MODIFIED", "DELETED"]);
    const versions = events.map((event) => Number(event.object.metadata.resourceVersion));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(versions.slice(-2)).toEqual([Number(before.resourceVersion), Number(list.resourceVersion)]);
    await expectFrames(events, all, watched);
    // Of the history, and of frames that are kept.
    const since = `${query}&resourceVersion=${(versions[0] ?? 0) - 1}`;
    const again = await openAll(watched, since);
    await expectFrames(events, again, watched);
    await closeAll([json, ...all.values(), ...again.values()]);
  });
});

describe("the frames of a table", () => {
  const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const shown = ({ rows, ...table }: Parsed) =>
    stringifyJson({ ...table, rows: rows.map(({ cells, ...row }: Parsed) => ({ ...row, cells: cells.slice(0, 3) })) });

  it.each([
    ["Metadata", `${PODS.path}/large`],
    ["Object", `${PODS.path}/large`],
    ["None", `${PODS.path}/larger`],
    ["Metadata", `${SCALERS_V1.path}/scaler`],
    ["Object", `${SCALERS_V1.path}/scaler`],
    ["Metadata", `${SETS.path}/set`],
  ])("have the row of a single object, with %s of %s", async (include, path) => {
    const [collection = "", name = ""] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
    const one = await plane.fetch(`${path}?includeObject=${include}`, { headers: { Accept: TABLE } });
    const expected = shown(await one.json());
    const query = `&includeObject=${include}&fieldSelector=metadata.name%3D${name}`;
    for (let round = 0; round < 2; round++) {
      const stream = await Stream.open(collection, TABLE, query);
      const [{ type, object } = { type: "", object: {} }] = await stream.events(1);
      expect(type).toBe("ADDED");
      expect(shown(object)).toBe(expected);
      await stream.close();
    }
  });

  it("name the columns once, and the version of each change", async () => {
    const stream = await Stream.open(MAPS, TABLE, "&labelSelector=table%3Dyes");
    const metadata = { generateName: "in-table-", labels: { table: "yes" } };
    const { metadata: created } = await call("POST", MAPS, { metadata });
    await call("DELETE", `${MAPS}/${created.name}`);
    const { metadata: list } = await call("GET", MAPS);
    const tables = (await stream.events(2)).map(({ type, object }) => ({ type, table: object as Parsed }));
    expect(tables.map(({ type, table }) => [type, table.metadata.resourceVersion])).toEqual([
      ["ADDED", created.resourceVersion],
      ["DELETED", list.resourceVersion],
    ]);
    expect(tables.map(({ table }) => table.rows[0].object.metadata.resourceVersion)).toEqual(
      tables.map(({ table }) => table.metadata.resourceVersion),
    );
    expect(tables.map(({ table }) => table.columnDefinitions === null)).toEqual([false, true]);
    await stream.close();
  });
});
