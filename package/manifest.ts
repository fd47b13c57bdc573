import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Names of the package that users import, and the modules behind them. Those in `kubernetes/` are made by the build. */
export const ENTRIES: Readonly<Record<string, string>> = {
  ".": "runtime/plane",
  "./client": "runtime/client",
  "./controller": "runtime/controller",
  "./vocabulary": "api-definitions/vocabulary",
  "./hooks": "package/hooks",
  "./registry": "package/registry",
  "./meta/v1": "kubernetes/meta/v1",
  "./kubernetes/*": "kubernetes/*",
};

/** The folder of the bundle. */
export const BUNDLE = "bundle";

/** Entries that are files of the bundle, by the names of these files: `plane` is `runtime/plane.ts`. */
export function bundledEntries(): Record<string, string> {
  const modules = Object.values(ENTRIES).filter((file) => !file.startsWith("kubernetes/"));
  return Object.fromEntries(modules.map((file) => [basename(file), `${file}.ts`]));
}

/** The file of JavaScript behind an entry. */
const codeOf = (file: string): string =>
  file.startsWith("kubernetes/") ? `./${file}.js` : `./${BUNDLE}/${basename(file)}.js`;

/** Needed for one feature each: who uses it installs them, and a command that misses one says which (`cli/missing-package.ts`). */
const OPTIONAL: readonly string[] = [
  "@grpc/grpc-js",
  "@noble/ciphers",
  "@opentelemetry/api",
  "@opentelemetry/exporter-trace-otlp-grpc",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace",
  "handlebars",
  "protobufjs",
  "ts-morph",
  "vitepress",
  "yaml",
];

/** Loaded by every server: the bundle has their code, and that of the packages that they need. */
export const BUNDLED: readonly string[] = ["koa", "sorted-btree"];

/** The bundle has the JavaScript of these; their native parts, of exactly the same version, are installed beside it. */
export const BUNDLED_BUT_NATIVE: readonly string[] = ["lmdb"];

/** `registerHooks` and TypeScript without a flag: 22.18 and 23.6 are the first to have both. */
const NODE = "^22.18.0 || >=23.6.0";

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const readManifest = (root: string): Manifest =>
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

/** The version of a dependency of this repository. */
export function versionOf(root: string, name: string): string {
  const { dependencies, devDependencies } = readManifest(root);
  return dependencies[name] ?? devDependencies[name] ?? "0.0.0";
}

/**
 * The package.json of the package, from that of this repository. Versions of dependencies may be newer, but not incompatible; only those
 * that belong to code in the bundle are fixed.
 */
export function packageManifest(root: string): object {
  const own = readManifest(root);
  const range = (name: string): [string, string] => [
    name,
    `${BUNDLED_BUT_NATIVE.includes(name) ? "" : "^"}${versionOf(root, name)}`,
  ];
  const required = Object.keys(own.dependencies).filter((name) => ![...OPTIONAL, ...BUNDLED].includes(name));
  return {
    name: "typeplane",
    version: own.version,
    description: own.description,
    license: own.license,
    type: "module",
    engines: { node: NODE },
    bin: { typeplane: "bin/typeplane.js" },
    exports: {
      ...Object.fromEntries(
        Object.entries(ENTRIES).map(([name, file]) => [name, { types: `./${file}.d.ts`, default: codeOf(file) }]),
      ),
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(required.map(range)),
    peerDependencies: Object.fromEntries(OPTIONAL.map(range)),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  };
}
