import type { IncomingMessage } from "node:http";
import { connect } from "node:http2";
import { Agent, get } from "node:https";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { decodeCbor } from "../../runtime/encoding/cbor/decode-cbor.ts";
import { decodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { cutMetadata } from "../../runtime/http/respond/metadata-json.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { CachedObject } from "../../runtime/watch/cached-object.ts";
import { createClient, type Parsed } from "../fixtures/plane-client.ts";
import { schemas } from "../kinds/conversions/converters.ts";
import { settle } from "../watch/manual-clock.ts";

let plane: Plane;
let call: ReturnType<typeof createClient>;

const MAPS = "/api/v1/namespaces/default/configmaps";
const TABLE = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const AWKWARD = 'a "quoted" } brace { and \\ more, ünïcode 😀';

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false", "feature-gates": "CBORServingAndStorage=true" } });
  call = createClient(plane);
  await plane.ready;
  for (const name of ["first", "second", "third"]) {
    const metadata = { name, labels: { test: "list" }, annotations: { awkward: AWKWARD } };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { metadata: "}", a: "1" } };
    await call("POST", MAPS, { body });
  }
});

afterAll(() => plane.stop());

describe("a list as a table", () => {
  it.each(["", "?includeObject=Metadata", "?includeObject=Object", "?includeObject=None"])(
    "has the same rows as single objects (%s)",
    async (query) => {
      const one = await call("GET", `${MAPS}/second${query}`, { headers: TABLE });
      // Twice: from objects that were just read, and from cached encodings.
      for (let round = 0; round < 2; round++) {
        const path = `${MAPS}${query}${query === "" ? "?" : "&"}labelSelector=test%3Dlist`;
        const all = await call("GET", path, { headers: TABLE });
        expect(all.body.columnDefinitions).toEqual(one.body.columnDefinitions);
        expect(all.body.rows).toHaveLength(3);
        const row = all.body.rows[1];
        expect(Object.keys(row)).toEqual(Object.keys(one.body.rows[0]));
        expect(row.cells.slice(0, 2)).toEqual(one.body.rows[0].cells.slice(0, 2));
        expect(row.cells[2]).toMatch(/^\d+s$/);
        expect(row.object).toEqual(one.body.rows[0].object);
      }
    },
  );

  it("shows the new state after an object changes", async () => {
    await call("PATCH", `${MAPS}/third`, { type: "application/merge-patch+json", body: { data: { b: "2" } } });
    const all = await call("GET", `${MAPS}?labelSelector=test%3Dlist`, { headers: TABLE });
    expect(all.body.rows.map((row: { cells: unknown[] }) => row.cells[1])).toEqual([2, 2, 3]);
  });
});

describe("a list in protobuf", () => {
  it("contains every item in one envelope, encoded or cached", async () => {
    const headers = { Accept: "application/vnd.kubernetes.protobuf" };
    const path = `${MAPS}?labelSelector=test%3Dlist`;
    const [made, remembered] = [await call("GET", path, { headers }), await call("GET", path, { headers })];
    expect(remembered.bytes).toEqual(made.bytes);
    const { apiVersion, kind, raw } = decodeEnvelope(made.bytes);
    expect({ apiVersion, kind }).toEqual({ apiVersion: "v1", kind: "ConfigMapList" });
    for (const name of ["first", "second", "third"]) expect(Buffer.from(raw).includes(name)).toBe(true);
  });

  it("contains the managed fields of an object as the text that JSON has", async () => {
    const headers = { Accept: "application/vnd.kubernetes.protobuf" };
    const { bytes } = await call("GET", `${MAPS}/first`, { headers });
    const { body } = await call("GET", `${MAPS}/first`);
    expect(bytes.includes(JSON.stringify(body.metadata.managedFields[0].fieldsV1))).toBe(true);
  });

  it("of metadata contains every object's metadata, encoded or cached, and no data", async () => {
    const headers = {
      Accept: "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
    };
    const path = `${MAPS}?labelSelector=test%3Dlist`;
    const [made, remembered] = [await call("GET", path, { headers }), await call("GET", path, { headers })];
    expect(remembered.bytes).toEqual(made.bytes);
    const { apiVersion, kind, raw } = decodeEnvelope(made.bytes);
    expect({ apiVersion, kind }).toEqual({ apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadataList" });
    const list = schemas.of("meta/v1.PartialObjectMetadataList").decodeProtobuf(raw);
    const json = await call("GET", path);
    const metadata = (items: { metadata: object }[]) => items.map((item) => item.metadata);
    expect(metadata(list.items as { metadata: object }[])).toEqual(metadata(json.body.items));
  });

  it("of metadata is made of stored JSON, whatever precedes metadata, as that of a single object is", async () => {
    const names = { plural: "parts", kind: "Part" };
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const versions = [{ name: "v1", served: true, storage: true, schema }];
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: {
        metadata: { name: "parts.example.com" },
        spec: { group: "example.com", scope: "Namespaced", names, versions },
      },
    });
    const path = "/apis/example.com/v1/namespaces/default/parts";
    await expect.poll(async () => (await call("GET", path)).status).toBe(200);
    const apiVersion = "example.com/v1";
    const metadata = { labels: { test: "list" }, annotations: { awkward: AWKWARD }, finalizers: ["example.com/f"] };
    for (const [name, first] of [
      ["plain", {}],
      ["preceded", { aaa: { metadata: { name: "other" } } }],
      // Exactly where metadata of other objects is.
      ["misplaced", { aaa: { a: "x".repeat(30), metadata: { name: "other" } } }],
    ] as const) {
      const body = { ...first, apiVersion, kind: "Part", metadata: { ...metadata, name }, zzz: 1 };
      expect([201, 409]).toContain((await call("POST", path, { body })).status);
    }
    const headers = { Accept: "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" };
    const parsed = vi.spyOn(CachedObject.prototype, "parse");
    const toEncode = vi.spyOn(CachedObject.prototype, "objectToEncode", "get");
    const { bytes } = await call("GET", path, { headers });
    const one = await call("GET", `${path}/misplaced`, {
      headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
    });
    for (const spy of [parsed, toEncode]) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    const list = schemas.of("meta/v1.PartialObjectMetadataList").decodeProtobuf(decodeEnvelope(bytes).raw);
    const json = await call("GET", path);
    const wanted = json.body.items.map((item: Parsed) => item.metadata);
    expect((list.items as Parsed[]).map((item) => item.metadata)).toEqual(wanted);
    expect(one.body.metadata).toEqual(wanted[0]);
    const text = await call("GET", path, {
      headers: { Accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
    });
    expect(text.body.items.map((item: Parsed) => item.metadata)).toEqual(wanted);
  });
});

describe("a list that is made item by item", () => {
  const path = `${MAPS}?labelSelector=test%3Dlist`;

  const asMetadata = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=";
  it.each(["", `${asMetadata}v1`, `${asMetadata}v1beta1`])("has in CBOR what it has in JSON (%s)", async (as) => {
    const json = await call("GET", path, { headers: { Accept: `application/json${as}` } });
    for (let round = 0; round < 2; round++) {
      const { bytes } = await call("GET", path, { headers: { Accept: `application/cbor${as}` } });
      expect(JSON.parse(JSON.stringify(decodeCbor(bytes)))).toEqual(json.body);
    }
  });

  it("is indented as JSON.stringify would indent the whole list", async () => {
    const { bytes, body } = await call("GET", `${path}&pretty=true`);
    expect(bytes.toString("utf8")).toBe(JSON.stringify(body, undefined, 2));
  });
});

describe("metadata in encoded JSON", () => {
  const metadata = `{"metadata":${JSON.stringify({ name: "a", annotations: { text: AWKWARD, more: '}"{' } })}}`;

  it.each([
    '"kind":"K","apiVersion":"v1"',
    '"aaa":{"metadata":{"name":"other"}},"apiVersion":"v1"',
    `"aaa":[{"metadata":${JSON.stringify(AWKWARD)}}],"apiVersion":"v1"`,
    '"aaa":1,"bbb":"\\"metadata\\":{"',
  ])("is cut out wherever it stands, regardless of braces and quotes in strings, after %s", (before) => {
    const json = Buffer.from(`{${before},${metadata.slice(1, -1)},"spec":{"metadata":{}}}`);
    expect(cutMetadata(json).toString("utf8")).toBe(metadata);
  });
});

describe("a long list", () => {
  const COUNT = 60;
  const text = `${AWKWARD} `.repeat(200);
  const path = `${MAPS}?labelSelector=test%3Dlong`;
  const protobuf = "application/vnd.kubernetes.protobuf";

  beforeAll(async () => {
    for (let index = 0; index < COUNT; index++) {
      const metadata = { name: `long-${String(index).padStart(2, "0")}`, labels: { test: "long" } };
      await call("POST", MAPS, { body: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text } } });
    }
  });

  it("is complete over HTTP/1.1, HTTP/2 and in memory, compressed or not", async () => {
    const listed = await call("GET", path);
    expect(listed.headers["transfer-encoding"]).toBe("chunked");
    expect(listed.bytes.length).toBeGreaterThan(500_000);
    expect(listed.body.items).toHaveLength(COUNT);
    expect(listed.body.items.every((item: { data: { text: string } }) => item.data.text === text)).toBe(true);
    const zipped = await call("GET", path, { headers: { "Accept-Encoding": "gzip" } });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(listed.bytes.equals(gunzipSync(zipped.bytes))).toBe(true);
    expect(listed.bytes.equals(await overHttp2(path, "application/json"))).toBe(true);
    const inside = await plane.fetch(path, { headers: { "User-Agent": "tests/1.0" } });
    const parts: Uint8Array[] = [];
    for await (const part of inside.body ?? []) {
      parts.push(part);
      await settle();
    }
    expect(listed.bytes.equals(Buffer.concat(parts))).toBe(true);
  });

  it("is complete in protobuf", async () => {
    const listed = await call("GET", path, { headers: { Accept: protobuf } });
    const { kind, raw } = decodeEnvelope(listed.bytes);
    expect(kind).toBe("ConfigMapList");
    expect(raw.length).toBeGreaterThan(500_000);
    expect(listed.bytes.equals(await overHttp2(path, protobuf))).toBe(true);
  });

  it("leaves the connection usable for the next request", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sizes: number[] = [];
    for (const url of [path, `${MAPS}/long-00`, path]) {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { Authorization: `Bearer ${plane.client.token}` };
        const { server, certificateAuthority: ca } = plane.client;
        get(`${server}${url}`, { agent, ca, headers }, resolve).on("error", reject);
      });
      let size = 0;
      for await (const chunk of incoming) size += (chunk as Buffer).length;
      sizes.push(size);
    }
    agent.destroy();
    expect(sizes[0]).toBeGreaterThan(500_000);
    expect(sizes[2]).toBe(sizes[0]);
  });

  async function overHttp2(url: string, accept: string): Promise<Buffer> {
    const session = connect(plane.client.server, { ca: plane.client.certificateAuthority });
    const authorization = `Bearer ${plane.client.token}`;
    const chunks: Buffer[] = [];
    for await (const chunk of session.request({ ":path": url, accept, authorization })) chunks.push(chunk as Buffer);
    session.close();
    return Buffer.concat(chunks);
  }
});
