import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join, posix, relative } from "node:path";
import { promisify } from "node:util";
import { type Plugin, rolldown } from "rolldown";
import { getBuiltinModules } from "./builtin-modules.ts";
import { bundledLmdb, LMDB_PARTS } from "./bundled-lmdb.ts";
import { inlineFacades } from "./inline-facades.ts";
import { lineMappings } from "./line-mappings.ts";
import { BUNDLED, BUNDLED_BUT_NATIVE, versionOf } from "./manifest.ts";
import { makeScripts } from "./script-chunk.ts";

const ROOT = join(import.meta.dirname, "..");
const execute = promisify(execFile);

/** Modules that are also used outside of servers or in their own threads. Their imports are kept apart from the code of servers. */
const LIGHT = [
  "runtime/client.ts",
  "runtime/controller.ts",
  "api-definitions/vocabulary.ts",
  "package/hooks.ts",
  "package/registry.ts",
  "runtime/encoding/yaml/yaml-thread.ts",
  "runtime/http/openapi/protobuf/openapi-worker.ts",
];

/** Messages of the bundler that are expected. `EVAL` is about a package that Koa uses. */
const EXPECTED: ReadonlySet<string> = new Set(["INEFFECTIVE_DYNAMIC_IMPORT", "EVAL"]);
/**
 * Packages that the parts of Koa load on first use. One of them contains a direct `eval`, because of which V8 keeps all variables of the
 * surrounding file.
 */
const SELDOM = /\/node_modules\/(?:mime-|http-assert|deep-equal|depd)/;
const KOA_PARTS = "runtime/http/koa-parts/";

/** Where the files of a bundle are written, and where it finds other files when it runs. */
export interface BundlePlace {
  readonly folder: string;
  /** Folder that contains the other files of this repository, at the same relative paths. */
  readonly root: string;
  /** Extension of the modules in `root`. */
  readonly extension: ".js" | ".ts";
  /** Folder of encoded starting objects, relative to their module in `root`. By default it is the folder beside the module. */
  readonly startingObjects?: string;
}

export interface Bundle {
  /** Modules that the bundle loads but does not contain, as paths in this repository. */
  readonly outside: readonly string[];
  readonly files: number;
  /** Modules in the bundle, as paths in this repository. */
  readonly inside: readonly string[];
  /** Folders of the packages whose code is in the bundle. */
  readonly packages: readonly string[];
}

/**
 * Bundles modules of this repository into a few files in one folder, because the time of a start depends mostly on the number of files that
 * are loaded. One file has the code that every server loads until it is ready, one has the additional code of servers with all kinds, and the
 * others are loaded on first use. Function names are kept, and source maps refer to lines of the sources. The generator, and packages that
 * not every server loads, are not bundled.
 */
export async function bundle(entries: Readonly<Record<string, string>>, place: BundlePlace): Promise<Bundle> {
  const { folder } = place;
  const [starting, kubernetes] = (await Promise.all([loadedAtStart("core"), loadedAtStart("kubernetes")])).map(
    (paths) => new Set(paths),
  ) as [Set<string>, Set<string>];
  const light = new Set<string>();
  const outside = new Set<string>();
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(ROOT, path)])),
    platform: "node",
    external: (id, importer = "") =>
      !/^[./]/.test(id) &&
      (isBuiltin(id) ||
        !([...BUNDLED, ...BUNDLED_BUT_NATIVE].includes(id) || /\/node_modules\/|\/koa-parts\//.test(importer))),
    plugins: [ownLocations(place), notBundled(outside, place), koaParts(), bundledLmdb(), reachable(LIGHT, light)],
    transform: {
      define: {
        BUNDLED_LMDB_VERSION: JSON.stringify(versionOf(ROOT, "lmdb")),
        ...(place.startingObjects !== undefined && { STARTING_OBJECTS: JSON.stringify(place.startingObjects) }),
      },
    },
    onLog: (level, log, handle) => !EXPECTED.has(log.code ?? "") && handle(level, log),
  });
  const inRepository = (id: string): string => relative(ROOT, id);
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    sourcemap: true,
    // An error that ends a process prints the line that threw it, so lines must be short.
    minify: false,
    comments: false,
    // V8 stores a string with any other character in two bytes per character.
    charset: "ascii",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: {
      groups: [
        { name: "shared", test: (id) => starting.has(inRepository(id)) && light.has(inRepository(id)), priority: 2 },
        {
          name: "start",
          test: (id) =>
            starting.has(inRepository(id)) ||
            (id.includes("/node_modules/") && !SELDOM.test(id)) ||
            id.includes(KOA_PARTS) ||
            LMDB_PARTS.has(id),
          priority: 1,
        },
        { name: "kubernetes", test: (id) => kubernetes.has(inRepository(id)), priority: 0 },
      ],
    },
  });
  for (const { fileName } of output) if (fileName.endsWith(".map")) shortenMap(join(folder, fileName));
  inlineFacades(folder);
  getBuiltinModules(folder);
  makeScripts(folder);
  cpSync(join(ROOT, "package/cached-script.js"), join(folder, "cached-script.js"));
  const modules = output.flatMap((file) => (file.type === "chunk" ? Object.keys(file.modules) : []));
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  return {
    outside: [...outside],
    inside: modules
      .filter((id) => id.startsWith(`${ROOT}/`))
      .map(inRepository)
      .filter((path) => !path.startsWith("node_modules/")),
    files: output.filter(({ fileName }) => fileName.endsWith(".js")).length,
    packages: [...packages].sort(),
  };
}

/**
 * Returns the modules that a server loads until it is ready. Leaves out a module with a top-level await, which cannot be in the file that it
 * waits for.
 */
async function loadedAtStart(base: "core" | "kubernetes"): Promise<readonly string[]> {
  const script = join(import.meta.dirname, "loaded-at-start.ts");
  const { stdout } = await execute(process.execPath, ["--disable-warning=ExperimentalWarning", script, base]);
  return stdout.split("\n").filter((path) => !path.startsWith("package/") && path !== "cli/main.ts");
}

/** Returns the path of a repository file relative to the bundle. */
function fromBundle({ folder, root }: BundlePlace, path: string): string {
  return relative(folder, join(root, path));
}

/**
 * Keeps the locations by which modules find files: `import.meta.url` still refers to the location of the source. Modules that are required or
 * run in a thread get their own files in the bundle.
 */
function ownLocations(place: BundlePlace): Plugin {
  return {
    name: "own-locations",
    transform(code, id) {
      if (!code.includes("import.meta.url")) return undefined;
      const own = (target: string): string => {
        const file = posix.join(posix.dirname(id), target);
        const fileName = `${posix.basename(file, ".ts")}.js`;
        this.emitFile({ type: "chunk", id: file, fileName });
        return `"./${fileName}"`;
      };
      const location = `new URL(${JSON.stringify(fromBundle(place, relative(ROOT, id)))}, import.meta.url)`;
      const text = code
        .replaceAll("import.meta.url", location)
        .replaceAll(`createRequire(${location})`, "createRequire(import.meta.url)")
        .replace(/createRequire\(import\.meta\.url\)\("([^".]+)"\)/g, (call: string, name: string) =>
          BUNDLED.includes(name) ? `require("${name}")` : call,
        )
        .replace(
          /(createRequire\(import\.meta\.url\)\(\s*)"(\.[^"]+\.ts)"/g,
          (_, call: string, target: string) => call + own(target),
        )
        .replace(
          /new Worker\(new URL\("(\.[^"]+\.ts)", .*\)\)/g,
          (_, target: string) => `new Worker(new URL(${own(target)}, import.meta.url))`,
        );
      // Lines keep their numbers.
      return { code: text, map: null };
    },
  };
}

/** Keeps the generator out of the bundle, because it reads its own files and templates. */
function notBundled(outside: Set<string>, place: BundlePlace): Plugin {
  const generator = join(ROOT, "generator/");
  return {
    name: "not-bundled",
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith(".")) return undefined;
      const path = posix.join(posix.dirname(importer), source);
      if (!path.startsWith(generator)) return undefined;
      outside.add(relative(ROOT, path));
      return { id: fromBundle(place, relative(ROOT, path)).replace(/\.ts$/, place.extension), external: "relative" };
    },
  };
}

/**
 * Does what `bin/typeplane.js` does in the repository: replaces packages of Koa by parts that load the rest on first use. The rest of each
 * part is a file of its own.
 */
function koaParts(): Plugin {
  const parts = join(ROOT, KOA_PARTS);
  const rest = new Map(
    readdirSync(parts).map((file) => [posix.basename(file, ".cjs"), `koa-${posix.basename(file, ".cjs")}.js`]),
  );
  return {
    name: "koa-parts",
    buildStart() {
      for (const [name, fileName] of rest)
        this.emitFile({ type: "chunk", id: createRequire(join(parts, "x.cjs")).resolve(name), fileName });
    },
    resolveId(source, importer = "") {
      if (importer.startsWith(parts)) return { id: source, external: true };
      return importer.includes("/node_modules/") && rest.has(source) ? join(parts, `${source}.cjs`) : undefined;
    },
    transform(code, id) {
      if (!id.startsWith(parts)) return undefined;
      const text = code.replace(/require\("([^"]+)"\)/g, (_, name: string) => `require("./${rest.get(name)}").default`);
      return { code: text, map: null };
    },
  };
}

/** Adds the modules that the given modules import directly or indirectly, and these modules themselves. */
function reachable(from: readonly string[], found: Set<string>): Plugin {
  return {
    name: "reachable",
    buildEnd() {
      const visit = (id: string): void => {
        const path = relative(ROOT, id);
        if (found.has(path)) return;
        const module = this.getModuleInfo(id);
        if (module === null) return;
        found.add(path);
        module.importedIds.forEach(visit);
      };
      for (const path of from) visit(join(ROOT, path));
    },
  };
}

/** Removes the sources, which the package does not contain, and the columns: lines of the code are short, so line numbers suffice. */
function shortenMap(file: string): void {
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(file, "utf8")) as { readonly mappings: string } & {
    readonly sourcesContent?: unknown;
  };
  writeFileSync(file, JSON.stringify({ ...map, mappings: lineMappings(map.mappings) }));
}
