import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { RecordAge } from "../../runtime/store/embedded/engine.ts";
import { LmdbEngine } from "../../runtime/store/embedded/lmdb-engine.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { RecentRecords } from "../../runtime/store/embedded/recent-records.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-recent-records-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("what is remembered of recent records", () => {
  it("is what was noted of the newest ones, without those that were compacted", () => {
    const record = fc.record({
      step: fc.integer({ min: 1, max: 3 }),
      time: fc.integer({ min: 0, max: 2 ** 41 }),
      type: fc.constantFrom("put" as const, "delete" as const),
      previousRevision: fc.integer({ min: 0, max: 1000 }),
    });
    const step = fc.oneof(fc.array(record, { maxLength: 8 }), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 40 }), (steps, back) => {
        const most = 20;
        const recent = new RecentRecords(most);
        let expected: RecordAge[] = [];
        let revision = 0;
        let compacted = 0;
        for (const each of steps) {
          if (typeof each === "number") {
            compacted = Math.max(compacted, revision - each);
            recent.forgetUpTo(compacted);
          } else {
            const records = each.map(({ step: ahead, ...rest }) => {
              revision += ahead;
              return { ...rest, revision };
            });
            recent.note(records);
            expected.push(...records);
          }
          expected = expected.filter((one) => one.revision > compacted).slice(-most);
        }
        const from = revision - back;
        expect([...recent.from(from)]).toEqual(expected.filter((one) => one.revision >= from));
        expect(recent.firstRevision).toBe(expected[0]?.revision ?? Number.POSITIVE_INFINITY);
      }),
    );
  });
});

describe("compaction of a data file", () => {
  it("reads only the records that another process has written", async () => {
    const read: number[] = [];
    const recordHeaders = LmdbEngine.prototype.recordHeaders;
    const write = async (names: readonly string[]) => {
      const store = await openEmbeddedStore(directory);
      for (const name of names) await store.put(`/registry/things/${name}`, Buffer.from(name), { expected: 0 });
      const { modRevision } = (await store.get("/registry/things/a")) ?? { modRevision: 0 };
      const { revision } = await store.put("/registry/things/a", Buffer.from("changed"), { expected: modRevision });
      return { store, revision };
    };
    const before = await write(["a", "b"]);
    await before.store.close();
    const after = await write(["c"]);
    LmdbEngine.prototype.recordHeaders = function* (from) {
      for (const header of recordHeaders.call(this, from)) {
        read.push(header.revision);
        yield header;
      }
    };
    try {
      await after.store.compact(after.revision);
    } finally {
      LmdbEngine.prototype.recordHeaders = recordHeaders;
    }
    expect(read.filter((revision) => revision > before.revision + 1)).toEqual([]);
    expect(read).toContain(before.revision);
    const { entries } = await after.store.range({ prefix: "/registry/things/" });
    expect(entries.map(({ key, value }) => `${key.slice(-1)} ${Buffer.from(value).toString()}`)).toEqual([
      "a changed",
      "b b",
      "c c",
    ]);
    for (const revision of [before.revision, before.revision - 1])
      await expect(after.store.get("/registry/things/a", { atRevision: revision })).rejects.toThrow("compacted");
    expect(after.store.direct.valueAt(before.revision)).toBeUndefined();
    await after.store.close();
  });
});
