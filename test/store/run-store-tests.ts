import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CasFailedError, CompactedError, FutureRevisionError, type StoreError } from "../../runtime/store/errors.ts";
import type { Store, StoreEvent, StoreWatch, WatchRequest } from "../../runtime/store/store.ts";

const bytes = (text: string): Buffer => Buffer.from(text);
const text = (value: Uint8Array): string => Buffer.from(value).toString();

/** Records the events of a watch and can wait for them. */
export class Recorder {
  readonly events: StoreEvent[] = [];
  revision = 0;
  error: Error | undefined;
  #waiting: (() => void)[] = [];

  constructor(store: Store, request: WatchRequest) {
    this.watch = store.watch(request, {
      changed: (events, revision) => {
        this.events.push(...events);
        this.#advance(revision);
      },
      progress: (revision) => this.#advance(revision),
      failed: (error) => {
        this.error = error;
        this.#wake();
      },
    });
  }

  readonly watch: StoreWatch;

  get summary(): string[] {
    return this.events.map((event) => `${event.type} ${event.key} ${text(event.value)}`.trim());
  }

  async until(condition: (recorder: Recorder) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #advance(revision: number): void {
    this.revision = Math.max(this.revision, revision);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Tests that every store must pass. `makeStore` returns an empty store, or one whose other keys are outside of `prefix`. */
export function runStoreTests(name: string, makeStore: () => Promise<{ store: Store; prefix: string }>): void {
  describe(`${name} store`, () => {
    let store: Store;
    let prefix: string;
    const key = (suffix: string): string => `${prefix}${suffix}`;
    const create = async (suffix: string, value = suffix): Promise<number> =>
      (await store.put(key(suffix), bytes(value), { expected: 0 })).revision;

    beforeEach(async () => {
      ({ store, prefix } = await makeStore());
    });
    afterEach(() => store.close());

    describe("compare-and-set", () => {
      it("creates a key only when it does not exist", async () => {
        const revision = await create("a");
        expect(revision).toBeGreaterThan(1);
        const failure = await store.put(key("a"), bytes("again"), { expected: 0 }).catch((error) => error);
        expect(failure).toBeInstanceOf(CasFailedError);
        expect(failure.current).toMatchObject({ key: key("a"), modRevision: revision, createRevision: revision });
        expect(text(failure.current.value)).toBe("a");
      });

      it("updates a key only from the revision it is at, and keeps its creation revision", async () => {
        const created = await create("a");
        const { revision } = await store.put(key("a"), bytes("two"), { expected: created });
        expect(revision).toBeGreaterThan(created);
        await expect(store.put(key("a"), bytes("three"), { expected: created })).rejects.toThrow(CasFailedError);
        expect(await store.get(key("a"))).toMatchObject({ createRevision: created, modRevision: revision });
      });

      it("refuses to update or delete a key that does not exist", async () => {
        const update = await store.put(key("a"), bytes("x"), { expected: 7 }).catch((error) => error);
        expect(update).toMatchObject({ code: "CasFailed", current: undefined });
        await expect(store.delete(key("a"), { expected: 7 })).rejects.toMatchObject({ code: "CasFailed" });
      });

      it("deletes a key only at its current revision; a key that is created again has a new creation revision", async () => {
        const created = await create("a");
        await expect(store.delete(key("a"), { expected: created - 1 })).rejects.toMatchObject({ code: "CasFailed" });
        const deleted = await store.delete(key("a"), { expected: created });
        expect(deleted.revision).toBeGreaterThan(created);
        expect(await store.get(key("a"))).toBeUndefined();
        const again = await create("a");
        expect(await store.get(key("a"))).toMatchObject({ createRevision: again, modRevision: again });
      });

      it("lets exactly one of many concurrent writers with the same expected revision succeed", async () => {
        const created = await create("a");
        const outcomes = await Promise.allSettled(
          Array.from({ length: 20 }, (_, i) => store.put(key("a"), bytes(`w${i}`), { expected: created })),
        );
        const winners = outcomes.filter((outcome) => outcome.status === "fulfilled");
        expect(winners).toHaveLength(1);
        for (const outcome of outcomes) {
          if (outcome.status === "rejected") expect((outcome.reason as CasFailedError).current).toBeDefined();
        }
      });

      it("counts a shared counter correctly under contention", async () => {
        await create("counter", "0");
        const increment = async (): Promise<void> => {
          for (;;) {
            const entry = await store.get(key("counter"));
            if (entry === undefined) throw new Error("the counter is gone");
            try {
              await store.put(key("counter"), bytes(String(Number(text(entry.value)) + 1)), {
                expected: entry.modRevision,
              });
              return;
            } catch (error) {
              if (!(error instanceof CasFailedError)) throw error;
            }
          }
        };
        await Promise.all(Array.from({ length: 12 }, increment));
        expect(text((await store.get(key("counter")))?.value ?? bytes(""))).toBe("12");
      });
    });

    describe("reads", () => {
      it("reports its size on disk, if it has one", async () => {
        await create("a");
        for (const { sizeBytes } of await store.diskUse()) expect(sizeBytes).toBeGreaterThan(1000);
      });

      it("ranges over a prefix in key order, page by page, counting the rest", async () => {
        for (const name of ["b/2", "a/1", "b/1", "c/1", "b/3", "b"]) await create(name);
        const first = await store.range({ prefix: key("b/"), limit: 2, count: true });
        expect(first.entries.map((entry) => entry.key)).toEqual([key("b/1"), key("b/2")]);
        expect(first).toMatchObject({ more: true, count: 3 });
        const rest = await store.range({ prefix: key("b/"), startAfter: key("b/2"), limit: 2, count: true });
        expect(rest.entries.map((entry) => entry.key)).toEqual([key("b/3")]);
        expect(rest).toMatchObject({ more: false, count: 1 });
        expect((await store.range({ prefix: key("none/") })).entries).toEqual([]);
      });

      it("ranges over many entries without a limit", async () => {
        // Written in batches: on a slow machine the last of many concurrent requests would exceed the store's timeout.
        for (let from = 0; from < 2300; from += 100)
          await Promise.all(Array.from({ length: 100 }, (_, i) => create(`n/${String(from + i).padStart(5, "0")}`)));
        const all = await store.range({ prefix: key("n/") });
        expect(all.entries).toHaveLength(2300);
        expect(all.more).toBe(false);
        const keys = all.entries.map((entry) => entry.key);
        expect(keys).toEqual([...keys].sort());
      });

      it("reads the state at an earlier revision", async () => {
        const a = await create("a", "a1");
        const b = await create("b", "b1");
        await store.put(key("a"), bytes("a2"), { expected: a });
        await store.delete(key("b"), { expected: b });
        const c = await create("c", "c1");
        const seen = async (atRevision: number): Promise<string[]> =>
          (await store.range({ prefix, atRevision })).entries.map((entry) => text(entry.value));
        expect(await seen(a)).toEqual(["a1"]);
        expect(await seen(b)).toEqual(["a1", "b1"]);
        expect(await seen(b + 1)).toEqual(["a2", "b1"]);
        expect(await seen(b + 2)).toEqual(["a2"]);
        expect(await seen(c)).toEqual(["a2", "c1"]);
        const paged = await store.range({ prefix, atRevision: b, limit: 1, count: true });
        expect(paged).toMatchObject({ more: true, count: 2, revision: b });
        expect(text((await store.get(key("a"), { atRevision: a }))?.value ?? bytes(""))).toBe("a1");
        expect(await store.get(key("c"), { atRevision: b })).toBeUndefined();
        expect(text((await store.get(key("b"), { atRevision: b }))?.value ?? bytes(""))).toBe("b1");
      });

      it("reports the revision of a read", async () => {
        const revision = await create("a");
        expect((await store.range({ prefix })).revision).toBeGreaterThanOrEqual(revision);
        expect(await store.currentRevision()).toBeGreaterThanOrEqual(revision);
      });

      it("rejects a read at a future revision", async () => {
        const current = await store.currentRevision();
        await expect(store.range({ prefix, atRevision: current + 1 })).rejects.toThrow(FutureRevisionError);
        expect(await store.range({ prefix, atRevision: current })).toMatchObject({ revision: current });
      });

      it("stores binary values unchanged", async () => {
        const value = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
        await store.put(key("binary"), value, { expected: 0 });
        expect(Buffer.from((await store.get(key("binary")))?.value ?? []).equals(value)).toBe(true);
        await store.put(key("empty"), new Uint8Array(), { expected: 0 });
        expect((await store.get(key("empty")))?.value).toHaveLength(0);
      });
    });

    describe("watch", () => {
      it("reports every change below the prefix in order, with the previous value", async () => {
        const start = await store.currentRevision();
        const recorder = new Recorder(store, { prefix: key("w/"), startRevision: start + 1, previous: true });
        const created = await create("w/a", "1");
        await create("elsewhere");
        const { revision } = await store.put(key("w/a"), bytes("2"), { expected: created });
        await store.delete(key("w/a"), { expected: revision });
        await recorder.until(() => recorder.events.length === 3);
        expect(recorder.summary).toEqual([`put ${key("w/a")} 1`, `put ${key("w/a")} 2`, `delete ${key("w/a")}`]);
        expect(recorder.events.map((event) => event.createRevision)).toEqual([created, created, 0]);
        expect(recorder.events.map((event) => event.previous && text(event.previous.value))).toEqual([
          undefined,
          "1",
          "2",
        ]);
        expect(recorder.events.map((event) => event.previous?.modRevision)).toEqual([undefined, created, revision]);
        recorder.watch.close();
      });

      it("starts at an old revision and continues with new changes without gaps or duplicates", async () => {
        const start = await store.currentRevision();
        for (let i = 0; i < 30; i++) await create(`w/${i}`);
        const recorder = new Recorder(store, { prefix: key("w/"), startRevision: start + 1 });
        const writes = Array.from({ length: 30 }, (_, i) => create(`w/late-${i}`));
        await Promise.all(writes);
        await recorder.until(() => recorder.events.length >= 60);
        expect(new Set(recorder.events.map((event) => event.key)).size).toBe(60);
        const revisions = recorder.events.map((event) => event.revision);
        expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
        recorder.watch.close();
      });

      it("reports its progress on request", async () => {
        const recorder = new Recorder(store, {
          prefix: key("quiet/"),
          startRevision: (await store.currentRevision()) + 1,
        });
        const revision = await create("other");
        while (recorder.revision < revision) {
          recorder.watch.requestProgress();
          await Promise.race([recorder.until(() => recorder.revision >= revision), pause(50)]);
        }
        expect(recorder.events).toEqual([]);
        recorder.watch.close();
      });

      it("that starts at a future revision sends what is written from there on and nothing older", async () => {
        const now = await create("a");
        const recorder = new Recorder(store, { prefix, startRevision: now + 3 });
        const written: number[] = [];
        for (const name of ["b", "c", "d", "e"]) written.push(await create(name));
        expect(written).toEqual([now + 1, now + 2, now + 3, now + 4]);
        await recorder.until(({ events }) => events.at(-1)?.key === key("e"));
        expect(recorder.events.map(({ key, revision }) => [key, revision])).toEqual([
          [key("d"), now + 3],
          [key("e"), now + 4],
        ]);
        recorder.watch.close();
      });

      it("sends no events after it was closed", async () => {
        const recorder = new Recorder(store, { prefix, startRevision: (await store.currentRevision()) + 1 });
        await create("a");
        await recorder.until(() => recorder.events.length === 1);
        recorder.watch.close();
        const other = new Recorder(store, { prefix, startRevision: (await store.currentRevision()) + 1 });
        await create("b");
        await other.until(() => other.events.length === 1);
        expect(recorder.events).toHaveLength(1);
        other.watch.close();
      });

      if (name !== "etcd") {
        it("calls watchers before a write is acknowledged", async () => {
          const recorder = new Recorder(store, { prefix, startRevision: (await store.currentRevision()) + 1 });
          await recorder.until(() => recorder.revision > 0);
          const revision = await create("a");
          expect(recorder.events.map((event) => event.revision)).toEqual([revision]);
        });
      }
    });

    describe("compaction", () => {
      it("removes old revisions and keeps current values", async () => {
        const first = await create("a", "1");
        await create("kept");
        const second = (await store.put(key("a"), bytes("2"), { expected: first })).revision;
        const gone = await create("gone");
        const deleted = (await store.delete(key("gone"), { expected: gone })).revision;
        await store.compact(deleted);
        await expect(store.range({ prefix, atRevision: first })).rejects.toThrow(CompactedError);
        await expect(store.get(key("a"), { atRevision: second })).rejects.toMatchObject({ code: "Compacted" });
        const now = await store.range({ prefix });
        expect(now.entries.map((entry) => text(entry.value))).toEqual(["2", "kept"]);
        expect((await store.range({ prefix, atRevision: deleted })).entries).toHaveLength(2);
      });

      it("ends watches that start before it with Compacted, and serves those after it", async () => {
        const first = await create("a", "1");
        const second = (await store.put(key("a"), bytes("2"), { expected: first })).revision;
        const third = (await store.put(key("a"), bytes("3"), { expected: second })).revision;
        await store.compact(second);
        const early = new Recorder(store, { prefix, startRevision: first });
        await early.until(() => early.error !== undefined);
        expect((early.error as StoreError).code).toBe("Compacted");
        const late = new Recorder(store, { prefix, startRevision: third, previous: true });
        await late.until(() => late.events.length === 1);
        expect(text(late.events[0]?.previous?.value ?? bytes(""))).toBe("2");
        late.watch.close();
      });

      it("hides no deletion from a watch that starts at its revision, which was compacted: it sends the deletion or ends with Compacted", async () => {
        const revision = await create("a");
        const deleted = (await store.delete(key("a"), { expected: revision })).revision;
        const compacted = store.compact(deleted);
        const during = new Recorder(store, { prefix, startRevision: deleted });
        await compacted;
        const later = new Recorder(store, { prefix, startRevision: deleted });
        const last = await create("b");
        for (const recorder of [during, later]) {
          await recorder.until(({ error, events }) => error !== undefined || events.at(-1)?.revision === last);
          if (recorder.error === undefined)
            expect(recorder.summary).toEqual([`delete ${key("a")}`, `put ${key("b")} b`]);
          else expect(recorder.error).toBeInstanceOf(CompactedError);
          recorder.watch.close();
        }
      });

      it("rejects compaction at a future or already compacted revision", async () => {
        const revision = await create("a");
        const last = await create("b");
        await expect(store.compact(last + 1)).rejects.toMatchObject({ code: "FutureRevision" });
        await store.compact(revision);
        await expect(store.compact(revision)).rejects.toMatchObject({ code: "Compacted" });
      });
    });

    it("rejects operations after it was closed", async () => {
      await store.close();
      await expect(store.get(key("a"))).rejects.toMatchObject({ code: "Closed" });
      await expect(store.put(key("a"), bytes("x"), { expected: 0 })).rejects.toMatchObject({ code: "Closed" });
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
