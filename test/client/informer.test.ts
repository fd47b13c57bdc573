import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import "../../generated/resources/core.v1.ts";
import { errorOfStatus } from "../../runtime/client/api-error.ts";
import { Informer, type InformerOptions } from "../../runtime/client/informer/informer.ts";
import type { KnownObject } from "../../runtime/client/informer/local-store.ts";
import type { InformerSource, SourceEvent, SourceWatch } from "../../runtime/client/informer/source.ts";
import { type Client, connect } from "../../runtime/client.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { HandClock } from "../fixtures/hand-clock.ts";
import { disposed } from "../tools/disposed.ts";

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
};

describe.each([
  ["streaming lists", "true"],
  ["lists and watches", "false"],
])("an informer of a server with %s", (_name, watchList) => {
  let plane: Plane;
  let client: Client;
  beforeAll(async () => {
    const flags = { controllers: "false", "feature-gates": `WatchList=${watchList}` };
    plane = await startPlane({ listen: false, flags });
    await plane.ready;
    client = await connect({ plane });
  });
  afterAll(() => plane.stop());

  it("holds what a list returns, follows changes, and tells several handlers", async () => {
    const maps = client.of(configMap);
    const metadata = (name: string) => ({ namespace: "default", name });
    for (let index = 0; index < 3; index++) await maps.create({ metadata: metadata(`a-${index}`), data: { v: "0" } });
    const informer = disposed(maps.informer({ namespace: "default" }));
    const seen: string[][] = [[], []];
    const record = (log: string[]) => ({
      added: ({ metadata: { name } }: { metadata: { name: string } }) => void log.push(`+${name}`),
      updated: ({ metadata: { name } }: { metadata: { name: string } }) => void log.push(`~${name}`),
      deleted: ({ metadata: { name } }: { metadata: { name: string } }) => void log.push(`-${name}`),
    });
    informer.on(record(seen[0] as string[]));
    await informer.start();
    expect(informer.list().map(({ metadata: { name } }) => name)).toEqual(["a-0", "a-1", "a-2"]);
    expect(informer.get(metadata("a-1"))).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { v: "0" } });
    expect(informer.get(metadata("a-1"))?.metadata.managedFields).toBeUndefined();

    await maps.patch(metadata("a-1"), { merge: { data: { v: "1" } } });
    await maps.delete(metadata("a-0"));
    await maps.create({ metadata: metadata("b") });
    await until(() => seen[0]?.length === 6);
    informer.on(record(seen[1] as string[]));
    expect(seen).toEqual([
      ["+a-0", "+a-1", "+a-2", "~a-1", "-a-0", "+b"],
      ["+a-1", "+a-2", "+b"],
    ]);
    expect(informer.metrics).toMatchObject({
      objects: 3,
      events: { added: 1, modified: 1, deleted: 1 },
      syncs: 1,
      queued: 0,
    });
    for (const { metadata: key } of informer.list()) await maps.delete(key);
    await until(() => informer.metrics.objects === 0);
  });

  it("selects, keeps metadata only, and finds objects by indexes", async () => {
    const maps = client.of(configMap);
    for (const [name, colour] of Object.entries({ a: "red", b: "blue", c: "red" }))
      await maps.create({ metadata: { namespace: "default", name, labels: { colour } }, data: { large: "x" } });
    await maps.create({ metadata: { namespace: "default", name: "d" } });
    const informer = disposed(
      maps.informer({
        labelSelector: "colour",
        metadataOnly: true,
        indexes: { colour: ({ metadata }) => metadata.labels?.colour },
      }),
    );
    await informer.start();
    const names = (colour: string) => informer.byIndex("colour", colour).map(({ metadata }) => metadata.name);
    expect([names("red"), names("blue"), names("green")]).toEqual([["a", "c"], ["b"], []]);
    expect(Object.keys(informer.list()[0] ?? {}).sort()).toEqual(["apiVersion", "kind", "metadata"]);
    expect(informer.get({ namespace: "default", name: "a" })).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    await maps.patch({ namespace: "default", name: "a" }, { merge: { metadata: { labels: { colour: "green" } } } });
    await maps.patch({ namespace: "default", name: "b" }, { merge: { metadata: { labels: { colour: null } } } });
    await until(() => informer.metrics.objects === 2 && names("green").length === 1);
    expect([names("red"), names("blue"), names("green")]).toEqual([["c"], [], ["a"]]);
  });
});

type Script = readonly (readonly SourceEvent<KnownObject>[] | Error | "silence" | "end")[];

const object = (name: string, version: number, uid = name): KnownObject => ({
  metadata: { name, uid, resourceVersion: String(version) },
});
const event = (type: "ADDED" | "MODIFIED" | "DELETED", name: string, version: number, uid?: string) => ({
  type,
  object: object(name, version, uid),
});
const bookmark = (version: number, initialEventsEnd = false) =>
  ({ type: "BOOKMARK", resourceVersion: String(version), initialEventsEnd }) as const;
const failure = (code: number, reason: "Expired" | "Invalid") =>
  errorOfStatus({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code, reason });

/** Watches with scripted events, one script per watch. A watch without a script sends nothing. */
function scripted(scripts: Script[], pages: readonly (readonly KnownObject[])[] = [], options: object = {}) {
  const clock = new HandClock();
  const watches: Pick<SourceWatch<object>, "resourceVersion" | "sendInitialEvents">[] = [];
  const times: number[] = [];
  const lists: string[] = [];
  const source: InformerSource<KnownObject> = {
    async list({ limit, continue: next }) {
      lists.push(`${limit} ${next}`);
      const at = Number(next || 0);
      return { items: pages[at] ?? [], resourceVersion: "50", continue: at + 1 < pages.length ? String(at + 1) : "" };
    },
    async watch({ resourceVersion, sendInitialEvents, signal }, take) {
      watches.push({ resourceVersion, sendInitialEvents });
      times.push(clock.now());
      for (const step of scripts.shift() ?? (["silence"] as Script)) {
        if (step instanceof Error) throw step;
        if (step === "end") return;
        if (step === "silence")
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        else await take(step as readonly SourceEvent<KnownObject>[]);
      }
    },
  };
  const full: InformerOptions<KnownObject, never> = { source, clock, random: () => 0.5, ...options };
  const informer = new Informer<KnownObject>(full);
  const seen: string[] = [];
  informer.on({
    added: ({ metadata }) => void seen.push(`+${metadata.name}@${metadata.resourceVersion}`),
    updated: ({ metadata }, old) =>
      void seen.push(`~${metadata.name}@${old.metadata.resourceVersion}-${metadata.resourceVersion}`),
    deleted: ({ metadata }, { isFinalStateUnknown }) =>
      void seen.push(`-${metadata.name}@${metadata.resourceVersion}${isFinalStateUnknown ? "?" : ""}`),
  });
  return { informer, clock, watches, times, lists, seen };
}

describe("an informer", () => {
  it("continues at its last version after a watch ended or broke, without losing or repeating an event", async () => {
    const initial = [event("ADDED", "a", 3), event("ADDED", "b", 5), bookmark(9, true)];
    const { informer, clock, watches, seen } = scripted([
      [initial, [event("MODIFIED", "a", 10)], "end"],
      [[event("MODIFIED", "a", 10), event("ADDED", "c", 11)], new Error("cut")],
      [[bookmark(20)], "end"],
      [[event("DELETED", "b", 21)], "silence"],
    ]);
    await informer.start();
    await clock.move(10_000);
    expect(seen).toEqual(["+a@3", "+b@5", "~a@3-10", "+c@11", "-b@21"]);
    expect(watches).toEqual([
      { resourceVersion: "", sendInitialEvents: true },
      { resourceVersion: "10", sendInitialEvents: false },
      { resourceVersion: "11", sendInitialEvents: false },
      { resourceVersion: "20", sendInitialEvents: false },
    ]);
    expect(informer.resourceVersion).toBe("21");
    await informer.stop();
  });

  it("reads everything again when its version has expired, and tells handlers the differences only", async () => {
    const { informer, clock, watches, seen } = scripted([
      [
        [event("ADDED", "a", 3), event("ADDED", "b", 4), event("ADDED", "c", 5), bookmark(9, true)],
        failure(410, "Expired"),
      ],
      [
        [event("ADDED", "a", 3), event("ADDED", "b", 12), event("ADDED", "d", 13, "new"), bookmark(14, true)],
        "silence",
      ],
    ]);
    await informer.start();
    await clock.move(10_000);
    expect(seen).toEqual(["+a@3", "+b@4", "+c@5", "-c@5?", "~b@4-12", "+d@13"]);
    expect(watches.map(({ sendInitialEvents }) => sendInitialEvents)).toEqual([true, true]);
    expect(informer.metrics).toMatchObject({ syncs: 2, failures: 1, objects: 3 });
    await informer.stop();
  });

  it("sees an object that was deleted and created anew meanwhile as two", async () => {
    const { informer, clock, seen } = scripted([
      [[event("ADDED", "a", 3), bookmark(9, true)], failure(410, "Expired")],
      [[event("ADDED", "a", 12, "other"), bookmark(14, true)], "silence"],
    ]);
    await informer.start();
    await clock.move(10_000);
    expect(seen).toEqual(["+a@3", "-a@3?", "+a@12"]);
    await informer.stop();
  });

  it("lists in pages where the server refuses streaming lists", async () => {
    const { informer, clock, watches, lists } = scripted(
      [[failure(422, "Invalid")], ["silence"]],
      [[object("a", 1)], [object("b", 2)]],
    );
    const started = informer.start();
    await clock.move(1000);
    await started;
    expect([lists, watches[1]]).toEqual([["500 ", "500 1"], { resourceVersion: "50", sendInitialEvents: false }]);
    expect(informer.list()).toHaveLength(2);
    await informer.stop();
  });

  it("lists in pages where the server never says that it has sent all objects", async () => {
    const { informer, clock, lists } = scripted([[[event("ADDED", "a", 3)], "silence"]], [[object("a", 3)]]);
    const started = informer.start();
    await clock.move(30_000);
    await started;
    expect([lists, informer.metrics.objects]).toEqual([["500 "], 1]);
    await informer.stop();
  });

  it("opens a watch anew that is silent for too long", async () => {
    const { informer, clock, watches } = scripted([[[bookmark(9, true)], "silence"]]);
    await informer.start();
    await clock.move(149_000);
    expect(watches).toHaveLength(1);
    await clock.move(5_000);
    expect(watches[1]).toEqual({ resourceVersion: "9", sendInitialEvents: false });
    await informer.stop();
  });

  it("waits longer after each failure, up to 30 seconds, and from the beginning after a success", async () => {
    const down = new Error("refused");
    const { informer, clock, times } = scripted([...Array<Script>(11).fill([down]), [[bookmark(9, true)], down]]);
    void informer.start();
    await clock.move(140_000);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const doubled = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
    expect(waits).toEqual([...doubled, 100]);
    await informer.stop();
  });

  it("reads no further while a handler is too slow, and loses nothing", async () => {
    const read: number[] = [];
    const clock = new HandClock();
    const source: InformerSource<KnownObject> = {
      list: () => Promise.reject(new Error("not needed")),
      async watch({ signal }, take) {
        await take([bookmark(1, true)]);
        for (let version = 2; version < 30; version++) {
          read.push(version);
          await take([event("ADDED", `o${version}`, version)]);
        }
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const informer = new Informer<KnownObject>({ source, clock, random: () => 0.5, queueLimit: 5 });
    let release: () => void = () => undefined;
    const slow: string[] = [];
    informer.on({
      added: async ({ metadata }) => {
        if (slow.length === 0) await new Promise<void>((resolve) => (release = resolve));
        slow.push(metadata.name);
      },
    });
    await informer.start();
    await clock.move(60_000);
    expect(read.length).toBeLessThan(10);
    expect(informer.metrics.queued).toBeGreaterThan(5);
    expect(informer.metrics.lagMs).toBe(60_000);
    release();
    await until(() => slow.length === 28);
    await informer.idle();
    expect(informer.metrics).toMatchObject({ queued: 0, lagMs: 0, objects: 28 });
    await informer.stop();
  });

  it("goes on after an error of a handler", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push((error as Error).message);
    const script: Script = [[event("ADDED", "a", 3), event("ADDED", "b", 4), bookmark(9, true)], "silence"];
    const { informer, seen } = scripted([script], [], { onError });
    informer.on({
      added({ metadata }) {
        throw new Error(`no ${metadata.name}`);
      },
    });
    informer.on({ added: ({ metadata }) => Promise.reject(new Error(`later ${metadata.name}`)) });
    await informer.start();
    await informer.idle();
    expect(seen).toEqual(["+a@3", "+b@4"]);
    expect(errors.sort()).toEqual(["later a", "later b", "no a", "no b"]);
    await informer.stop();
    await expect(scripted([]).informer.stop()).resolves.toBeUndefined();
  });

  it.each([0, 1000])(
    "stops while a handler works and others wait for it, with a queueLimit of %i",
    async (queueLimit) => {
      const script: Script = [[event("ADDED", "a", 3), event("ADDED", "b", 4), bookmark(9, true)]];
      const { informer } = scripted([script], [], { queueLimit });
      let handled = 0;
      informer.on({
        added: () => {
          handled++;
          return new Promise((resolve) => setTimeout(resolve, 100));
        },
      });
      await informer.start();
      const idle = informer.idle();
      await informer.stop();
      await idle;
      expect([handled, informer.metrics.queued]).toEqual([1, 0]);
    },
  );

  it("has typed objects and indexes", () => {
    const compiled = (client: Client) => {
      const informer = client
        .of(configMap)
        .informer({ indexes: { size: ({ data }) => String(Object.keys(data ?? {}).length) } });
      expectTypeOf(informer.byIndex("size", "1")[0]?.data).toEqualTypeOf<Record<string, string> | undefined>();
      // @ts-expect-error there is no such index
      informer.byIndex("weight", "1");
    };
    expect(compiled).toBeTypeOf("function");
  });
});
