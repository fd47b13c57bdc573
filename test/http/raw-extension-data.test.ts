import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { running } = servePlane();

const REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
const PROTOBUF = "application/vnd.kubernetes.protobuf";

interface Refusal {
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message: string }[] };
}

function revision(name: string, data: string): string {
  return `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"${name}"},"data":${data},"revision":1}`;
}

async function send(method: string, path: string, body: string, type = "application/json") {
  const answer = await running().fetch(path, { method, headers: { "Content-Type": type }, body });
  return { status: answer.status, body: (await answer.json()) as Refusal };
}

const create = (name: string, data: string) => send("POST", REVISIONS, revision(name, data));
const replace = (name: string, data: string) => send("PUT", `${REVISIONS}/${name}`, revision(name, data));
const causes = ({ details }: Refusal) => (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);

/** Message about changed data, which is shown byte by byte. */
function immutable(text: string): string[] {
  const bytes = [...Buffer.from(text)].map((byte) => `0x${byte.toString(16)}`).join(", ");
  const shown = `runtime.RawExtension{Raw:[]uint8{${bytes}}, Object:runtime.Object(nil)}`;
  return [`data: Invalid value: ${shown}: field is immutable`];
}

describe("raw data of a ControllerRevision", () => {
  it("is compared and printed with numbers beyond the precision of float64", async () => {
    await create("big", '{"a":18446744073709551616}');
    const { body } = await replace("big", '{"a":18446744073709551617}');
    expect(causes(body)).toEqual(immutable('{"a":18446744073709551617}'));
  });

  it("is compared as text, so another notation of the same JSON is a change", async () => {
    const text = String.raw`{"b": 1.0,  "a":"<\u00e9>"}`;
    expect((await create("text", text)).status).toBe(201);
    expect((await replace("text", text)).status).toBe(200);
    const others = [String.raw`{"b":1.0,"a":"<\u00e9>"}`, '{"b": 1.0,  "a":"<é>"}', `{"b": 1,  "a":"<\\u00e9>"}`];
    for (const other of others) expect(causes((await replace("text", other)).body)).toEqual(immutable(other));
  });

  it.each([
    ["repetitive", () => "x"],
    ["random", () => randomBytes(40).toString("hex")],
  ])("is compared as text for long data, too: %s", async (name, item) => {
    const items = Array.from({ length: 4000 }, item);
    const text = JSON.stringify({ items }, undefined, 8);
    expect(text.length).toBeGreaterThan(64_000);
    expect((await create(name, text)).status).toBe(201);
    expect((await replace(name, text)).status).toBe(200);
    expect((await replace(name, text)).status).toBe(200);
    expect((await replace(name, JSON.stringify({ items }))).status).toBe(422);
  });

  it("keeps its bytes in protobuf", async () => {
    await create("bytes", '{ "spaced" : "out" }');
    const answer = await running().fetch(`${REVISIONS}/bytes`, { headers: { Accept: PROTOBUF } });
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1")).toContain('{ "spaced" : "out" }');
  });

  it("is compacted by JSON and merge patches, and sorted by strategic merge patches and apply", async () => {
    await create("patched", '{"b": "<x>", "a": [1, 2]}');
    const label = '{"metadata":{"labels":{"a":"b"}}}';
    const compact = String.raw`{"b":"\u003cx\u003e","a":[1,2]}`;
    const sorted = String.raw`{"a":[1,2],"b":"\u003cx\u003e"}`;
    const patch = async (body: string, type: string) =>
      causes((await send("PATCH", `${REVISIONS}/patched?fieldManager=me`, body, `application/${type}`)).body);
    expect(await patch(label, "merge-patch+json")).toEqual(immutable(compact));
    const operations = '[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]';
    expect(await patch(operations, "json-patch+json")).toEqual(immutable(compact));
    expect(await patch(label, "strategic-merge-patch+json")).toEqual(immutable(sorted));
    const applied =
      '{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"patched","labels":{"a":"b"}}}';
    expect(await patch(applied, "apply-patch+yaml")).toEqual(immutable(sorted));
    // The patched data itself is sorted, whatever its previous order. The unchanged parts within it remain as they are.
    expect(await patch('{"data":{"c":"é"}}', "merge-patch+json")).toEqual(
      immutable(String.raw`{"a":[1,2],"b":"\u003cx\u003e","c":"é"}`),
    );
  });

  it("does not block a patch of other fields if it is compact and sorted", async () => {
    await create("plain", '{"a":1,"b":[{"c":"d"}]}');
    for (const type of ["merge-patch+json", "strategic-merge-patch+json"]) {
      const body = `{"metadata":{"labels":{"by":"${type.slice(0, 5)}"}}}`;
      expect((await send("PATCH", `${REVISIONS}/plain`, body, `application/${type}`)).status).toBe(200);
    }
  });
});
