import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { install, sizeOf } from "../installed-package.ts";
import { installProject, ROOT, write } from "./install-project.ts";

const { home, tarball, project, node } = installProject();

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/**
 * Starts a server with a data file. Returns how many native parts of LMDB it has loaded, whether it has read the JavaScript of the installed
 * package, and whether other code in the process gets its LMDB.
 */
function useLmdb(folder: string): unknown {
  write(
    folder,
    "lmdb.mjs",
    `import { createRequire, registerHooks } from "node:module";
const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
const { startPlane } = await import("typeplane");
const plane = await startPlane({ base: "core", listen: false, directory: process.argv[2] });
await plane.ready;
const { sharedObjects } = process.report.getReport();
const native = sharedObjects.filter((path) => /lmdb.*\\.node$/.test(path)).length;
const isInstalled = loaded.some((url) => url.endsWith("/lmdb/dist/index.cjs"));
const launcher = createRequire(import.meta.url).resolve("typeplane/package.json");
const isShared = createRequire(launcher)("lmdb").allDbs.size > 0;
await plane.stop();
process.stdout.write(JSON.stringify({ native, isInstalled, isShared }));
`,
  );
  const { out, err } = node(folder, "lmdb.mjs", mkdtempSync(join(home, "lmdb-")));
  expect(err).toBe("");
  return JSON.parse(out);
}

describe("the package, installed outside of this repository", () => {
  it("takes less than 40 MB with its dependencies for somebody who only starts a server", () => {
    const { kilobytes, packages } = sizeOf(join(project, "node_modules/typeplane"));
    process.stdout.write(`the package and its dependencies: ${packages} packages, ${kilobytes} KiB on disk\n`);
    expect(kilobytes).toBeLessThan(40 * 1024);
  });

  it.each(["koa", "sorted-btree"])("contains %s", (name) => {
    const { dependencies } = manifestOf(join(project, "node_modules/typeplane"));
    expect(Object.keys(dependencies)).not.toContain(name);
  });

  it.each(["koa", "sorted-btree", "lmdb"])("has the licence of %s", (name) => {
    const licences = readFileSync(join(project, "node_modules/typeplane/bundle/LICENSES.txt"), "utf8");
    expect(licences).toMatch(new RegExp(`^${name} \\d[\\s\\S]*Permission is hereby granted`, "m"));
  });

  it("contains the JavaScript of LMDB, and loads the native part of the same version that is installed", () => {
    const { dependencies } = manifestOf(join(project, "node_modules/typeplane"));
    expect(dependencies.lmdb).toBe(manifestOf(join(ROOT, "node_modules/lmdb")).version);
    expect(useLmdb(project)).toEqual({ native: 1, isInstalled: false, isShared: true });
  });

  it("says at every attempt which native part of LMDB is not installed", () => {
    write(
      project,
      "no-lmdb.mjs",
      `import { startPlane } from "typeplane";
Object.defineProperty(process, "arch", { value: "none" });
const start = () => startPlane({ base: "core", listen: false, directory: process.argv[2] });
for (const attempt of [1, 2]) await start().catch(({ message }) => console.log(message));
`,
    );
    const { out } = node(project, "no-lmdb.mjs", mkdtempSync(join(home, "no-lmdb-")));
    expect(out.match(/No native build was found for platform=\w+ arch=none/g)).toHaveLength(2);
  });

  it("uses an installed LMDB of another version as a whole", () => {
    const other = mkdtempSync(join(home, "other-lmdb-"));
    write(other, "package.json", "{}");
    install(other, tarball(), ["lmdb"]);
    const copy = join(other, "node_modules/lmdb");
    cpSync(join(ROOT, "node_modules/lmdb"), copy, { recursive: true });
    const manifest = manifestOf(copy);
    write(copy, "package.json", JSON.stringify({ ...manifest, version: "3.999.0" }));
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const name of [...Object.keys(needed), "detect-libc"]) {
      const [found, link] = [join(ROOT, "node_modules", name), join(other, "node_modules", name)];
      if (!existsSync(found)) continue;
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(found, link);
    }
    expect(useLmdb(other)).toEqual({ native: 1, isInstalled: true, isShared: true });
  });

  it("says what to install where the generator misses its packages", () => {
    const bare = join(home, "bare");
    write(bare, "package.json", "{}");
    write(bare, "typeplane.config.ts", readFileSync(join(project, "typeplane.config.ts"), "utf8"));
    write(bare, "api-definitions/one/group.ts", "");
    install(bare, tarball());
    const { status, err } = node(bare, join(bare, "node_modules/typeplane/bin/typeplane.js"), "generate");
    expect({ status, err }).toEqual({
      status: 1,
      err: "reading definitions needs the packages ts-morph and handlebars: npm install --save-dev ts-morph handlebars\n",
    });
  });

  it("starts a server from plain JavaScript", () => {
    write(
      project,
      "start.mjs",
      `import { startPlane } from "typeplane";
const plane = await startPlane({ listen: false });
process.stdout.write(String((await plane.fetch("/api/v1/namespaces")).status));
await plane.stop();
`,
    );
    expect(node(project, "start.mjs")).toMatchObject({ status: 0, out: "200" });
  });

  it.each([
    ["core", ["shared", "start"]],
    ["kubernetes", ["kubernetes", "shared", "start"]],
  ])("loads the large files of the bundle that a server with the base %s needs", (base, files) => {
    write(
      project,
      "files.mjs",
      `import fs from "node:fs";
const { readFileSync } = fs;
const read = [];
fs.readFileSync = (path, ...rest) => {
  read.push(String(path));
  return readFileSync(path, ...rest);
};
const { startPlane } = await import("typeplane");
const plane = await startPlane({ base: process.argv[2], listen: false });
await plane.ready;
await plane.settled();
await plane.stop();
process.stdout.write(read.join("\\n"));
`,
    );
    const { out, err } = node(project, "files.mjs", base);
    const scripts = [...out.matchAll(/\/bundle\/(\w+)-[\w-]+\.script\.js$/gm)].map(([, name]) => name);
    expect(scripts.sort(), err).toEqual(files);
  });
});
