import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Import paths of the package, with their modules. The build creates those in `kubernetes/`. */
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

/** Folder of the bundle. */
export const BUNDLE = "bundle";

/** Returns the entries that are files of the bundle, by file name: `plane` is `runtime/plane.ts`. */
export function bundledEntries(): Record<string, string> {
  const modules = Object.values(ENTRIES).filter((file) => !file.startsWith("kubernetes/"));
  return Object.fromEntries(modules.map((file) => [basename(file), `${file}.ts`]));
}

/** Returns the JavaScript file of an entry. */
const codeOf = (file: string): string =>
  file.startsWith("kubernetes/") ? `./${file}.js` : `./${BUNDLE}/${basename(file)}.js`;

/** Packages that one feature each needs. Users of the feature install them; a command that misses one reports it (`cli/missing-package.ts`). */
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

/** Packages that every server loads. The bundle contains their code and that of their dependencies. */
export const BUNDLED: readonly string[] = ["koa", "sorted-btree"];

/** Packages whose JavaScript is in the bundle. Their native parts, of exactly the same version, are installed next to it. */
export const BUNDLED_BUT_NATIVE: readonly string[] = ["lmdb"];

/** First versions of Node with both `registerHooks` and TypeScript without a flag: 22.18 and 23.6. */
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

/** Returns the version of a dependency of this repository. */
export function versionOf(root: string, name: string): string {
  const { dependencies, devDependencies } = readManifest(root);
  return dependencies[name] ?? devDependencies[name] ?? "0.0.0";
}

/**
 * Returns the package.json of the package, derived from that of this repository. Dependencies may have newer compatible versions; only those
 * whose code is in the bundle have fixed versions.
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
