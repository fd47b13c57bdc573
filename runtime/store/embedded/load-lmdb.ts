import { createRequire } from "node:module";

/**
 * LMDB, loaded when a data file is first opened: a server in memory does without. Its CommonJS file loads in two thirds of the time that its
 * many ES modules take.
 */
export function loadLmdb(): typeof import("lmdb") {
  return createRequire(import.meta.url)("lmdb") as typeof import("lmdb");
}
