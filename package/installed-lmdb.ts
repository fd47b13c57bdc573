import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { lazyMessagePack } from "../runtime/store/embedded/load-lmdb.ts";
import { cLibrary } from "./c-library.ts";

/** What the bundled LMDB needs of the installed package `lmdb`: its location, by which the native part is found, and its dependencies. */

/** Package that finds the native part of a package. */
const NATIVE_LOADER = "node-gyp-build-optional-packages";

let main: string | undefined;

/** Returns the path of the main file of the installed package. */
export function installedLmdb(): string {
  main ??= createRequire(import.meta.url).resolve("lmdb");
  return main;
}

export function installedUrl(): string {
  return pathToFileURL(installedLmdb()).href;
}

export function installedVersion(): string {
  const manifest = join(dirname(installedLmdb()), "../package.json");
  return (createRequire(import.meta.url)(manifest) as { readonly version: string }).version;
}

export function requireOfLmdb(name: string): unknown {
  const require = createRequire(installedLmdb());
  if (name === "msgpackr") return lazyMessagePack(require);
  return name === NATIVE_LOADER ? withCLibrary(() => require(name)) : require(name);
}

/** Tells the loader the C library. To determine it, the loader would load modules for child processes and datagrams. */
function withCLibrary<T>(load: () => T): T {
  const library = cLibrary();
  if (library === undefined || process.env.LIBC !== undefined) return load();
  process.env.LIBC = library;
  try {
    return load();
  } finally {
    delete process.env.LIBC;
  }
}
