import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { readDirectory } from "../../runtime/store/backup/read-stored.ts";
import { NewDataFile } from "../../runtime/store/embedded/new-data-file.ts";
import { everyEntry } from "../../runtime/store/every-entry.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const OBJECTS = 24;
const VALUE_BYTES = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** In buffers. Those of collected objects are freed some turns later. */
async function referencedBytes(): Promise<number> {
  collectGarbage();
  await setTimeout(100);
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** A data file with objects that have been written twice. */
async function largeDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  const file = await NewDataFile.begin(directory, Buffer.alloc(32, 1));
  for (let revision = 2; revision < 2 + 2 * OBJECTS; revision++) {
    const [number, again] = [(revision - 2) % OBJECTS, revision >= 2 + OBJECTS];
    await file.add({
      type: "put",
      key: `/registry/configmaps/default/${String(number).padStart(2, "0")}`,
      value: Buffer.alloc(VALUE_BYTES, revision),
      revision,
      createRevision: number + 2,
      previousRevision: again ? number + 2 : 0,
      time: 0,
    });
  }
  await file.finish({ compactedRevision: 1, expiries: [] });
  return directory;
}

it("leaves the values of a data file where they are", async () => {
  const directory = await largeDirectory();
  const before = await referencedBytes();
  const { store, revision, problems } = await readDirectory(directory, () => undefined);
  expect((await referencedBytes()) - before).toBeLessThan((OBJECTS * VALUE_BYTES) / 8);
  expect({ revision, problems }).toEqual({ revision: 1 + 2 * OBJECTS, problems: [] });
  let number = 0;
  for await (const { key, value, modRevision, createRevision } of everyEntry(store, "/registry/configmaps/")) {
    expect({ key, modRevision, createRevision }).toEqual({
      key: `/registry/configmaps/default/${String(number).padStart(2, "0")}`,
      modRevision: 2 + OBJECTS + number,
      createRevision: 2 + number,
    });
    expect(Buffer.alloc(VALUE_BYTES, modRevision).equals(value)).toBe(true);
    number++;
  }
  expect(number).toBe(OBJECTS);
  expect((await store.range({ prefix: "/registry/", limit: 1, count: true })).count).toBe(OBJECTS);
  await expect(store.put("/registry/configmaps/default/new", Buffer.alloc(1), { expected: 0 })).rejects.toThrow(
    "only read",
  );
  await store.close();
});
