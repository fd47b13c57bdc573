import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Kubectl } from "../tools/kubectl.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { install, packPackage, sizeOf } from "./installed-package.ts";

/** Packs the framework, installs it outside of this repository, and does there what its users do. */
const ROOT = join(import.meta.dirname, "../..");
const home = mkdtempSync(join(tmpdir(), "typeplane-framework-"));
const project = join(home, "my-api");
const launcher = join(project, "node_modules/typeplane/bin/typeplane.js");
const kubectlPath = findTool("kubectl");
/** Node.js of the projects that use the package. */
const projectNode = process.env.PROJECT_NODE ?? process.execPath;
/** Node.js 23 prints it for every process that loads TypeScript. */
const TYPESCRIPT_WARNING = /^\(node:\d+\) ExperimentalWarning: Type Stripping .*\n\(Use .*\n/m;
let tarball = "";

beforeAll(() => {
  tarball = packPackage();
  const tool = join(home, "tool");
  mkdirSync(tool);
  writeFileSync(join(tool, "package.json"), "{}");
  install(tool, tarball);
  const made = node(home, join(tool, "node_modules/typeplane/bin/typeplane.js"), "init", "my-api", "--controllers");
  expect(made).toMatchObject({ status: 0, err: "" });
  install(project, tarball);
}, 600_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs Node in a folder. */
function node(cwd: string, ...args: string[]): { status: number | null; out: string; err: string } {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const environment = { PATH, HOME: home, NODE_COMPILE_CACHE };
  const { status, stdout, stderr } = spawnSync(projectNode, args, { cwd, encoding: "utf8", env: environment });
  return { status, out: stdout, err: stderr.replace(TYPESCRIPT_WARNING, "") };
}

const typeplane = (...args: string[]) => node(project, launcher, ...args);

const BOOK = "api-definitions/library/v1/book.ts";

/** The definition of the first kind with another field in its spec. */
function withField(definition: string, field: string): string {
  const next = "  /** Number of parts that fit in. */\n";
  return definition.replace(next, `  /** Shelf that the book stands on. */\n  ${field};\n${next}`);
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/**
 * Starts a server over a data file. Tells how many native parts of LMDB it has loaded, whether it has read the JavaScript of the installed
 * package, and whether its LMDB is what others in the process get.
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
    install(other, tarball, ["lmdb"]);
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
    install(bare, tarball);
    const { status, err } = node(bare, join(bare, "node_modules/typeplane/bin/typeplane.js"), "generate");
    expect({ status, err }).toEqual({
      status: 1,
      err: "reading definitions needs the packages ts-morph and handlebars: npm install --save-dev ts-morph handlebars\n",
    });
  });

  it("generates the project that init made, which is up to date afterwards", () => {
    expect(typeplane("generate")).toMatchObject({ status: 0, err: expect.not.stringContaining("error") });
    expect(typeplane("check")).toMatchObject({ status: 0 });
    expect(typeplane("openapi", "--groups=own").out).toContain("1 OpenAPI document in dist/openapi");
    const document = readFileSync(join(project, "dist/openapi/v3/apis/library.example.com/v1.json"), "utf8");
    expect(document).toContain("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  });

  it("has declarations that a strict compiler accepts", () => {
    write(
      project,
      "api-definitions/library/v1/book.hooks.ts",
      `import { invalidField, kindHooks } from "typeplane/hooks";
import { node } from "typeplane/kubernetes/core/v1";
import type { Book } from "./book.ts";

export const hooks = kindHooks<Book, typeof node>({
  reads: [node],
  async validate({ spec }, { read }) {
    const nodes = await read(node).list();
    return spec.title === "forbidden" ? [invalidField("spec.title", spec.title, \`with \${nodes.length} nodes\`)] : [];
  },
});
`,
    );
    expect(typeplane("generate")).toMatchObject({ status: 0 });
    const { status, out } = node(project, join(project, "node_modules/typescript/bin/tsc"));
    expect({ status, out }).toEqual({ status: 0, out: "" });
  });

  it("writes the roles that the controllers of the project need, and does not start them", () => {
    const { status, out } = typeplane("roles", "--namespace=books", "--leader-election", "--out=-");
    expect(status).toBe(0);
    expect(out).toContain("kind: ServiceAccount\nmetadata:\n  name: my-api\n  namespace: books\n");
    expect(out).toMatch(
      /- library\.example\.com\n\s+resources:\n\s+- books\n\s+verbs:\n\s+- get\n\s+- list\n\s+- watch\n/,
    );
    expect(out).toMatch(/kind: Role\nmetadata:\n {2}name: my-api-leader-election\n/);
  });

  it("runs the tests of the project", () => {
    const { status, out } = node(project, "--test", "--test-reporter=tap");
    expect(out).toContain("# pass 2");
    expect(status).toBe(0);
  });

  it.each(["library", "dns"])("runs the tests of examples/%s", (name) => {
    const example = join(home, name);
    cpSync(join(ROOT, "examples", name), example, { recursive: true });
    install(example, tarball);
    const launched = join(example, "node_modules/typeplane/bin/typeplane.js");
    expect(node(example, launched, "generate")).toMatchObject({ status: 0 });
    const { status, out } = node(example, "--test", "--test-reporter=tap");
    expect(out).toContain("# fail 0");
    expect(status, out).toBe(0);
    expect(node(example, launched, "roles", "--out=-").out).toContain(`- ${name}.example.com`);
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

  it.skipIf(kubectlPath === undefined)("serves the project to kubectl, with its hooks in TypeScript", async () => {
    const directory = join(home, "server");
    mkdirSync(directory);
    const server = await ServerProcess.started({ directory, launcher, cwd: project, node: projectNode });
    try {
      const kubectl = new Kubectl({ binary: kubectlPath as string, kubeconfig: server.kubeconfig, home });
      const book = (name: string, title: string) =>
        kubectl.given(
          JSON.stringify({
            apiVersion: "library.example.com/v1",
            kind: "Book",
            metadata: { name },
            spec: { title },
          }),
        );
      expect(await book("first", "First").ok("apply --server-side -f -")).toContain("serverside-applied");
      expect(await book("second", "forbidden").fails("apply --server-side -f -")).toContain("with 0 nodes");
      expect(await kubectl.ok("get books")).toMatch(/first\s+First/);
      expect(await kubectl.ok("explain book.spec.title")).toContain("Title that is shown to people");
      expect(await kubectl.ok("get deployments")).toBe("");
    } finally {
      await server.stop();
    }
  });

  it("lets a second team use a type of the first, and serves the kinds of both", () => {
    const second = join(home, "shelf-api");
    write(second, "package.json", readFileSync(join(project, "package.json"), "utf8").replace("my-api", "shelf-api"));
    write(
      second,
      "typeplane.config.ts",
      `import { defineConfig } from "typeplane/vocabulary";
export default defineConfig({ name: "shelf-api", domain: "example.org", base: "core" });
`,
    );
    write(
      second,
      "api-definitions/shelves/group.ts",
      `import { group } from "typeplane/vocabulary";
/** Shelves of libraries. */
export const shelves = group({ name: "shelves.<domain>", versions: ["v1"] });
`,
    );
    write(
      second,
      "api-definitions/shelves/v1/shelf.ts",
      `import type { BookSpec } from "my-api/api-definitions/library/v1/book.ts";
import type { PodTemplateSpec } from "typeplane/kubernetes/core/v1";
import type { Namespaced } from "typeplane/meta/v1";
import { kind } from "typeplane/vocabulary";

/** A shelf that holds the books of a library. */
export interface Shelf extends Namespaced {
  /** The book that visitors see first on this shelf. */
  favourite: BookSpec;
  /** Template of the pod that keeps the shelf tidy. */
  keeper?: PodTemplateSpec;
}

export const shelf = kind<Shelf>({ plural: "shelves" });
`,
    );
    install(second, tarball);
    symlinkSync(project, join(second, "node_modules/my-api"));
    const secondLauncher = join(second, "node_modules/typeplane/bin/typeplane.js");
    const generated = node(second, secondLauncher, "generate");
    expect(generated).toMatchObject({ status: 0, err: expect.not.stringContaining("error") });
    write(
      second,
      "start.ts",
      `import { startPlane } from "typeplane";
import { registry } from "./generated/registry.ts";
const plane = await startPlane({ kinds: registry, listen: false });
await plane.ready;
const headers = { "Content-Type": "application/json" };
const body = JSON.stringify({
  apiVersion: "shelves.example.org/v1",
  kind: "Shelf",
  metadata: { name: "one" },
  favourite: { title: "Dune" },
});
const path = "/apis/shelves.example.org/v1/namespaces/default/shelves";
const created = await plane.fetch(path, { method: "POST", headers, body });
const { favourite } = (await created.json()) as { favourite: object };
const books = await plane.fetch("/apis/library.example.com/v1/books");
const pods = await plane.fetch("/api/v1/pods");
process.stdout.write(JSON.stringify([created.status, favourite, books.status, pods.status]));
await plane.stop();
`,
    );
    const { out, err } = node(second, "start.ts");
    expect(out, err).toBe('[201,{"title":"Dune","size":10,"priority":"Low"},200,404]');
    // A copy instead of a link: commands run its TypeScript all the same.
    rmSync(join(second, "node_modules/my-api"));
    for (const part of ["api-definitions", "generated", "package.json"])
      cpSync(join(project, part), join(second, "node_modules/my-api", part), { recursive: true });
    const book = "apiVersion: library.example.com/v1\nkind: Book\nmetadata:\n  name: one\nspec:\n  title: Dune\n";
    write(second, "book.yaml", book);
    const removals = node(second, secondLauncher, "removals", "-f", "book.yaml", "--target-release", "1.33");
    expect(removals).toMatchObject({ status: 0, err: expect.not.stringContaining("Error") });
  });

  it("says its versions, and lists all commands", () => {
    expect(typeplane("version")).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^typeplane \S+\nKubernetes API v1\.33\.0\nNode\.js v\d+/),
    });
    const { status, out } = typeplane("help");
    expect(status).toBe(0);
    for (const command of ["init", "generate", "serve", "dev", "crds", "migrate-storage"])
      expect(out).toContain(`  typeplane ${command} `);
  });

  it.skipIf(kubectlPath === undefined)(
    "serves an edit without a restart, and says what is wrong with another",
    async () => {
      const kubeconfig = join(home, "dev-kubeconfig");
      const flags = ["--secure-port=0", "--data-dir=memory", "--cert-dir=memory", `--kubeconfig-out=${kubeconfig}`];
      const dev = spawn(projectNode, [launcher, "dev", ...flags], { cwd: project });
      let printed = "";
      for (const stream of [dev.stdout, dev.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          printed += text;
        });
      /** Waits for it, and forgets what was printed until then. */
      const prints = async (pattern: RegExp): Promise<void> => {
        await expect.poll(() => printed, { timeout: 240_000 }).toMatch(pattern);
        const found = pattern.exec(printed) as RegExpExecArray;
        printed = printed.slice(found.index + found[0].length);
      };
      const original = readFileSync(join(project, BOOK), "utf8");
      try {
        await prints(/watching api-definitions/);
        const kubectl = new Kubectl({ binary: kubectlPath as string, kubeconfig, home });
        const book = {
          apiVersion: "library.example.com/v1",
          kind: "Book",
          metadata: { name: "one" },
          spec: { title: "One" },
        };
        await kubectl.given(JSON.stringify(book)).ok("create -f -");
        write(project, BOOK, withField(original, "shelf?: string"));
        await prints(/now served: library\.example\.com\/v1 Book \(\d+ ms\)\n/);
        await kubectl.ok("patch book one --type=merge -p", '{"spec":{"shelf":"A1"}}');
        expect(await kubectl.ok("get book one -o jsonpath={.spec.shelf}")).toBe("A1");
        write(project, BOOK, withField(original, "shelf?: strng"));
        await prints(/book\.ts:\d+:\d+ error unknown-type.*did you mean string\?.*still served/s);
        write(project, BOOK, withField(original, "row: string"));
        await prints(/\n0 errors\nnow served: library\.example\.com\/v1 Book/);
        await prints(/Book default\/one: unknown field "spec\.shelf"; spec\.row: Required value\n/);
        write(project, BOOK, original);
        await prints(/now served/);
      } finally {
        write(project, BOOK, original);
        dev.kill("SIGTERM");
        if (dev.exitCode === null) await once(dev, "close");
      }
    },
  );

  it("records releases, describes what changed between them, and refuses what breaks the last one", () => {
    const identity = ["-c", "user.name=Team", "-c", "user.email=team@example.com"];
    const git = (...args: string[]) => execFileSync("git", [...identity, ...args], { cwd: project });
    const original = readFileSync(join(project, BOOK), "utf8");
    const released = { status: 0, out: "api-definitions/released-api.json: release 1.33, 1 kind\n", err: "" };
    expect(typeplane("release-snapshot")).toEqual(released);
    git("init", "-q");
    git("add", "api-definitions", "generated");
    git("commit", "-qm", "First release");
    write(project, BOOK, withField(original, "shelf?: string"));
    expect(typeplane("release-snapshot")).toEqual(released);
    expect(typeplane("api-diff", "HEAD")).toEqual({
      status: 0,
      out: "changes:\n  library.example.com/v1 BookSpec.shelf is new: string\n",
      err: "",
    });
    write(project, BOOK, withField(original, "shelf?: Int32"));
    const { status, err } = typeplane("generate");
    expect(status).toBe(1);
    expect(err).toContain(
      "evolution-field-retyped: library.example.com/v1 BookSpec.shelf changed from string to int32",
    );
    write(project, BOOK, original);
    rmSync(join(project, "api-definitions/released-api.json"));
  });

  it("adds the definition of a kind, and refuses to compare the API with a git revision that does not exist", () => {
    expect(typeplane("scaffold", "library.example.com/v1/Author")).toMatchObject({
      status: 0,
      out: expect.stringContaining("wrote api-definitions/library/v1/author.ts\n"),
    });
    expect(typeplane("api-diff", "no-such-revision")).toMatchObject({
      status: 2,
      out: "",
      err: "no-such-revision is no git revision here\n",
    });
  });

  it("converts manifests, and rewrites stored objects", () => {
    write(
      project,
      "scaler.yaml",
      `apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: one
spec:
  maxReplicas: 3
  scaleTargetRef: { kind: Deployment, name: one }
  targetCPUUtilizationPercentage: 80
`,
    );
    const converted = typeplane("convert", "-f", "scaler.yaml", "--output-version", "autoscaling/v2");
    expect(converted).toMatchObject({ status: 0, err: "" });
    expect(converted.out).toContain("averageUtilization: 80");
    mkdirSync(join(home, "data"));
    expect(typeplane("migrate-storage", `--data-dir=${join(home, "data")}`)).toMatchObject({
      status: 0,
      out: "0 objects rewritten for release 1.33\n",
    });
  });
});

if (kubectlPath === undefined) process.stderr.write(`serving to kubectl is ${skipMessage("kubectl")}\n`);
