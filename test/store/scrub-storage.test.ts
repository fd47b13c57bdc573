import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { registry } from "../../generated/registry.ts";
import { migrateStorageCommand } from "../../runtime/cli/migrate-storage.ts";
import { scrubStorageCommand } from "../../runtime/cli/scrub-storage.ts";
import { startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { scrubDataFile } from "../../runtime/store/embedded/scrub-data-file.ts";
import type { StoreEntry } from "../../runtime/store/store.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const MARKER = "correct-horse-battery-staple";
const streams = { stdin: () => "", out: () => undefined, err: () => undefined };

/** Returns the number of occurrences of the marker in the files of a directory, unchanged or in base64. */
function occurrences(directory: string): number {
  const markers = [MARKER, Buffer.from(MARKER.slice(0, 27)).toString("base64")];
  let count = 0;
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const path = join(directory, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    for (const marker of markers)
      for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) count += 1;
  }
  return count;
}

const shown = (entries: readonly StoreEntry[]) =>
  entries.map(({ value, ...entry }) => ({ ...entry, digest: createHash("sha256").update(value).digest("hex") }));

describe("scrub-storage", () => {
  it("removes plaintext from the files after encryption was turned on and objects were rewritten", async () => {
    const directory = temporaryDirectory();
    const data = join(directory, "data");
    const before = await startPlane({ directory, flags: { controllers: "false" } });
    await before.ready;
    const call = createClient(before);
    const create = async (index: number) => {
      // Small values share a page with others; large ones have their own pages with unused space at the end.
      const password = `${MARKER}-${index}`.padEnd(index % 4 === 0 ? 9000 : 60, ".");
      const body = { apiVersion: "v1", kind: "Secret", metadata: { name: `s${index}` }, stringData: { password } };
      expect((await call("POST", SECRETS, { body })).status).toBe(201);
    };
    const all = Array.from({ length: 40 }, (_, index) => index);
    await Promise.all(all.map(create));
    await Promise.all(all.filter((index) => index % 3 === 0).map((index) => call("DELETE", `${SECRETS}/s${index}`)));
    await before.stop();
    expect(occurrences(data)).toBeGreaterThan(0);

    const file = join(directory, "encryption.yaml");
    const keys = [{ name: "one", secret: Buffer.alloc(32, 1).toString("base64") }];
    const resources = [{ resources: ["secrets"], providers: [{ secretbox: { keys } }, { identity: {} }] }];
    writeFileSync(
      file,
      stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources }),
    );
    const flags = [
      `--data-dir=${data}`,
      `--cert-dir=${join(directory, "pki")}`,
      `--encryption-provider-config=${file}`,
    ];
    expect(await migrateStorageCommand(flags, streams, registry)).toBe(0);
    const store = await openEmbeddedStore(data);
    await store.compact(await store.currentRevision());
    await store.close();
    expect(occurrences(data), "rewritten and compacted").toBeGreaterThan(0);
    // As an upgrade of the format keeps it.
    copyFileSync(join(data, "data.mdb"), join(data, "data.mdb.format-1"));

    let said = "";
    expect(await scrubStorageCommand([`--data-dir=${data}`], { ...streams, out: (text) => void (said += text) })).toBe(
      0,
    );
    expect(said).toMatch(/^\d+ keys kept; \d+ bytes overwritten, new size \d+ bytes\n$/);
    expect(occurrences(data), "scrubbed").toBe(0);
    expect(readdirSync(data)).toEqual(["data.mdb"]);
    expect(statSync(join(data, "data.mdb")).mode & 0o777).toBe(0o600);

    const after = await startPlane({
      directory,
      flags: { controllers: "false", "encryption-provider-config": file },
    });
    await after.ready;
    const secrets = (await createClient(after)("GET", SECRETS)).body.items as { data: { password: string } }[];
    expect(secrets).toHaveLength(26);
    for (const { data: kept } of secrets) expect(Buffer.from(kept.password, "base64").toString()).toContain(MARKER);
    await after.stop();
    expect(occurrences(data)).toBe(0);
  });

  it("keeps keys, values, revisions, the identity of the store and keys with a time to live", async () => {
    const directory = temporaryDirectory();
    const store = await openEmbeddedStore(directory);
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        store.put(`/registry/things/${index}`, Buffer.alloc(index * 50, index), { expected: 0, ttlSeconds: 1000 }),
      ),
    );
    const [entries, revision, identity] = [
      (await store.range({ prefix: "/registry/" })).entries,
      await store.currentRevision(),
      Buffer.from(store.identity),
    ];
    await store.close();
    await scrubDataFile(directory);
    const again = await openEmbeddedStore(directory);
    expect(shown((await again.range({ prefix: "/registry/" })).entries)).toEqual(shown(entries));
    expect(await again.currentRevision()).toBe(revision);
    expect(Buffer.from(again.identity)).toEqual(identity);
    await again.put("/registry/things/new", Buffer.from("x"), { expected: 0 });
    await again.close();
    // Runs again on the output of the first run, with nothing to compact.
    await scrubDataFile(directory);
    await scrubDataFile(directory);
  });

  it("refuses a directory that a server has open, and changes nothing", async () => {
    const directory = temporaryDirectory();
    const store = await openEmbeddedStore(directory);
    await store.put("/registry/a", Buffer.from(MARKER), { expected: 0 });
    await expect(scrubStorageCommand([`--data-dir=${directory}`], streams)).rejects.toThrow(
      `the data directory ${directory} is in use by the process with pid ${process.pid}`,
    );
    expect(Buffer.from((await store.get("/registry/a"))?.value ?? []).toString()).toBe(MARKER);
    await store.close();
  });

  it("reports a directory that is not a data directory with a clear message", async () => {
    await expect(scrubStorageCommand(["--data-dir=/nowhere/at/all"], streams)).rejects.toThrow("no such directory");
    await expect(scrubStorageCommand(["--data-dir=memory"], streams)).rejects.toThrow(
      "an in-memory store has no data file",
    );
    const directory = temporaryDirectory();
    await expect(scrubStorageCommand([`--data-dir=${directory}`], streams)).rejects.toThrow("has no data.mdb");
    expect(readdirSync(directory)).toEqual([]);
  });

  it("on a full disk is refused with a clear message, as is a downgrade, and changes nothing", async () => {
    const directory = temporaryDirectory();
    const store = await openEmbeddedStore(directory);
    for (let index = 0; index < 40; index++)
      await store.put(`/registry/a${index}`, Buffer.alloc(100_000, index), { expected: 0 });
    await store.close();
    const embedded = join(import.meta.dirname, "../../runtime/store/embedded");
    const script = `
      import { downgradeDataFile } from "${embedded}/downgrade-data-file.ts";
      import { scrubDataFile } from "${embedded}/scrub-data-file.ts";
      for (const change of [scrubDataFile, downgradeDataFile])
        await change("${directory}").catch(({ code, message }) => console.log(code, message));`;
    // A limit of the file size simulates a full disk. Its unit is a kilobyte.
    const command = `ulimit -f 3000 && exec "${process.execPath}" --input-type=module -e '${script}'`;
    const { status, stdout } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
    expect(stdout).toMatch(
      /^NoSpace no space for a copy of the data file in the data directory: no space left .*: \d+ bytes free\nNoSpace no space left in the data directory: \d+ bytes free\n$/,
    );
    expect(status).toBe(0);
    expect(readdirSync(directory).sort()).toEqual(["data.mdb", "lock.mdb"]);
    const again = await openEmbeddedStore(directory);
    expect((await again.range({ prefix: "/registry/", count: true })).count).toBe(40);
    await again.close();
  });

  it("completes an interrupted run, before or after the files were swapped", async () => {
    const directory = temporaryDirectory();
    const store = await openEmbeddedStore(directory);
    await store.put("/registry/a", Buffer.from("kept"), { expected: 0 });
    await store.close();
    linkSync(join(directory, "data.mdb"), join(directory, "data.mdb.replaced"));
    // The second is that of an upgrade or downgrade of the format.
    for (const draft of ["data.mdb.scrub", "data.mdb.new"]) {
      mkdirSync(join(directory, draft));
      writeFileSync(join(directory, draft, "data.mdb"), MARKER);
    }
    await scrubDataFile(directory);
    expect(readdirSync(directory)).toEqual(["data.mdb"]);
    writeFileSync(join(directory, "data.mdb.replaced"), MARKER);
    await scrubDataFile(directory);
    expect(readdirSync(directory)).toEqual(["data.mdb"]);
    const again = await openEmbeddedStore(directory);
    expect(Buffer.from((await again.get("/registry/a"))?.value ?? []).toString()).toBe("kept");
    await again.close();
  });
});
