import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { downgradeStorageCommand } from "../../runtime/cli/downgrade-storage.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { DataFileView } from "../../runtime/store/embedded/data-file-view.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { ManualClock } from "../watch/manual-clock.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const GOLDEN = new URL("../fixtures/data-formats/", import.meta.url).pathname;
const FORMATS = readdirSync(GOLDEN).filter((name) => name.startsWith("format-"));

function unpack(name: string, file: string): Buffer {
  return gunzipSync(readFileSync(join(GOLDEN, name, `${file}.gz`)));
}

/** Returns a directory for a plane with data in a given format. */
function planeDirectory(name: string): { directory: string; data: string; file: string } {
  const directory = temporaryDirectory();
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  const file = join(data, "data.mdb");
  writeFileSync(file, unpack(name, "data.mdb"), { mode: 0o600 });
  return { directory, data, file };
}

async function servedFrom(directory: string): Promise<Plane> {
  const plane = await startPlane({ directory, flags: { controllers: "false" } });
  await plane.ready;
  return plane;
}

async function itemsOf(plane: Plane, path: string): Promise<{ metadata: { name: string } }[]> {
  return ((await createClient(plane)("GET", path)).body as { items: { metadata: { name: string } }[] }).items;
}

/** Returns everything in a store: keys, revisions and values, and the readable history. */
async function everything(data: string): Promise<unknown> {
  const store = await openEmbeddedStore(data, { clock: new ManualClock(), historyMs: Number.POSITIVE_INFINITY });
  try {
    const { entries, revision } = await store.range({ prefix: "/" });
    const view = await DataFileView.open(data);
    try {
      const records = [...view.records()].map((record) => ({
        ...record,
        value: Buffer.from(record.value).toString("hex"),
      }));
      return {
        revision,
        identity: Buffer.from(store.identity).toString("hex"),
        entries: entries.map((entry) => ({ ...entry, value: Buffer.from(entry.value).toString("hex") })),
        records,
        expiries: [...view.expiries()],
      };
    } finally {
      await view.close();
    }
  } finally {
    await store.close();
  }
}

describe.each(FORMATS)("a data directory of %s", (name) => {
  const isOld = name === "format-1";

  it("is served with every object as its own server showed it; an older file is kept", async () => {
    const { directory, data } = planeDirectory(name);
    const shown = JSON.parse(unpack(name, "shown.json").toString()) as Record<string, { metadata: { name: string } }[]>;
    const plane = await servedFrom(directory);
    for (const [path, items] of Object.entries(shown)) {
      const found = await itemsOf(plane, path);
      // The server writes its own address into this one.
      const expected = items.filter(({ metadata }) => metadata.name !== "kubernetes");
      const names = new Set(expected.map(({ metadata }) => metadata.name));
      expect(
        found.filter(({ metadata }) => names.has(metadata.name)),
        path,
      ).toEqual(expected);
    }
    await plane.stop();
    expect(existsSync(join(data, "data.mdb.format-1"))).toBe(isOld);
    if (isOld) expect(readFileSync(join(data, "data.mdb.format-1")).equals(unpack(name, "data.mdb"))).toBe(true);
  });

  it("goes back to the previous format and forward again with every change", async () => {
    const { data, file } = planeDirectory(name);
    const store = await openEmbeddedStore(data, { clock: new ManualClock(), historyMs: Number.POSITIVE_INFINITY });
    const { revision } = await store.put("/registry/things/a", Buffer.from("one"), { expected: 0, ttlSeconds: 1e9 });
    const { revision: expected } = await store.put("/registry/things/b", Buffer.from("two"), { expected: 0 });
    await store.put("/registry/things/a", Buffer.from("three"), { expected: revision, ttlSeconds: 1e9 });
    await store.delete("/registry/things/b", { expected });
    await store.close();
    const before = await everything(data);
    const present = readFileSync(file);

    let said = "";
    const say = (text: string): void => void (said += text);
    expect(await downgradeStorageCommand([`--data-dir=${data}`], { stdin: () => "", out: say, err: say })).toBe(0);
    expect(said).toMatch(/: format 1 instead of 2, revision \d+, \d+ records, checked\n$/);
    expect(readFileSync(`${file}.format-2`).equals(present)).toBe(true);
    await expect(DataFileView.open(data)).rejects.toThrow("has format 1; this version reads format 2");
    await expect(
      downgradeStorageCommand([`--data-dir=${data}`], { stdin: () => "", out: say, err: say }),
    ).rejects.toThrow("has format 1");
    const older = readFileSync(file);
    expect(await everything(data)).toEqual(before);
    expect(readFileSync(`${file}.format-1`).equals(older), "the newest file of format 1 is kept").toBe(true);
  });
});

it("a data directory is not downgraded while a server uses it", async () => {
  const data = temporaryDirectory();
  const store = await openEmbeddedStore(data);
  await expect(
    downgradeStorageCommand([`--data-dir=${data}`], { stdin: () => "", out: () => undefined, err: () => undefined }),
  ).rejects.toMatchObject({ code: "Locked" });
  await store.close();
});
