import { createRequire } from "node:module";
import { asModule, loadLmdb as loadInstalled } from "../runtime/store/embedded/load-lmdb.ts";
import { installedLmdb, installedVersion } from "./installed-lmdb.ts";

/** Version of the JavaScript in the bundle; the build sets it. */
declare const BUNDLED_LMDB_VERSION: string;

/**
 * `loadLmdb` of the bundle: the JavaScript of LMDB is that of the bundle, where V8 keeps it in half of the memory, and its native part that
 * of the installed package. An installed package of another version is used as a whole, since both parts must be of the same version.
 */
export function loadLmdb(): typeof import("lmdb") {
  const { cache } = createRequire(import.meta.url);
  const path = installedLmdb();
  if (cache[path] !== undefined || installedVersion() !== BUNDLED_LMDB_VERSION) return loadInstalled();
  const exports = require("lmdb") as typeof import("lmdb");
  // It is incomplete after a call that has failed; the installed one fails for the same reason, every time.
  if (exports.open === undefined) return loadInstalled();
  // Other users of LMDB in the process get the same one.
  cache[path] = asModule(path, exports);
  return exports;
}
