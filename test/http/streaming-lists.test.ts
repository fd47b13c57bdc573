import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

/*
 * Streaming lists as the official clients use them: the objects as ADDED events, then a bookmark that marks the end of the list and contains
 * an empty list object for them.
 */

const MAPS = "/api/v1/namespaces/default/configmaps";
const BOOKS = "/apis/library.example.com/v1/namespaces/default/books";
const WATCH_LIST_QUERY =
  "watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
const BLUEPRINT = "kubernetes.io/initial-events-list-blueprint";
const PARTIAL = "as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false", "feature-gates": "WatchList=true" } });
  call = createClient(plane);
  await plane.ready;
  for (const name of ["one", "two"]) await call("POST", MAPS, { body: { metadata: { name } } });
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: {
      metadata: { name: "books.library.example.com" },
      spec: {
        group: "library.example.com",
        scope: "Namespaced",
        names: { plural: "books", kind: "Book" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    },
  });
  await vi.waitFor(async () => expect((await call("GET", BOOKS)).status).toBe(200), 120_000);
});
afterAll(() => plane.stop());

async function eventsOf(path: string, accept: string) {
  const { status, text } = await call("GET", `${path}?${WATCH_LIST_QUERY}`, { headers: { Accept: accept } });
  expect(status).toBe(200);
  const lines = text.trim().split("\n");
  return lines.map((line) => JSON.parse(line) as { type: string; object: { metadata: Record<string, never> } });
}

// Each watch lasts a second.
describe.concurrent("a watch with sendInitialEvents", () => {
  it("sends the objects in order and then the bookmark that ends the initial events", async () => {
    const events = await eventsOf(MAPS, "application/json");
    expect(events.slice(0, 3)).toMatchObject([
      { type: "ADDED", object: { metadata: { name: "one" } } },
      { type: "ADDED", object: { metadata: { name: "two" } } },
      { type: "BOOKMARK", object: { metadata: { annotations: { "k8s.io/initial-events-end": "true" } } } },
    ]);
  });

  it.each([
    [MAPS, "application/json", '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":null}\n'],
    [
      MAPS,
      `application/json;${PARTIAL}`,
      '{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":null}\n',
    ],
    [BOOKS, "application/json", '{"apiVersion":"library.example.com/v1","items":[],"kind":"BookList"}\n'],
  ])("sends an empty list of %s as %s in the bookmark", async (path, accept, blueprint) => {
    const events = await eventsOf(path, accept);
    const bookmark = events.find(({ type }) => type === "BOOKMARK");
    const annotations: Record<string, string> = bookmark?.object.metadata.annotations ?? {};
    expect(Buffer.from(annotations[BLUEPRINT] ?? "", "base64").toString()).toBe(blueprint);
  });

  it("sends bookmarks in the form of Kubernetes: kind first, or the members of a custom object sorted", async () => {
    const bookmarkOf = async (path: string, accept = "application/json") => {
      const query = `${WATCH_LIST_QUERY}&labelSelector=none`;
      const { text } = await call("GET", `${path}?${query}`, { headers: { Accept: accept } });
      return text
        .replace(/"resourceVersion":"\d+"/, '"resourceVersion":"1"')
        .replace(/"annotations":\{[^}]*\}/, '"annotations":{}');
    };
    const [map, book, partial] = await Promise.all([
      bookmarkOf(MAPS),
      bookmarkOf(BOOKS),
      bookmarkOf(BOOKS, `application/json;${PARTIAL}`),
    ]);
    expect(map).toBe(
      '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"1","creationTimestamp":null,"annotations":{}}}}\n',
    );
    expect(book).toBe(
      '{"type":"BOOKMARK","object":{"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"annotations":{},"resourceVersion":"1"}}}\n',
    );
    expect(partial).toContain('"creationTimestamp":null');
    for (const plural of ["deployments", "replicasets", "statefulsets"])
      expect(await bookmarkOf(`/apis/apps/v1/namespaces/default/${plural}`)).toContain(
        '"spec":{"replicas":0,"selector":null',
      );
  });

  it.each([
    ["", "v1", "ConfigMapList", 0x0a],
    [`;${PARTIAL}`, "meta.k8s.io/v1", "PartialObjectMetadataList", 0x0a],
    [`;${PARTIAL.replace("v1", "v1beta1")}`, "meta.k8s.io/v1beta1", "PartialObjectMetadataList", 0x12],
  ])("sends the empty list as protobuf to protobuf clients (%s)", async (parameters, apiVersion, kind, metadata) => {
    const headers = { Accept: `application/vnd.kubernetes.protobuf${parameters}` };
    const { text } = await call("GET", `${MAPS}?${WATCH_LIST_QUERY}`, { headers });
    // The annotation is a map entry: its key, then a tag and a length, then the value.
    const [, encoded = ""] = new RegExp(`${BLUEPRINT}..([A-Za-z0-9+/]+=*)`, "s").exec(text) ?? [];
    const whole = encoded.slice(0, Math.floor(encoded.length / 4) * 4);
    const field = (tag: number, value: Buffer): Buffer => Buffer.concat([Buffer.from([tag, value.length]), value]);
    const type = Buffer.concat([field(0x0a, Buffer.from(apiVersion)), field(0x12, Buffer.from(kind))]);
    const noMetadata = field(metadata, Buffer.from([0x0a, 0, 0x12, 0, 0x1a, 0]));
    const expected = Buffer.concat([
      Buffer.from("k8s\0"),
      field(0x0a, type),
      field(0x12, noMetadata),
      Buffer.from([0x1a, 0, 0x22, 0]),
    ]);
    expect(Buffer.from(whole, "base64").toString("hex")).toBe(expected.toString("hex"));
  });

  it("gets 406 for a table, while a normal watch supports tables", async () => {
    const headers = { Accept: TABLE };
    const [refused, [first], watched] = await Promise.all([
      call("GET", `${MAPS}?${WATCH_LIST_QUERY}`, { headers }),
      eventsOf(MAPS, `${TABLE},application/json`),
      call("GET", `${MAPS}?watch=1&timeoutSeconds=1`, { headers }),
    ]);
    expect(refused).toMatchObject({ status: 406, body: { reason: "NotAcceptable" } });
    expect(first).toMatchObject({ type: "ADDED", object: { kind: "ConfigMap" } });
    expect(watched.status).toBe(200);
  });
});
