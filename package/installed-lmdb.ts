import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { lazyMessagePack } from "../runtime/store/embedded/load-lmdb.ts";

/** What LMDB in the bundle needs of the package `lmdb` beside it: its location, from which the native part is found, and its dependencies. */

/** The main file of the installed package. */
export function installedLmdb(): string {
  return createRequire(import.meta.url).resolve("lmdb");
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
  return name === "msgpackr" ? lazyMessagePack(require) : require(name);
}
