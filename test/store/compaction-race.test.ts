import { expect, it } from "vitest";
import type { LogRecord } from "../../runtime/store/embedded/engine.ts";
import { LmdbEngine } from "../../runtime/store/embedded/lmdb-engine.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const nothing = { records: [], expiries: [], droppedRecords: [], droppedExpiries: [] };

it("counts a revision as compacted before its record is gone, so that no watch begins in between and misses a deletion", async () => {
  const engine = await LmdbEngine.open(temporaryDirectory());
  const record = (revision: number): LogRecord => ({
    revision,
    type: revision % 2 === 0 ? "put" : "delete",
    key: "/registry/things/a",
    createRevision: revision - (revision % 2),
    previousRevision: revision % 2 === 0 ? 0 : revision - 1,
    time: 0,
    value: Buffer.alloc(0),
  });
  let missed = 0;
  for (let revision = 2; revision < 200; revision += 2) {
    await engine.commit({ ...nothing, records: [record(revision), record(revision + 1)] });
    const dropped = [revision, revision + 1];
    let done = false;
    const compacting = engine
      .commit({ ...nothing, droppedRecords: dropped, compactedRevision: revision + 1 })
      .then(() => {
        done = true;
      });
    while (!done) {
      const [first] = engine.records(revision + 1);
      if (first === undefined && engine.compactedRevision() <= revision) missed++;
      await Promise.resolve();
      await new Promise(setImmediate);
    }
    await compacting;
  }
  await engine.close();
  expect(missed).toBe(0);
});
