import type { ClientRequest } from "node:http";
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
/** Resolves when the first bytes of a watch arrive, because its first event is created then. */
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

/** The events that a watch has received. It is read until the client has enough, however long that takes. */
class Watch {
  readonly status: Promise<number>;
  readonly #accept: string;
  readonly #outgoing: ClientRequest;
  readonly #failed = Promise.withResolvers<never>();
  readonly #chunks: Buffer[] = [];
  #received = (): void => undefined;

  constructor(name: string, accept: string) {
    const { server, certificateAuthority: ca, token } = running().client;
    const headers = { Accept: accept, Authorization: `Bearer ${token}` };
    const path = `${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3D${name}`;
    const status = Promise.withResolvers<number>();
    this.status = status.promise;
    this.#accept = accept;
    this.#failed.promise.catch(() => undefined);
    this.#outgoing = request(`${server}${path}`, { ca, headers }, (incoming) => {
      status.resolve(incoming.statusCode ?? 0);
      incoming.on("data", (chunk: Buffer) => {
        this.#chunks.push(chunk);
        this.#received();
      });
      incoming.once("end", () => this.#failed.reject(new Error("the server ended the watch")));
    });
    this.#outgoing.once("error", (error) => this.#failed.reject(error));
    this.#outgoing.end();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Resolves when this number of complete events has arrived. Rejects if the watch ends before. */
  async events(count: number): Promise<void> {
    while (eventEnds(this.bytes, this.#accept).length < count) {
      const more = new Promise<void>((resolve) => {
        this.#received = resolve;
      });
      await Promise.race([more, this.#failed.promise]);
    }
  }

  close(): void {
    this.#outgoing.destroy();
  }
}

/** Returns the offset at which the complete events end. */
function eventEnds(bytes: Buffer, accept: string): number[] {
  const ends: number[] = [];
  for (let end = endOfEvent(bytes, 0, accept); end <= bytes.length; end = endOfEvent(bytes, end, accept))
    ends.push(end);
  return ends;
}

/** Beyond the bytes if the event has not arrived whole. */
function endOfEvent(bytes: Buffer, start: number, accept: string): number {
  if (accept === "application/cbor") return endOfCbor(bytes, start);
  if (accept.startsWith(PROTOBUF)) return start + 4 > bytes.length ? start + 4 : start + 4 + bytes.readUInt32BE(start);
  const line = bytes.indexOf("\n", start);
  return line < 0 ? bytes.length + 1 : line + 1;
}

/** Returns the end of an item of definite length. */
function endOfCbor(bytes: Buffer, start: number): number {
  const initial = bytes[start];
  if (initial === undefined) return start + 1;
  const [major, info] = [initial >> 5, initial & 31];
  const width = info < 24 ? 0 : 2 ** (info - 24);
  let end = start + 1 + width;
  if (end > bytes.length) return end;
  const value = width === 0 ? info : width === 8 ? 0 : bytes.readUIntBE(start + 1, width);
  if (major === 2 || major === 3) return end + value;
  const items = major === 4 ? value : major === 5 ? 2 * value : major === 6 ? 1 : 0;
  for (let item = 0; item < items && end <= bytes.length; item++) end = endOfCbor(bytes, end);
  return end;
}

const linesOf = (watch: Watch | undefined) =>
  String(watch?.bytes)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  await call("POST", CONFIG_MAPS, { body: { metadata: { name: "still" }, data } });
});

describe("watchers of a large object", () => {
  const watches = new Map<string, readonly Watch[]>();
  /** The object as it was read after its change. */
  const shown = new Map<string, Answer>();
  const formats = ["application/json", "application/cbor", `${PROTOBUF};stream=watch`, TABLE, METADATA];

  beforeAll(async () => {
    await call("POST", CONFIG_MAPS, { body: { metadata: { name: "changed" }, data } });
    for (const accept of formats)
      watches.set(
        accept,
        Array.from({ length: WATCHERS }, () => new Watch("changed", accept)),
      );
    const all = [...watches.values()].flat();
    await Promise.all(all.map((watch) => watch.events(1)));
    await call("PATCH", `${CONFIG_MAPS}/changed`, { type: "application/merge-patch+json", body: { data: { a: "b" } } });
    for (const accept of ["application/json", PROTOBUF, TABLE, METADATA])
      shown.set(accept, await read("changed", accept));
    // Nothing else may come before this one.
    await call("DELETE", `${CONFIG_MAPS}/changed`);
    await Promise.all(all.map((watch) => watch.events(3)));
    for (const watch of all) watch.close();
  });

  // The ages in tables differ.
  it.each(formats.filter((accept) => accept !== TABLE))("see the same events as %s", async (accept) => {
    const [first, ...others] = watches.get(accept) ?? [];
    expect(await first?.status).toBe(200);
    expect(others).toHaveLength(WATCHERS - 1);
    for (const other of others) expect(other.bytes.equals(first?.bytes as Buffer)).toBe(true);
    expect(eventEnds(first?.bytes as Buffer, accept)).toHaveLength(3);
    expect(eventEnds(first?.bytes as Buffer, accept).at(-1)).toBe(first?.bytes.length);
  });

  it.each(["application/json", METADATA])("see the object as a read shows it: %s", (accept) => {
    const [added, modified, deleted, ...others] = linesOf(watches.get(accept)?.[0]);
    expect(others).toEqual([]);
    expect([added.type, modified.type, deleted.type]).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(modified.object).toEqual(shown.get(accept)?.body);
  });

  it("see rows of a table, and its columns once", () => {
    const [added, modified] = linesOf(watches.get(TABLE)?.[0]);
    const { body } = shown.get(TABLE) as Answer;
    expect(added.object.columnDefinitions).toEqual(body.columnDefinitions);
    expect(modified.object.columnDefinitions).toBeNull();
    const [row] = modified.object.rows;
    expect(row.object).toEqual(body.rows[0].object);
    expect(row.cells.slice(0, 2)).toEqual(["changed", 20_001]);
  });

  it("see the bytes of a protobuf read", () => {
    const [watch] = watches.get(`${PROTOBUF};stream=watch`) ?? [];
    expect(watch?.bytes.includes(shown.get(PROTOBUF)?.bytes as Buffer)).toBe(true);
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
