import { request } from "node:https";
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../fixtures/plane-client.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { longestTurn } from "./longest-turn.ts";

const { call, running } = servePlane({ "feature-gates": "CBORServingAndStorage=true" });

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const WATCHERS = 3;

const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, ""]));

const read = (name: string, accept: string) => call("GET", `${CONFIG_MAPS}/${name}`, { headers: { Accept: accept } });
const watch = (name: string, accept: string): Promise<Answer> =>
  call("GET", `${CONFIG_MAPS}?watch=1&timeoutSeconds=3&fieldSelector=metadata.name%3D${name}`, {
    headers: { Accept: accept },
  });
/** Resolves when the first bytes of a watch arrive: its first event is made then. */
const firstBytes = (name: string, accept: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { server, certificateAuthority: ca, token } = running().client;
    const headers = { Accept: accept, Authorization: `Bearer ${token}` };
    const path = `${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3D${name}`;
    const outgoing = request(`${server}${path}`, { ca, headers }, (incoming) =>
      incoming.once("data", () => {
        outgoing.destroy();
        resolve();
      }),
    );
    outgoing.once("error", reject);
    outgoing.end();
  });
const linesOf = ({ text }: Answer) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  await call("POST", CONFIG_MAPS, { body: { metadata: { name: "still" }, data } });
});

describe("watchers of a large object", () => {
  const events = new Map<string, readonly Answer[]>();
  const formats = ["application/json", "application/cbor", `${PROTOBUF};stream=watch`, TABLE, METADATA];

  beforeAll(async () => {
    await call("POST", CONFIG_MAPS, { body: { metadata: { name: "changed" }, data } });
    const watches = formats.map(async (accept) => {
      const answers = await Promise.all(Array.from({ length: WATCHERS }, () => watch("changed", accept)));
      events.set(accept, answers);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await call("PATCH", `${CONFIG_MAPS}/changed`, { type: "application/merge-patch+json", body: { data: { a: "b" } } });
    await Promise.all(watches);
  });

  // The ages in tables differ.
  it.each(formats.filter((accept) => accept !== TABLE))("see the same events as %s", (accept) => {
    const [first, ...others] = events.get(accept) ?? [];
    expect(first?.status).toBe(200);
    expect(others).toHaveLength(WATCHERS - 1);
    for (const other of others) expect(other.bytes.equals(first?.bytes as Buffer)).toBe(true);
  });

  it.each(["application/json", METADATA])("see the object as a read shows it: %s", async (accept) => {
    const [added, modified, ...others] = linesOf(events.get(accept)?.[0] as Answer);
    expect(others).toEqual([]);
    expect([added.type, modified.type]).toEqual(["ADDED", "MODIFIED"]);
    expect(modified.object).toEqual((await read("changed", accept)).body);
  });

  it("see rows of a table, and its columns once", async () => {
    const [added, modified] = linesOf(events.get(TABLE)?.[0] as Answer);
    const { body } = await read("changed", TABLE);
    expect(added.object.columnDefinitions).toEqual(body.columnDefinitions);
    expect(modified.object.columnDefinitions).toBeNull();
    const [row] = modified.object.rows;
    expect(row.object).toEqual(body.rows[0].object);
    expect(row.cells.slice(0, 2)).toEqual(["changed", 20_001]);
  });

  it("see the bytes of a protobuf read", async () => {
    const [answer] = events.get(`${PROTOBUF};stream=watch`) ?? [];
    expect(answer?.bytes.includes((await read("changed", PROTOBUF)).bytes)).toBe(true);
  });
});

describe("the first event of a watch of a large object is made in several turns of the event loop", () => {
  it.each(["application/cbor", TABLE])("%s", async (accept) => {
    const parts: number[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const { longest, total } = await longestTurn(() => firstBytes("still", accept));
      parts.push(longest / total);
    }
    expect(Math.min(...parts)).toBeLessThan(0.4);
  });
});
