import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import { kubernetesDefinitions } from "../generator/foreign-definitions.ts";
import type { CallDeclaration, DefinitionFile } from "../generator/reader/syntax.ts";
import type { ApiCatalogue, ResourceDescriptor } from "../runtime/contract/resource-descriptor.ts";
import { encodePrepared } from "../runtime/controllers/bootstrap/starting-objects.ts";
import { bundle } from "./bundle.ts";
import { BUNDLE, bundledEntries, ENTRIES, packageManifest } from "./manifest.ts";

/**
 * `make package`: builds JavaScript and type declarations into dist/package/, and packs them as dist/typeplane-<version>.tgz.
 *
 * The runtime and the commands are bundled (see `bundle.ts`). The generator is copied without types and comments; its line numbers are those
 * of the sources, as its source maps state. Declarations that no entry of the package uses are left out.
 */

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist/package");
/** Path within the runtime folder. */
const PREPARED = "controllers/bootstrap/starting-objects/";
const TOKENS = `import { resourceToken } from "../../${BUNDLE}/registry.js";\n`;

const say = (text: string): void => void process.stdout.write(`${(performance.now() / 1000).toFixed(1)} s ${text}\n`);

rmSync(OUT, { recursive: true, force: true });
say("writing declarations");
execFileSync(process.execPath, [join(ROOT, "node_modules/typescript-native/bin/tsc"), "-p", join(ROOT, "package")], {
  stdio: "inherit",
  // Makes the compiler collect garbage less often: it has enough memory and runs briefly.
  env: { ...process.env, GOGC: "400" },
});
say("writing JavaScript");
mkdirSync(OUT, { recursive: true });
const isWritten = new Set<string>();
const { outside, files, packages } = await bundle(
  { main: "cli/main.ts", ...bundledEntries() },
  { folder: join(OUT, BUNDLE), root: OUT, extension: ".js" },
);
say(`bundled into ${files} files`);
for (const path of outside) writeJavaScript(path);
writeLauncher();
copyOthers();
writeModules(await shipDefinitions());
repairDeclarations();
writeFileSync(join(OUT, "package.json"), `${JSON.stringify(packageManifest(ROOT), undefined, 2)}\n`);
say("packing");
const packed = execFileSync("npm", ["pack", OUT, "--pack-destination", join(ROOT, "dist"), "--json"], {
  encoding: "utf8",
  cwd: ROOT,
  stdio: ["ignore", "pipe", "inherit"],
});
const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(packed) as [
  { readonly filename: string; readonly size: number; readonly unpackedSize: number; readonly entryCount: number },
];
say(`dist/${filename}: ${megabytes(size)}, ${entryCount} files, ${megabytes(unpackedSize)} unpacked`);

/** Writes the command, which starts from the bundle and resolves few modules, so that it needs no module hooks. */
function writeLauncher(): void {
  copy("bin/older-node.js");
  cpSync(join(ROOT, "package/launcher.js"), join(OUT, "bin/typeplane.js"));
}

/**
 * Writes a module, and those that it imports or names in strings that are imported later. Types and comments are removed and module names end
 * with `.js`. Lines keep their numbers.
 */
function writeJavaScript(path: string): void {
  if (isWritten.has(path) || !existsSync(join(ROOT, path))) return;
  isWritten.add(path);
  const { text, modules } = plainText(readFileSync(join(ROOT, path), "utf8"));
  const code = path.endsWith(".ts") ? stripTypeScriptTypes(text).replace(/[ \t]+$/gm, "") : text;
  const lines = code.split("\n").length - 1;
  const map = { version: 3, sources: [posix.basename(path)], names: [], mappings: `AAAA${";AACA".repeat(lines)}` };
  const encoded = encodeURIComponent(JSON.stringify(map)).replaceAll("%3B", ";");
  const end = `//# sourceMappingURL=data:application/json,${encoded}\n`;
  write(path.replace(/\.ts$/, ".js"), `${code.trimEnd()}\n${end}`);
  for (const target of modules.filter((name) => code.includes(`"${name.replace(/\.ts$/, ".js")}"`)))
    writeJavaScript(posix.join(posix.dirname(path), target));
}

/** Returns the source without comments on lines of their own and with module names that end with `.js`. `modules` are the original module names. */
function plainText(source: string): { readonly text: string; readonly modules: readonly string[] } {
  const templates: { readonly from: number; readonly to: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteral(node)) templates.push({ from: node.pos, to: node.end });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("one.ts", source, ts.ScriptTarget.ESNext));
  const isText = (at: number): boolean => templates.some(({ from, to }) => from <= at && at < to);
  const modules: string[] = [];
  const pattern = /^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/[ \t]*)$|"(\.{1,2}\/[^"\n]*\.[jt]s)"/gm;
  const text = source.replace(pattern, (found: string, module: string | undefined, at: number) => {
    if (isText(at)) return found;
    if (module === undefined) return found.startsWith("#!") ? found : found.replace(/[^\n]+/g, "");
    modules.push(module);
    return `"${module.replace(/\.ts$/, ".js")}"`;
  });
  return { text, modules };
}

/** Copies data files that are read at run time, the licenses, and the README. */
function copyOthers(): void {
  const wanted = /\.(jsonl?|hbs|tmpl)$/;
  for (const folder of ["generated", "generator", "runtime", "cli"]) {
    for (const path of filesIn(join(ROOT, folder)).filter((name) => wanted.test(name))) {
      if (path.startsWith(PREPARED)) shipPrepared(join(folder, path));
      else copy(join(folder, path));
    }
  }
  copy("LICENSE");
  write(`${BUNDLE}/LICENSES.txt`, packages.map(licenceOf).join("\n"));
  cpSync(join(ROOT, "package/README.md"), join(OUT, "README.md"));
}

/** Writes the objects that a new server starts with, encoded as the server stores them. */
function shipPrepared(path: string): void {
  const to = join(OUT, path.replace(/\.jsonl$/, ".stored"));
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, encodePrepared(readFileSync(join(ROOT, path), "utf8")));
}

/** Returns name, version and license of a package whose code is in the bundle. A few packages contain no license text but state its name. */
function licenceOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const { name, version, license } = manifest;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined && license === undefined) throw new Error(`${name} cannot be bundled: it has no licence`);
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version}\n\n${text}\n`;
}

/**
 * Writes the definitions of Kubernetes, with the result of reading them, where the generator finds both, so that no project reads them again.
 * Returns the definition files of each module.
 */
async function shipDefinitions(): Promise<ReadonlyMap<string, readonly DefinitionFile[]>> {
  const texts = kubernetesDefinitions(ROOT);
  const load = <T>(path: string): Promise<T> => import(pathToFileURL(join(OUT, path)).href) as Promise<T>;
  const { DefinitionCache, openDefinitionCache } = await load<typeof import("../generator/reader/definition-cache.ts")>(
    "generator/reader/definition-cache.js",
  );
  const { readDefinitions } = await load<typeof import("../generator/reader/read-definitions.ts")>(
    "generator/reader/read-definitions.js",
  );
  const { Diagnostics } = await load<typeof import("../generator/diagnostics.ts")>("generator/diagnostics.js");
  const cache: InstanceType<typeof DefinitionCache> = await openDefinitionCache("", { empty: true });
  const files = readDefinitions({ files: new Map(texts) }, new Diagnostics(), cache);
  const stored = join(OUT, "generator/kubernetes-definitions.bin");
  await cache.store(stored);
  writeFileSync(`${stored}.gz`, gzipSync(readFileSync(stored), { level: 9 }));
  rmSync(stored);
  const json = JSON.stringify(Object.fromEntries(texts));
  writeFileSync(join(OUT, "generator/kubernetes-definitions.json.gz"), gzipSync(json, { level: 9 }));
  const modules = new Map<string, DefinitionFile[]>();
  for (const file of files) {
    const module = posix.dirname(file.path).slice("api-definitions/".length);
    if (!module.includes("/") || (file.types.length === 0 && file.calls.length === 0)) continue;
    modules.set(module, [...(modules.get(module) ?? []), file]);
  }
  return modules;
}

/**
 * Writes the modules `kubernetes/core/v1` and so on: the types that the files of a module declare, and the constants of its kinds, for
 * `reads` of hooks and for clients, without the parts of their declarations that only the generator reads.
 */
function writeModules(modules: ReadonlyMap<string, readonly DefinitionFile[]>): void {
  const { resources } = JSON.parse(readFileSync(join(ROOT, "generated/resources.json"), "utf8")) as ApiCatalogue;
  const kinds = new Map(resources.map((resource) => [resource.type as string, resource]));
  for (const [module, files] of modules) {
    const types = files.map(({ path }) => `export * from "../../${path.replace(/\.ts$/, ".js")}";\n`);
    const constants = files.flatMap(({ calls }) =>
      calls.filter(({ word }) => word === "kind").map((call) => constantOf(call, kinds, module)),
    );
    const needs = constants.some((text) => text.includes("resourceToken")) ? TOKENS : "export {};\n";
    write(`kubernetes/${module}.d.ts`, types.join(""));
    write(`kubernetes/${module}.js`, needs + constants.join(""));
  }
}

function constantOf(call: CallDeclaration, kinds: ReadonlyMap<string, ResourceDescriptor>, module: string): string {
  const [type] = call.types;
  const found = kinds.get(`${module}.${type?.form === "word" ? type.name : ""}`);
  if (found === undefined) return `export const ${call.name} = {};\n`;
  const { group, version, kind, resource, namespaced } = found;
  const token = JSON.stringify({ group, version, kind, resource, namespaced });
  return `export const ${call.name} = {};\nresourceToken(${token}, ${call.name});\n`;
}

/**
 * Replaces `.ts` in imports of declaration files by `.js`, because the package contains no `.ts` files. Removes declarations that no entry of
 * the package uses.
 */
function repairDeclarations(): void {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path) || !existsSync(join(OUT, path))) return;
    reached.add(path);
    const text = readFileSync(join(OUT, path), "utf8").replace(/((?:from|import)\s*\(?\s*"\.[^"]*)\.ts"/g, '$1.js"');
    write(path, text);
    for (const [, target = ""] of text.matchAll(/"(\.{1,2}\/[^"\n]*)\.js"/g))
      visit(posix.join(posix.dirname(path), `${target}.d.ts`));
  };
  const modules = filesIn(join(OUT, "kubernetes")).map((path) => `kubernetes/${path}`);
  for (const path of [...Object.values(ENTRIES).map((file) => `${file}.d.ts`), ...modules]) visit(path);
  for (const path of filesIn(OUT)) if (path.endsWith(".d.ts") && !reached.has(path)) rmSync(join(OUT, path));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function copy(path: string): void {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  cpSync(join(ROOT, path), join(OUT, path));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  writeFileSync(join(OUT, path), text);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
