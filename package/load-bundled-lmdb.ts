import { createRequire } from "node:module";
import { asModule, loadLmdb as loadInstalled } from "../runtime/store/embedded/load-lmdb.ts";
import { installedLmdb, installedVersion } from "./installed-lmdb.ts";

/** Version of LMDB's JavaScript in the bundle. Set by the build. */
declare const BUNDLED_LMDB_VERSION: string;

/**
 * Replaces `loadLmdb` in the bundle: uses the bundled JavaScript of LMDB, for which V8 needs half the memory, with the native part of the
 * installed package. If the installed package has another version, it is used as a whole, because both parts must have the same version.
 */
export function loadLmdb(): typeof import("lmdb") {
  const { cache } = createRequire(import.meta.url);
  const path = installedLmdb();
  if (cache[path] !== undefined || installedVersion() !== BUNDLED_LMDB_VERSION) return loadInstalled();
  const exports = require("lmdb") as typeof import("lmdb");
  // The bundled module is incomplete if an earlier call failed. The installed one then fails for the same reason, in every call.
  if (exports.open === undefined) return loadInstalled();
  // Other code in the process that requires LMDB must get the same module.
  cache[path] = asModule(path, exports);
  return exports;
}
