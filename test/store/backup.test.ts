import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { open } from "lmdb";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { registry } from "../../generated/registry.ts";
import { backupCommand, restoreCommand } from "../../runtime/cli/backup.ts";
import { verifyCommand } from "../../runtime/cli/verify.ts";
import { startPlane } from "../../runtime/plane.ts";
import { backUp } from "../../runtime/store/backup/back-up.ts";
import { readDirectory } from "../../runtime/store/backup/read-stored.ts";
import { restore } from "../../runtime/store/backup/restore.ts";
import type { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import { sizeBound, writeRecord } from "../../runtime/store/embedded/log-record.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { openDirectoryDestination } from "../../runtime/store/move/directory-destination.ts";
import type { MoveSource } from "../../runtime/store/move/move-source.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { ManualClock } from "../watch/manual-clock.ts";
import { Recorder } from "./run-store-tests.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const prefix = "/registry/things/";
const text = (value: string): Buffer => Buffer.from(value);

async function contents(store: EmbeddedStore, atRevision?: number): Promise<string[]> {
  const { entries } = await store.range({ prefix, ...(atRevision !== undefined && { atRevision }) });
  return entries.map(
    ({ key, value, createRevision, modRevision }) =>
      `${key.slice(prefix.length)} ${createRevision}-${modRevision} ${Buffer.from(value).toString()}`,
  );
}

/** A store with three keys at the revisions 2 to 6: a changed, b with a time to live, c deleted. */
async function smallStore(directory: string): Promise<EmbeddedStore> {
  const store = await openEmbeddedStore(directory, { clock: new ManualClock() });
  await store.put(`${prefix}a`, text("one"), { expected: 0 });
  await store.put(`${prefix}b`, text("two"), { expected: 0, ttlSeconds: 100 });
  await store.put(`${prefix}c`, text("three"), { expected: 0 });
  await store.put(`${prefix}a`, text("four"), { expected: 2 });
  await store.delete(`${prefix}c`, { expected: 4 });
  return store;
}

/** Runs a command. Returns its exit status and its complete output. */
async function said(run: (streams: Parameters<typeof backupCommand>[1]) => Promise<number>): Promise<string> {
  let output = "";
  const write = (part: string): void => void (output += part);
  const status = await run({ stdin: () => "", out: write, err: write });
  return `${status} ${output}`;
}

describe("backup and restore", () => {
  it("copies the state of one revision while the store is written, and restores objects, revisions and identity", async () => {
    const [directory, file] = [temporaryDirectory(), join(temporaryDirectory(), "backup")];
    const store = await openEmbeddedStore(directory);
    let done = false;
    const writer = async (index: number): Promise<void> => {
      for (let expected = 0; !done; )
        ({ revision: expected } = await store.put(`${prefix}${index}`, text(`${index} `.repeat(500)), { expected }));
    };
    const writing = Array.from({ length: 20 }, (_, index) => writer(index));
    await expect.poll(() => store.currentRevision()).toBeGreaterThan(100);
    const { header } = await backUp(directory, file);
    expect(await store.currentRevision(), "writes went on").toBeGreaterThan(header.revision);
    done = true;
    await Promise.all(writing);
    const then = await contents(store, header.revision);
    expect(then).toHaveLength(20);
    const restored = join(directory, "restored");
    await restore(file, restored);
    const again = await openEmbeddedStore(restored);
    expect(await contents(again)).toEqual(then);
    expect(await again.currentRevision()).toBe(header.revision);
    expect(Buffer.from(again.identity)).toEqual(Buffer.from(store.identity));
    expect(await contents(again, header.revision - 50)).toEqual(await contents(store, header.revision - 50));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(restored).mode & 0o777).toBe(0o700);
    expect(readdirSync(restored)).not.toContain("data.mdb.new");
    await Promise.all([store.close(), again.close()]);
  });

  it("restores a time to live, an earlier revision, and a higher revision after which old watches expire", async () => {
    const [directory, file] = [temporaryDirectory(), join(temporaryDirectory(), "backup")];
    const store = await smallStore(directory);
    await backUp(directory, file);
    await store.close();

    const clock = new ManualClock();
    await restore(file, join(directory, "same"));
    const same = await openEmbeddedStore(join(directory, "same"), { clock });
    expect(await contents(same)).toEqual(["a 2-5 four", "b 3-3 two"]);
    await clock.advance(200_000);
    await expect.poll(() => contents(same)).toEqual(["a 2-5 four"]);
    await same.close();

    expect(await restore(file, join(directory, "earlier"), { toRevision: 4 })).toMatchObject({ revision: 4 });
    const earlier = await openEmbeddedStore(join(directory, "earlier"), { clock: new ManualClock() });
    expect(await contents(earlier)).toEqual(["a 2-2 one", "b 3-3 two", "c 4-4 three"]);
    await earlier.close();
    await expect(restore(file, join(directory, "later"), { toRevision: 7 })).rejects.toThrow(
      "has the revisions 0 to 6; 7 is not one of them",
    );

    await restore(file, join(directory, "bumped"), { bumpRevision: 1000 });
    const bumped = await openEmbeddedStore(join(directory, "bumped"), { clock: new ManualClock() });
    expect(await contents(bumped)).toEqual(["a 2-5 four", "b 3-3 two"]);
    expect(Buffer.from(bumped.identity)).not.toEqual(Buffer.from(store.identity));
    const old = new Recorder(bumped, { prefix, startRevision: 7 });
    await old.until(() => old.error !== undefined);
    expect(old.error).toMatchObject({ code: "Compacted", compactRevision: 1006 });
    expect(await bumped.put(`${prefix}d`, text("five"), { expected: 0 })).toEqual({ revision: 1007 });
    await bumped.close();
  });

  it("never replaces a file or a directory with contents", async () => {
    const [directory, file] = [temporaryDirectory(), join(temporaryDirectory(), "backup")];
    await (await smallStore(directory)).close();
    await backUp(directory, file);
    const before = readFileSync(file);
    await expect(backUp(directory, file)).rejects.toThrow(`${file} exists already`);
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(join(file, ".."))).toEqual(["backup"]);
    await expect(restore(file, directory)).rejects.toThrow(`${directory} is not empty`);
  });

  it("is not made of a file that scrub-storage overwrites meanwhile, and whoever reads that file does not crash", async () => {
    const [directory, file] = [temporaryDirectory(), join(temporaryDirectory(), "backup")];
    const store = await openEmbeddedStore(directory);
    for (let index = 0; index < 100; index++)
      await store.put(`${prefix}${index}`, Buffer.alloc(20_000, 1), { expected: 0 });
    await store.close();
    const replaced = {
      code: "Unavailable",
      message: `the data file in ${directory} was replaced while it was read: run the command again`,
    };
    let records = 0;
    const scrub = `import { scrubDataFile } from "${join(import.meta.dirname, "../../runtime/store/embedded/scrub-data-file.ts")}"; await scrubDataFile("${directory}");`;
    const scrubNow = (): unknown => execFileSync(process.execPath, ["--input-type=module", "-e", scrub]);
    const scrubOnce = (): unknown => (++records === 50 ? scrubNow() : undefined);
    await expect(backUp(directory, file, scrubOnce)).rejects.toMatchObject(replaced);
    expect(readdirSync(join(file, ".."))).toEqual([]);
    records = 0;
    const reading = readDirectory(directory, scrubOnce).then((state) => state.store.close());
    await expect(reading).rejects.toMatchObject(replaced);
    await backUp(directory, file);
  });

  it("restores again into a directory whose restore was killed", async () => {
    const [directory, file] = [temporaryDirectory(), join(temporaryDirectory(), "backup")];
    await (await smallStore(directory)).close();
    await backUp(directory, file);
    const target = join(directory, "restored");
    mkdirSync(join(target, "data.mdb.new"), { recursive: true });
    writeFileSync(join(target, "data.mdb.new", "data.mdb"), "half");
    writeFileSync(join(target, "server.lock"), JSON.stringify({ pid: 2 ** 22 + 1, started: "1" }));
    await restore(file, target);
    expect(readdirSync(target).sort()).toEqual(["data.mdb"]);
    await (await openEmbeddedStore(target)).close();
  });

  it("finds every damage of a backup before the restored directory can be used", async () => {
    const [directory, file] = [temporaryDirectory(), join(temporaryDirectory(), "backup")];
    await (await smallStore(directory)).close();
    await backUp(directory, file);
    const whole = readFileSync(file);
    const plain = gunzipSync(whole);
    const changed = Buffer.from(plain);
    const at = plain.indexOf("four");
    changed.write("five", at);
    const newer = Buffer.from(plain.toString("latin1").replace("backup 1", "backup 9"), "latin1");
    const headerEnd = plain.indexOf("}", 20) + 1;
    const target = join(directory, "restored");
    for (const [bytes, message] of [
      [gzipSync(changed), "its checksum does not match"],
      [gzipSync(plain.subarray(0, plain.length - 1)), "it ends too early"],
      [whole.subarray(0, whole.length - 20), "is damaged"],
      [gzipSync(newer), "has a format that this version does not read"],
      [gzipSync(Buffer.concat([plain, text("x")])), "there is more after its end"],
      [text("something else altogether"), "is not a backup"],
      [Buffer.alloc(0), "is damaged: unexpected end of file"],
      [Buffer.concat([whole.subarray(0, 100), Buffer.alloc(1), whole.subarray(101)]), "is damaged"],
      [gzipSync(Buffer.from(plain.toString("latin1").replace('"sha256":', '"sha256",'), "latin1")), "is damaged: "],
      [gzipSync(Buffer.concat([plain.subarray(0, headerEnd), Buffer.from("R\u0001\0\0\0x")])), "out of order"],
    ] as const) {
      writeFileSync(file, bytes);
      await expect(restore(file, target), message).rejects.toMatchObject({
        code: "Backup",
        message: expect.stringContaining(message),
      });
    }
    writeFileSync(file, whole);
    await restore(file, target);
    await expect(restore(directory, join(directory, "other"))).rejects.toThrow(`${directory} is a directory`);
    await expect(backUp(directory, join(directory, "absent", "b"))).rejects.toThrow(
      `there is no directory ${join(directory, "absent")}`,
    );
    await expect(restore(join(directory, "absent"), join(directory, "other"))).rejects.toThrow(
      "absent: there is no such file",
    );
  });
});

describe("backup, restore and verify on the command line", () => {
  it("reads encrypted objects beside a running server and from its backup, and reports those without a key", async () => {
    const directory = temporaryDirectory();
    const data = join(directory, "data");
    const configure = (name: string, byte: number): string => {
      const keys = [{ name: "one", secret: Buffer.alloc(32, byte).toString("base64") }];
      const resources = [{ resources: ["secrets"], providers: [{ aesgcm: { keys } }, { identity: {} }] }];
      const header = { apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration" };
      writeFileSync(join(directory, name), stringify({ ...header, resources }), { mode: 0o600 });
      return `--encryption-provider-config=${join(directory, name)}`;
    };
    const [right, wrong] = [configure("right.yaml", 1), configure("wrong.yaml", 2)];
    const plane = await startPlane({
      directory,
      flags: { controllers: "false", "encryption-provider-config": join(directory, "right.yaml") },
    });
    await plane.ready;
    const call = createClient(plane);
    const body = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { password: "p" } };
    expect((await call("POST", "/api/v1/namespaces/default/secrets", { body })).status).toBe(201);
    const verify = (...flags: string[]): Promise<string> =>
      said((streams) => verifyCommand([`--cert-dir=${join(directory, "pki")}`, ...flags], streams, registry));
    expect(await verify(`--data-dir=${data}`, right)).toMatch(
      /^0 [\s\S]*revision \d+: \d+ objects of \d+ kinds read.*; nothing is wrong\n$/m,
    );

    const file = join(directory, "backup");
    expect(await said((streams) => backupCommand([`--data-dir=${data}`, `--to=${file}`], streams))).toMatch(
      /^0 .*backup: revision \d+, \d+ records, \d+ bytes, checked\n$/,
    );
    await plane.stop();
    const restored = join(directory, "restored");
    const flags = [`--from=${file}`, `--data-dir=${restored}`, "--bump-revision=1000000"];
    expect(await said((streams) => restoreCommand(flags, streams))).toMatch(
      /^0 .*records of .* restored, revision 1000/,
    );
    const without = await verify(`--from=${file}`, wrong);
    expect(without).toContain("/registry/secrets/default/s: the stored value cannot be read");
    expect(without).toMatch(/^1 [\s\S]*1 problem\n$/);
  });

  it("tells damage from what could not be looked at by the exit status of verify", async () => {
    const [directory, file] = [temporaryDirectory(), join(temporaryDirectory(), "backup")];
    await (await smallStore(directory)).close();
    await backUp(directory, file);
    const verify = (...flags: string[]): Promise<string> =>
      said((streams) => verifyCommand(["--cert-dir=memory", ...flags], streams, registry));
    expect(await verify(`--from=${join(directory, "absent")}`)).toMatch(/^2 .*absent: there is no such file\n$/);
    expect(await verify(`--from=${directory}`)).toMatch(/^2 .* is a directory\n$/);
    await expect(verify(`--data-dir=${join(directory, "absent")}`)).rejects.toMatchObject({
      code: "Usage",
      message: expect.stringContaining("the directory has no data.mdb"),
    });
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length - 20));
    expect(await verify(`--from=${file}`)).toMatch(/^1 .*backup is damaged: /);
    writeFileSync(file, "something else");
    expect(await verify(`--from=${file}`)).toMatch(/^1 .*backup is not a backup\n$/);
    writeFileSync(join(directory, "data.mdb"), Buffer.alloc(8192, 1));
    expect(await verify(`--data-dir=${directory}`)).toMatch(/^1 the data in .* cannot be opened: /);
  });
});

it("a directory into which objects are moved has no data file before they were read back", async () => {
  const directory = join(temporaryDirectory(), "moved");
  const source = { revision: 9 } as MoveSource;
  const moved = { name: "/things/a", createRevision: 3, modRevision: 7, expires: undefined };
  const left = await openDirectoryDestination(directory, "/registry", source);
  await left.write(moved, text("a"));
  await left.readBack();
  expect(readdirSync(directory)).not.toContain("data.mdb");
  await left.close();
  expect(readdirSync(directory)).toEqual([]);

  const finished = await openDirectoryDestination(directory, "/registry", source);
  await finished.write(moved, text("a"));
  await finished.readBack();
  expect(await finished.finish({ sameRevisions: true })).toBe(9);
  await finished.close();
  const store = await openEmbeddedStore(directory);
  expect(await store.get(`${prefix}a`)).toMatchObject({ createRevision: 3, modRevision: 7 });
  await store.close();
});

describe("a data directory of format 1", () => {
  it("is upgraded in place when it is opened, and its old file is kept", async () => {
    const directory = temporaryDirectory();
    await writeFormat1(directory);
    const old = readFileSync(join(directory, "data.mdb"));
    const store = await openEmbeddedStore(directory, { clock: new ManualClock() });
    expect(await contents(store)).toEqual(["a 2-3 second"]);
    expect(await contents(store, 2)).toEqual(["a 2-2 first"]);
    expect(await store.currentRevision()).toBe(3);
    expect(Buffer.from(store.identity)).toEqual(Buffer.alloc(32, 7));
    await store.close();
    expect(readFileSync(join(directory, "data.mdb.format-1"))).toEqual(old);
    await (await openEmbeddedStore(directory)).close();
  });
});

/** A key that was created at revision 2 and changed at 3, as format 1 stored it. */
async function writeFormat1(directory: string): Promise<void> {
  const root = open<Buffer, string>({ path: directory, noSubdir: false, encoding: "binary" });
  const table = (name: string) => root.openDB<Buffer, string | number>({ name, encoding: "binary" });
  const double = (value: number): Buffer => Buffer.from(new Float64Array([value]).buffer);
  const record = (revision: number, value: string, previousRevision: number): Buffer => {
    const row = { type: "put", key: `${prefix}a`, createRevision: 2, time: 1, revision, previousRevision } as const;
    const bytes = Buffer.alloc(sizeBound({ ...row, value: text(value) }));
    return bytes.subarray(0, writeRecord({ ...row, value: text(value) }, bytes, 0));
  };
  const [meta, log, heads] = [table("meta"), table("log"), table("heads")];
  table("expiries");
  await Promise.all([
    meta.put("format", double(1)),
    meta.put("identity", Buffer.alloc(32, 7)),
    meta.put("revision", double(3)),
    log.put(2, record(2, "first", 0)),
    log.put(3, record(3, "second", 2)),
    heads.put(`${prefix}a`, Buffer.concat([double(3), double(2)])),
  ]);
  await root.close();
}
