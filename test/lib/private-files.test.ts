import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LogFile } from "../../runtime/audit/log-file.ts";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { ensureSigningKey } from "../../runtime/auth/pki/signing-key.ts";
import { claimDirectory, sharedDirectoryWarning, writePrivately } from "../../runtime/lib/private-files.ts";
import { DataFileView } from "../../runtime/store/embedded/data-file-view.ts";
import { downgradeDataFile } from "../../runtime/store/embedded/downgrade-data-file.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { temporaryDirectory } from "../store/temporary-directory.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("files of other users: only root can make such files, skipped");

/** Returns a directory with this mode, below one that is removed after the test. */
function directoryOf(mode: number): string {
  const directory = join(temporaryDirectory(), "kept");
  mkdirSync(directory);
  chmodSync(directory, mode);
  return directory;
}

const identity = (directory: string) =>
  ensureClusterIdentity({ directory, names: ["localhost"], vendor: "kubernetes", now: () => new Date() });

const logIn = (directory: string) =>
  LogFile.open({
    path: join(directory, "audit.log"),
    maxBytes: 1000,
    maxAgeDays: 0,
    maxBackups: 0,
    compress: false,
    now: () => new Date(),
    onProblem: (message) => expect.unreachable(message),
  });

describe("the data directory", () => {
  it("is tightened to 0700 and its files to 0600 when an older server left them 0755 and 0644", async () => {
    const directory = directoryOf(0o755);
    await (await openEmbeddedStore(directory)).close();
    chmodSync(directory, 0o755);
    for (const file of ["data.mdb", "lock.mdb"]) chmodSync(join(directory, file), 0o644);
    const store = await openEmbeddedStore(directory);
    expect(modeOf(directory)).toBe("700");
    for (const file of ["data.mdb", "lock.mdb", "server.lock"]) expect(modeOf(join(directory, file))).toBe("600");
    await store.close();
  });

  it("keeps its mode where other programs have files in it, and the server's files are 0600 all the same", async () => {
    const directory = directoryOf(0o755);
    writeFileSync(join(directory, "notes.txt"), "of somebody else");
    await (await openEmbeddedStore(directory)).close();
    expect(modeOf(directory)).toBe("755");
    expect(modeOf(join(directory, "data.mdb"))).toBe("600");
    expect(modeOf(join(directory, "lock.mdb"))).toBe("600");
  });

  it.runIf(isRoot)("is refused when it, or its data file, belongs to another user", async () => {
    const directory = directoryOf(0o755);
    chownSync(directory, 12345, 12345);
    await expect(openEmbeddedStore(directory)).rejects.toMatchObject({
      code: "NotWritable",
      message: `${directory} belongs to user 12345, and this process runs as user 0: run it as that user, or change the owner`,
    });
    chownSync(directory, 0, 0);
    writeFileSync(join(directory, "data.mdb"), "");
    chownSync(join(directory, "data.mdb"), 12345, 12345);
    await expect(openEmbeddedStore(directory)).rejects.toThrow("data.mdb belongs to user 12345");
    await expect(downgradeDataFile(directory)).rejects.toThrow("data.mdb belongs to user 12345");
  });

  it("gets no file that others can read, or that its owner cannot, from a command that reads it", async () => {
    const directory = directoryOf(0o700);
    await (await openEmbeddedStore(directory)).close();
    const lock = join(directory, "lock.mdb");
    rmSync(lock);
    await (await DataFileView.open(directory)).close();
    expect(modeOf(lock)).toBe("600");
    rmSync(lock);
    if (!isRoot) return;
    for (const name of [".", "data.mdb"]) chownSync(join(directory, name), 12345, 12345);
    await (await DataFileView.open(directory)).close();
    expect(statSync(lock)).toMatchObject({ uid: 12345, gid: 12345 });
    const command = `
      import { DataFileView } from "${join(import.meta.dirname, "../../runtime/store/embedded/data-file-view.ts")}";
      import { lockDirectory } from "${join(import.meta.dirname, "../../runtime/store/embedded/directory-lock.ts")}";
      process.setuid(54321);
      for (const open of [DataFileView.open, lockDirectory]) await open("${directory}").catch(({ message }) => console.log(message));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", command], { encoding: "utf8" });
    const [cannotRead, cannotWrite] = stdout.split("\n");
    expect(cannotRead).toBe(`EACCES: permission denied, stat '${join(directory, "data.mdb")}'`);
    expect(cannotWrite).toContain(`the data directory ${directory} cannot be written: EACCES: permission denied`);
  });

  it("is refused when its data file is a symbolic link, and what the link names is not touched", async () => {
    const directory = directoryOf(0o700);
    const target = join(temporaryDirectory(), "target");
    writeFileSync(target, "precious", { mode: 0o644 });
    symlinkSync(target, join(directory, "data.mdb"));
    await expect(openEmbeddedStore(directory)).rejects.toThrow("data.mdb is a symbolic link");
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(modeOf(target)).toBe("644");
  });

  it("is refused when it is a symbolic link in a directory that every user can write", async () => {
    const shared = directoryOf(0o1777);
    symlinkSync(temporaryDirectory(), join(shared, "data"));
    await expect(openEmbeddedStore(join(shared, "data"))).rejects.toThrow("is a symbolic link, in a directory");
  });

  it("may be a symbolic link where only its owner can put one", async () => {
    const parent = directoryOf(0o755);
    symlinkSync(directoryOf(0o700), join(parent, "data"));
    await (await openEmbeddedStore(join(parent, "data"))).close();
  });

  it("is warned of when every user can write it", () => {
    expect(sharedDirectoryWarning(directoryOf(0o1777))).toContain("has mode 1777: every user of this machine");
    expect(sharedDirectoryWarning(directoryOf(0o755))).toBeUndefined();
    expect(sharedDirectoryWarning("/nowhere/at/all")).toBeUndefined();
  });
});

describe("keys", () => {
  it("are tightened to 0600 in a directory of 0700 when they were readable by others", async () => {
    const directory = directoryOf(0o755);
    identity(directory);
    await ensureSigningKey(directory);
    chmodSync(directory, 0o755);
    const keys = ["ca", "apiserver", "admin", "front-proxy-ca", "front-proxy-client", "sa"].map((name) =>
      join(directory, `${name}.key`),
    );
    for (const key of keys) chmodSync(key, 0o644);
    identity(directory);
    await ensureSigningKey(directory);
    expect(modeOf(directory)).toBe("700");
    expect(keys.map(modeOf)).toEqual(keys.map(() => "600"));
  });

  it("may be links, as in a volume with a Secret, where only the owner of the directory can put them", () => {
    const [mounted, directory] = [directoryOf(0o755), directoryOf(0o755)];
    const { authorityPem } = identity(mounted);
    chmodSync(join(mounted, "ca.key"), 0o440);
    for (const file of ["ca.crt", "ca.key"]) symlinkSync(join(mounted, file), join(directory, file));
    expect(identity(directory).authorityPem).toBe(authorityPem);
    expect(modeOf(join(mounted, "ca.key"))).toBe("440");
  });

  it("that another user planted as a link in a shared directory are refused", () => {
    const [elsewhere, shared] = [directoryOf(0o700), directoryOf(0o1777)];
    identity(elsewhere);
    writeFileSync(join(shared, "other"), "");
    for (const file of ["ca.crt", "ca.key"]) symlinkSync(join(elsewhere, file), join(shared, file));
    expect(() => identity(shared)).toThrow("ca.key is a symbolic link");
  });
});

describe("a file with secrets that is written", () => {
  it("replaces a symbolic link of its name instead of writing through it", () => {
    const directory = directoryOf(0o1777);
    const target = join(temporaryDirectory(), "target");
    writeFileSync(target, "precious");
    symlinkSync(target, join(directory, "kubeconfig"));
    writePrivately(join(directory, "kubeconfig"), "secret");
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(() => readlinkSync(join(directory, "kubeconfig"))).toThrow("EINVAL");
    expect(modeOf(join(directory, "kubeconfig"))).toBe("600");
  });
});

describe("an audit log", () => {
  it("that was readable by others is tightened, and its directory keeps its mode", async () => {
    const directory = directoryOf(0o755);
    writeFileSync(join(directory, "audit.log"), "{}\n", { mode: 0o644 });
    await (await logIn(directory)).close();
    expect(modeOf(join(directory, "audit.log"))).toBe("600");
    expect(modeOf(directory)).toBe("755");
  });

  it("is refused when it is a symbolic link in a directory that every user can write", async () => {
    const directory = directoryOf(0o1777);
    symlinkSync(join(temporaryDirectory(), "target"), join(directory, "audit.log"));
    await expect(logIn(directory)).rejects.toThrow("is a symbolic link");
  });

  it.runIf(isRoot)("is refused when another user made it in a directory that every user can write", async () => {
    const directory = directoryOf(0o1777);
    writeFileSync(join(directory, "audit.log"), "");
    chownSync(join(directory, "audit.log"), 12345, 12345);
    await expect(logIn(directory)).rejects.toThrow("audit.log belongs to another user");
  });
});

describe("a directory that is claimed", () => {
  it("is made 0700 together with those above it, and only what is not there is made", () => {
    const directory = join(directoryOf(0o755), "a", "b");
    claimDirectory(directory, () => true);
    expect(modeOf(directory)).toBe("700");
    expect(modeOf(join(directory, ".."))).toBe("700");
    expect(modeOf(join(directory, "..", ".."))).toBe("755");
  });
});
