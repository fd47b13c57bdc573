import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, it } from "vitest";
import { DataFileView } from "../../runtime/store/embedded/data-file-view.ts";
import { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import type { Changes } from "../../runtime/store/embedded/engine.ts";
import { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { openEmbeddedStore, openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { NoSpaceError } from "../../runtime/store/errors.ts";
import { ManualClock } from "../watch/manual-clock.ts";
import { Recorder } from "./run-store-tests.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const prefix = "/registry/things/";
const value = Buffer.from("value");

describe("a directory with data", () => {
  it("is complete after the store was closed and opened again: history, revisions and identity", async () => {
    const directory = temporaryDirectory();
    const first = await openEmbeddedStore(directory);
    const a = (await first.put(`${prefix}a`, value, { expected: 0 })).revision;
    const b = (await first.put(`${prefix}b`, value, { expected: 0 })).revision;
    await first.delete(`${prefix}a`, { expected: a });
    const { identity } = first;
    await first.close();
    const second = await openEmbeddedStore(directory);
    expect(Buffer.from(second.identity)).toEqual(Buffer.from(identity));
    expect(await second.get(`${prefix}a`)).toBeUndefined();
    expect(await second.get(`${prefix}a`, { atRevision: b })).toBeDefined();
    const recorder = new Recorder(second, { prefix, startRevision: a });
    await recorder.until(() => recorder.events.length === 3);
    expect((await second.put(`${prefix}c`, value, { expected: 0 })).revision).toBeGreaterThan(b + 1);
    await second.close();
  });

  it("is rejected while another process uses it, with its pid; the lock of a dead process is taken over", async () => {
    const directory = temporaryDirectory();
    const store = await openEmbeddedStore(directory);
    await expect(openEmbeddedStore(directory)).rejects.toMatchObject({
      code: "Locked",
      message: `the data directory ${directory} is in use by the process with pid ${process.pid}`,
    });
    await store.close();
    writeFileSync(join(directory, "server.lock"), JSON.stringify({ pid: 2 ** 22 + 1, started: "1" }));
    await (await openEmbeddedStore(directory)).close();
    writeFileSync(join(directory, "server.lock"), JSON.stringify({ pid: process.pid, started: "another life" }));
    await (await openEmbeddedStore(directory)).close();
    writeFileSync(join(directory, "server.lock"), "half written");
    await (await openEmbeddedStore(directory)).close();
  });

  it("is rejected while a process in another container uses it, whose pid is unknown here, until that process ends", async () => {
    // A path that is longer than the addresses of sockets.
    for (const directory of [temporaryDirectory(), join(temporaryDirectory(), "d".repeat(120))]) {
      const store = await openEmbeddedStore(directory);
      const lock = join(directory, "server.lock");
      const { token } = JSON.parse(readFileSync(lock, "utf8")) as { token: string };
      writeFileSync(lock, JSON.stringify({ pid: 2 ** 22 + 1, started: "1", token }));
      const names = readdirSync(directory).sort();
      expect(names).toEqual(["data.mdb", "lock.mdb", "server.lock", `server.lock.${token}.socket`]);
      expect(statSync(join(directory, `server.lock.${token}.socket`)).mode & 0o777).toBe(0o600);
      await expect(openEmbeddedStore(directory)).rejects.toMatchObject({
        code: "Locked",
        message: `the data directory ${directory} is in use by a process in another container (pid 4194305 there)`,
      });
      await expect(DataFileView.open(directory)).rejects.toMatchObject({
        code: "Locked",
        message: expect.stringMatching(/pid 4194305 there\): run this command in that container$/),
      });
      expect(readdirSync(directory).sort()).toEqual(names);
      await store.close();
      await (await openEmbeddedStore(directory)).close();
      expect(readdirSync(directory).sort()).toEqual(["data.mdb", "lock.mdb"]);
    }
  });

  it("is taken over from a process that was killed, and its socket is removed", async () => {
    const directory = temporaryDirectory();
    const script = `import { openEmbeddedStore } from "${join(import.meta.dirname, "../../runtime/store/embedded/open-embedded-store.ts")}";
      await openEmbeddedStore("${directory}"); process.kill(process.pid, "SIGKILL");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
    await once(child, "close");
    expect(readdirSync(directory)).toHaveLength(4);
    await (await openEmbeddedStore(directory)).close();
    expect(readdirSync(directory).sort()).toEqual(["data.mdb", "lock.mdb"]);
  });

  it("is refused with the way out when a later version of the program wrote it", async () => {
    const later = temporaryDirectory();
    await (await openEmbeddedStore(later)).close();
    const format = Buffer.alloc(8);
    format.writeDoubleLE(99);
    const root = open({ path: later, encoding: "binary" });
    await root.put("!format", format);
    await root.close();
    await expect(openEmbeddedStore(later)).rejects.toMatchObject({
      code: "UnknownFormat",
      message: `the data in ${later} has format 99; this version reads format 2: run the version that wrote it, or its typeplane downgrade-storage, or restore a backup, which all versions read`,
    });
  });

  it("is rejected if its file is not a data file or is truncated, which would crash the process", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "data.mdb");
    const store = await openEmbeddedStore(directory);
    for (let i = 0; i < 300; i++) await store.put(`${prefix}${i}`, Buffer.alloc(1000), { expected: 0 });
    await store.close();
    const whole = readFileSync(path);
    const cannot = `the data in ${directory} cannot be opened: data.mdb`;
    for (const [bytes, reason] of [
      [randomBytes(whole.length), "is not a data file"],
      [Buffer.from("data"), "is not a data file"],
      [whole.subarray(0, 8192), "was cut short"],
    ] as const) {
      writeFileSync(path, bytes);
      await expect(openEmbeddedStore(directory)).rejects.toMatchObject({
        code: "Corrupt",
        message: `${cannot} ${reason}`,
      });
    }
    writeFileSync(path, whole);
    const again = await openEmbeddedStore(directory);
    expect((await again.range({ prefix })).entries).toHaveLength(300);
    await again.close();
  });

  it("is initialised if a server was stopped before its first write", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "data.mdb"), "");
    const store = await openEmbeddedStore(directory);
    expect(await store.currentRevision()).toBe(1);
    await store.close();
  });

  it("never reuses a revision, even that of a deletion that was compacted", async () => {
    const directory = temporaryDirectory();
    const first = await openEmbeddedStore(directory);
    const a = (await first.put(`${prefix}a`, value, { expected: 0 })).revision;
    const { revision } = await first.delete(`${prefix}a`, { expected: a });
    await first.compact(revision);
    await first.close();
    const second = await openEmbeddedStore(directory);
    expect(await second.currentRevision()).toBe(revision);
    await expect(second.get(`${prefix}a`, { atRevision: a })).rejects.toMatchObject({ code: "Compacted" });
    expect((await second.put(`${prefix}a`, value, { expected: 0 })).revision).toBe(revision + 1);
    await second.close();
  });

  it("may have a dot in its name", async () => {
    const directory = join(temporaryDirectory(), "data.d");
    await (await openEmbeddedStore(directory)).close();
    expect(readdirSync(directory)).toContain("data.mdb");
  });

  it("is refused when it cannot be written or is no directory", async () => {
    const directory = temporaryDirectory();
    const file = join(directory, "file");
    writeFileSync(file, "");
    await expect(openEmbeddedStore(file)).rejects.toMatchObject({ code: "NotWritable" });
    await expect(openEmbeddedStore(join(file, "below"))).rejects.toMatchObject({ code: "NotWritable" });
    await expect(openEmbeddedStore("/proc/nowhere")).rejects.toMatchObject({ code: "NotWritable" });
    if (process.getuid?.() === 0) return; // root may write anywhere
    const readOnly = join(directory, "read-only");
    mkdirSync(readOnly);
    chmodSync(readOnly, 0o500);
    await expect(openEmbeddedStore(readOnly)).rejects.toMatchObject({ code: "NotWritable" });
  });
});

describe("a full disk", () => {
  it("that has no space for the lock file is reported with a clear message, and no file is left behind", async () => {
    const directory = temporaryDirectory();
    const script = join(import.meta.dirname, "full-disk-child.ts");
    const command = `ulimit -f 0 && exec "${process.execPath}" --disable-warning=ExperimentalWarning "${script}" "${directory}"`;
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(output).toContain(`the data directory ${directory} cannot be written: EFBIG`);
    expect(readdirSync(directory)).toEqual([]);
  });

  it("fails writes with NoSpace, changes nothing, and lets reads and smaller writes go on", async () => {
    const directory = temporaryDirectory();
    const script = join(import.meta.dirname, "full-disk-child.ts");
    // A limit of the file size simulates a full disk. Its unit is a kilobyte.
    const command = `ulimit -f 3000 && exec "${process.execPath}" --disable-warning=ExperimentalWarning "${script}" "${directory}"`;
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    const report = JSON.parse(output) as { written: number; failure: string; readBack: number; watched: number };
    expect(report.failure).toBe("NoSpace");
    expect(report.written).toBeGreaterThan(10);
    expect(report.readBack).toBe(report.written);
    expect(report.watched).toBe(report.written);
    const store = await openEmbeddedStore(directory);
    expect((await store.range({ prefix })).entries).toHaveLength(report.written);
    await store.put(`${prefix}later`, value, { expected: 0 });
    await store.close();
  });
});

/** An engine whose commits wait for the test, and fail when told to. */
class StubbornEngine extends MemoryEngine {
  readonly pending: { release: () => void; fail: () => void }[] = [];

  override async commit(changes: Changes): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.pending.push({ release: resolve, fail: () => reject(new NoSpaceError()) });
    });
    await super.commit(changes);
  }
}

describe("writes in flight", () => {
  const setUp = (): { engine: StubbornEngine; store: EmbeddedStore } => {
    const engine = new StubbornEngine();
    return { engine, store: new EmbeddedStore({ engine, clock: new ManualClock(), historyMs: 300_000 }) };
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("are invisible until they are durable, and share a commit", async () => {
    const { engine, store } = setUp();
    const recorder = new Recorder(store, { prefix, startRevision: 2 });
    const first = store.put(`${prefix}a`, value, { expected: 0 });
    await turn();
    const others = ["b", "c", "d"].map((name) => store.put(prefix + name, value, { expected: 0 }));
    await turn();
    expect(engine.pending).toHaveLength(1);
    expect(await store.get(`${prefix}a`)).toBeUndefined();
    expect([await store.currentRevision(), recorder.events.length]).toEqual([1, 0]);
    engine.pending[0]?.release();
    await first;
    expect(recorder.events).toHaveLength(1);
    await turn();
    expect(engine.pending).toHaveLength(2);
    engine.pending[1]?.release();
    expect((await Promise.all(others)).map(({ revision }) => revision)).toEqual([3, 4, 5]);
  });

  it("delay later writes of the same key until they are durable", async () => {
    const { engine, store } = setUp();
    const first = store.put(`${prefix}a`, value, { expected: 0 });
    const second = store.put(`${prefix}a`, Buffer.from("other"), { expected: 0 });
    const outcome = second.catch((error: { code: string; current: { modRevision: number } }) => error);
    await turn();
    engine.pending[0]?.release();
    const { revision } = await first;
    expect(await outcome).toMatchObject({ code: "CasFailed", current: { modRevision: revision } });
  });

  it("that fail are never visible, and the next write of the key succeeds", async () => {
    const { engine, store } = setUp();
    const recorder = new Recorder(store, { prefix, startRevision: 2 });
    const first = store.put(`${prefix}a`, value, { expected: 0 });
    const second = store.put(`${prefix}a`, Buffer.from("other"), { expected: 0 });
    await turn();
    engine.pending[0]?.fail();
    await expect(first).rejects.toMatchObject({ code: "NoSpace" });
    expect(await store.get(`${prefix}a`)).toBeUndefined();
    await turn();
    engine.pending[1]?.release();
    const { revision } = await second;
    expect(recorder.events.map((event) => [event.revision, event.value.toString()])).toEqual([[revision, "other"]]);
  });
});

describe("keys with a time to live, and compaction", () => {
  it("removes keys with a time to live, with an event, unless they were written again", async () => {
    const clock = new ManualClock();
    const store = openMemoryStore({ clock });
    const recorder = new Recorder(store, { prefix, startRevision: 2 });
    await store.put(`${prefix}short`, value, { expected: 0, ttlSeconds: 10 });
    const kept = (await store.put(`${prefix}kept`, value, { expected: 0, ttlSeconds: 10 })).revision;
    await store.put(`${prefix}kept`, value, { expected: kept });
    await clock.advance(9000);
    expect((await store.range({ prefix })).entries).toHaveLength(2);
    await clock.advance(3000);
    expect((await store.range({ prefix })).entries.map((entry) => entry.key)).toEqual([`${prefix}kept`]);
    expect(recorder.events.at(-1)).toMatchObject({ type: "delete", key: `${prefix}short` });
    await store.close();
  });

  it("removes expired keys on disk, also many at once and after a restart", async () => {
    const directory = temporaryDirectory();
    const clock = new ManualClock();
    const first = await openEmbeddedStore(directory, { clock });
    const puts = Array.from({ length: 600 }, (_, i) =>
      first.put(`${prefix}${i}`, value, { expected: 0, ttlSeconds: 10 }),
    );
    await Promise.all(puts);
    await first.close();
    const second = await openEmbeddedStore(directory, { clock });
    const recorder = new Recorder(second, { prefix, startRevision: (await second.currentRevision()) + 1 });
    await clock.advance(11_000);
    await recorder.until(() => recorder.events.length === 600);
    expect((await second.range({ prefix })).entries).toEqual([]);
    await second.close();
  });

  it("rejects keys that are too long, and finds nothing under them", async () => {
    const store = await openEmbeddedStore(temporaryDirectory());
    const key = prefix + "x".repeat(2000);
    await expect(store.put(key, value, { expected: 0 })).rejects.toMatchObject({ code: "TooLarge" });
    expect(await store.get(key)).toBeUndefined();
    await store.close();
  });

  it("compacts history of five minutes ago in the background, and only that", async () => {
    const clock = new ManualClock();
    const store = openMemoryStore({ clock });
    const revisions: number[] = [];
    for (let i = 0; i < 4; i++) {
      revisions.push((await store.put(`${prefix}a`, value, { expected: revisions.at(-1) ?? 0 })).revision);
      await clock.advance(60_000);
    }
    await clock.advance(3.5 * 60_000);
    const at = (i: number): Promise<unknown> => store.range({ prefix, atRevision: revisions[i] ?? 0 });
    await expect(at(1)).rejects.toMatchObject({ code: "Compacted" });
    expect(await at(2)).toMatchObject({ entries: [{ modRevision: revisions[2] }] });
    await clock.advance(60 * 60_000);
    expect(await store.get(`${prefix}a`)).toMatchObject({ modRevision: revisions[3] });
    expect(await at(3)).toMatchObject({ entries: [{ modRevision: revisions[3] }] });
    await store.close();
  });
});
