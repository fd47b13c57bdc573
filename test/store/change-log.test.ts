import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restoreCommand } from "../../runtime/cli/backup.ts";
import { startPlane } from "../../runtime/plane.ts";
import { backUp } from "../../runtime/store/backup/back-up.ts";
import { type RestoreOptions, restore } from "../../runtime/store/backup/restore.ts";
import { DataFileView } from "../../runtime/store/embedded/data-file-view.ts";
import type { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { ManualClock } from "../watch/manual-clock.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const prefix = "/registry/things/";
const MIB = 1024 * 1024;

async function contents(store: EmbeddedStore): Promise<string[]> {
  const { entries } = await store.range({ prefix });
  return entries.map(
    ({ key, value, createRevision, modRevision }) =>
      `${key.slice(prefix.length)} ${createRevision}-${modRevision} ${Buffer.from(value).toString()}`,
  );
}

/** A data directory with a change log, and places for backups and restored data. */
function newPlaces() {
  const directory = temporaryDirectory();
  const [data, log, backup] = [join(directory, "data"), join(directory, "log"), join(directory, "backup")];
  const problems: string[] = [];
  let restored = 0;
  return {
    ...{ directory, data, log, backup, problems },
    open: (maxBytes = 64 * MIB, clock = new ManualClock()) => {
      const changeLog = { directory: log, maxBytes };
      return openEmbeddedStore(data, { clock, changeLog, onProblem: (problem) => problems.push(problem) });
    },
    /** Returns the content of a store that is restored from the backup and the log. */
    async restored(options: RestoreOptions = {}): Promise<string[]> {
      const target = join(directory, `restored-${restored++}`);
      await restore(backup, target, { changeLog: log, ...options });
      const store = await openEmbeddedStore(target, { clock: new ManualClock() });
      try {
        return await contents(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** Creates, changes and deletes objects. Returns the content of the store at each revision. */
async function write(store: EmbeddedStore, rounds: number): Promise<Map<number, string[]>> {
  const shown = new Map<number, string[]>();
  const note = async ({ revision }: { revision: number }): Promise<number> => {
    shown.set(revision, await contents(store));
    return revision;
  };
  for (let round = 0; round < rounds; round++) {
    const key = `${prefix}${String(await store.currentRevision()).padStart(4, "0")}`;
    const first = await note(await store.put(key, Buffer.from(`first ${round}`), { expected: 0 }));
    const second = await note(
      await store.put(key, Buffer.from(`second ${round}`), { expected: first, ttlSeconds: 1_000_000 }),
    );
    if (round % 2 === 0) await note(await store.delete(key, { expected: second }));
  }
  return shown;
}

describe("a change log", () => {
  it("and a backup lead to the state of every revision after the backup, also when history was compacted", async () => {
    const places = newPlaces();
    const store = await places.open();
    await write(store, 5);
    const { header } = await backUp(places.data, places.backup);
    const shown = await write(store, 5);
    await store.compact(await store.currentRevision());
    const last = await write(store, 3);
    await store.close();
    for (const [revision, expected] of [...shown, ...last]) {
      expect(revision).toBeGreaterThan(header.revision);
      expect(await places.restored({ toRevision: revision }), `revision ${revision}`).toEqual(expected);
    }
    const final = [...last.values()].at(-1);
    expect(await places.restored()).toEqual(final);
    expect(await places.restored({ bumpRevision: 1000 })).toEqual(final);
    await expect(places.restored({ toRevision: 1000 })).rejects.toThrow(/ends at revision \d+; 1000 is not in it/);
    expect(readdirSync(places.log).map((name) => statSync(join(places.log, name)).mode & 0o777)).toEqual([0o600]);
    expect(places.problems).toEqual([]);
  });

  it("keeps times to live", async () => {
    const places = newPlaces();
    const store = await places.open();
    await backUp(places.data, places.backup);
    await store.put(`${prefix}a`, Buffer.from("brief"), { expected: 0, ttlSeconds: 100 });
    await store.close();
    const target = join(places.directory, "restored");
    await restore(places.backup, target, { changeLog: places.log });
    const clock = new ManualClock();
    const restored = await openEmbeddedStore(target, { clock });
    expect(await contents(restored)).toEqual(["a 2-2 brief"]);
    await clock.advance(200_000);
    await expect.poll(() => contents(restored)).toEqual([]);
    await restored.close();
  });

  it("that a crash cut short is completed at the next start", async () => {
    const places = newPlaces();
    const store = await places.open();
    await backUp(places.data, places.backup);
    await write(store, 2);
    await store.compact(2);
    cpSync(places.log, join(places.directory, "then"), { recursive: true });
    await write(store, 2);
    await store.close();
    rmSync(places.log, { recursive: true });
    cpSync(join(places.directory, "then"), places.log, { recursive: true });
    const [file = ""] = readdirSync(places.log);
    appendFileSync(join(places.log, file), Buffer.from([100, 0, 0, 0, 1, 2, 3]));

    const again = await places.open();
    const shown = await write(again, 1);
    await again.close();
    expect(await places.restored()).toEqual([...shown.values()].at(-1));
    expect(places.problems).toEqual([]);
  });

  it("removes its oldest files beyond the maximum size, and a restore refuses a backup from before them", async () => {
    const places = newPlaces();
    const store = await places.open(4 * 1024);
    await backUp(places.data, places.backup);
    const clean = join(places.directory, "clean");
    for (let round = 0; round < 12; round++) {
      await write(store, 5);
      await store.compact(await store.currentRevision());
    }
    await backUp(places.data, clean);
    const shown = await write(store, 1);
    await store.close();
    const bytes = readdirSync(places.log).reduce((sum, name) => sum + statSync(join(places.log, name)).size, 0);
    expect(bytes).toBeLessThan(8 * 1024);
    expect(readdirSync(places.log).length).toBeGreaterThan(2);
    await expect(places.restored()).rejects.toThrow(/lacks the changes between the revisions 1 and \d+: use a backup/);
    const target = join(places.directory, "from-clean");
    await restore(clean, target, { changeLog: places.log });
    const restored = await openEmbeddedStore(target, { clock: new ManualClock() });
    expect(await contents(restored)).toEqual([...shown.values()].at(-1));
    await restored.close();
  });

  it("that a power failure left longer than what was written to it is restored and continued", async () => {
    const places = newPlaces();
    const store = await places.open();
    await backUp(places.data, places.backup);
    const shown = await write(store, 3);
    await store.close();
    const [file = ""] = readdirSync(places.log);
    appendFileSync(join(places.log, file), Buffer.alloc(4096));
    expect(await places.restored()).toEqual([...shown.values()].at(-1));
    const again = await places.open();
    const later = await write(again, 1);
    await again.close();
    expect(await places.restored()).toEqual([...later.values()].at(-1));
    expect(places.problems).toEqual([]);
  });

  it("with damage before good changes in its newest file is not restored beyond it, and no file is removed at the start", async () => {
    const places = newPlaces();
    const store = await places.open();
    await backUp(places.data, places.backup);
    const shown = await write(store, 20);
    await store.close();
    const [file = ""] = readdirSync(places.log);
    const path = join(places.log, file);
    const whole = readFileSync(path);
    const changed = Buffer.from(whole);
    changed[whole.length - 300] = (changed[whole.length - 300] ?? 0) ^ 1;
    writeFileSync(path, changed);
    const message = await places.restored().then(
      () => "restored",
      (error: Error) => error.message,
    );
    expect(message).toMatch(/is damaged after the change of revision (\d+): --to-revision=\1 restores/);
    const last = Number(/--to-revision=(\d+)/.exec(message)?.[1]);
    expect(await places.restored({ toRevision: last })).toEqual(shown.get(last));
    writeFileSync(path, Buffer.concat([Buffer.alloc(10), whole.subarray(10)]));
    await expect(places.restored()).rejects.toThrow("is damaged: it has no header");
    await expect(places.open()).rejects.toMatchObject({
      code: "Corrupt",
      message: `${path} is damaged: it has no header. Name another directory, and make a backup`,
    });
    expect(readdirSync(places.log)).toEqual([file]);
  });

  it("with damage or a missing file is not restored", async () => {
    const places = newPlaces();
    const store = await places.open(32 * 1024);
    await backUp(places.data, places.backup);
    for (let round = 0; round < 12; round++) {
      await write(store, 5);
      await store.compact(await store.currentRevision());
    }
    await store.close();
    const [first = "", second = ""] = readdirSync(places.log).sort();
    const path = join(places.log, first);
    const whole = readFileSync(path);
    const changed = Buffer.from(whole);
    changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1;
    writeFileSync(path, changed);
    await expect(places.restored()).rejects.toThrow(/is damaged after the change of revision \d+/);
    writeFileSync(path, whole);
    const kept = readFileSync(join(places.log, second));
    rmSync(join(places.log, second));
    await expect(places.restored()).rejects.toThrow(/lacks the changes between/);
    writeFileSync(join(places.log, second), kept);
    await places.restored();
  });

  it("of other data, or of a past that a restore has undone, is refused at the start", async () => {
    const places = newPlaces();
    const store = await places.open();
    await backUp(places.data, places.backup);
    await write(store, 2);
    await store.close();
    const changeLog = { directory: places.log, maxBytes: MIB };
    const past = join(places.directory, "past");
    await restore(places.backup, past);
    await expect(openEmbeddedStore(past, { changeLog })).rejects.toThrow(/has changes that the data lacks/);
    const branch = await openEmbeddedStore(past);
    await write(branch, 3);
    await branch.close();
    await expect(openEmbeddedStore(past, { changeLog })).rejects.toThrow(/has changes that the data lacks/);
    const other = join(places.directory, "other");
    await expect(openEmbeddedStore(other, { changeLog })).rejects.toThrow(/belongs to other data/);
    const unrelated = await openEmbeddedStore(other);
    await unrelated.close();
    const file = join(places.directory, "other-backup");
    await backUp(other, file);
    await expect(restore(file, join(places.directory, "wrong"), { changeLog: places.log })).rejects.toThrow(
      "is the change log of other data than the backup",
    );
  });

  it("that cannot be written is reported once, and the store keeps its history until it can", async () => {
    const places = newPlaces();
    const clock = new ManualClock();
    const store = await places.open(8, clock);
    await backUp(places.data, places.backup);
    await write(store, 1);
    const logged = await store.currentRevision();
    // Waits for the log.
    await store.compact(2);
    const aside = join(places.directory, "aside");
    cpSync(places.log, aside, { recursive: true });
    rmSync(places.log, { recursive: true });
    const shown = await write(store, 4);
    const compacted = async (): Promise<number> => {
      await clock.advance(60_000);
      const view = await DataFileView.open(places.data);
      await view.close();
      return view.compactedRevision;
    };
    await expect.poll(compacted).toBeGreaterThanOrEqual(logged);
    for (let minute = 0; minute < 20; minute++) expect(await compacted(), "the last revision in the log").toBe(logged);
    await expect.poll(() => places.problems).toHaveLength(1);
    const use = async () => (await store.diskUse())[0]?.file?.changeLog;
    expect((await use())?.failures).toBeGreaterThan(1);
    expect((await use())?.behind).toBe((await store.currentRevision()) - logged);
    expect(places.problems[0]).toMatch(/cannot be written: ENOENT.*; the data file keeps its history until it can$/);
    cpSync(aside, places.log, { recursive: true });
    const behind = async (): Promise<number | undefined> => {
      await clock.advance(10_000);
      return (await use())?.behind;
    };
    await expect.poll(behind).toBe(0);
    await store.close();
    await places.open(64 * MIB).then((again) => again.close());
    expect(await places.restored()).toEqual([...shown.values()].at(-1));
  });

  it("restores what a server showed at a resourceVersion", async () => {
    const directory = temporaryDirectory();
    const [log, backup, target] = [join(directory, "log"), join(directory, "backup"), join(directory, "new")];
    const plane = await startPlane({ directory, flags: { controllers: "false", "change-log-dir": log } });
    await plane.ready;
    const call = createClient(plane);
    await backUp(join(directory, "data"), backup);
    const maps = "/api/v1/namespaces/default/configmaps";
    const body = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { name } });
    for (const name of ["a", "b"]) expect((await call("POST", maps, { body: body(name) })).status).toBe(201);
    const shown = (await call("GET", maps)).body as { metadata: { resourceVersion: string }; items: unknown[] };
    expect((await call("DELETE", maps)).status).toBe(200);
    await plane.stop();

    let said = "";
    const say = (text: string): void => void (said += text);
    const { resourceVersion } = shown.metadata;
    const args = [`--from=${backup}`, `--change-log=${log}`, `--to-revision=${resourceVersion}`];
    const streams = { stdin: () => "", out: say, err: say };
    expect(await restoreCommand([...args, `--data-dir=${join(target, "data")}`], streams)).toBe(0);
    expect(said).toMatch(new RegExp(`restored, revision ${resourceVersion}\n$`));
    const again = await startPlane({ directory: target, flags: { controllers: "false" } });
    await again.ready;
    expect(((await createClient(again)("GET", maps)).body as typeof shown).items).toEqual(shown.items);
    await again.stop();
  });
});
