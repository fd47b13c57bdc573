import { createRequire } from "node:module";

const WITHOUT_NATIVE = "MSGPACKR_NATIVE_ACCELERATION_DISABLED";

/**
 * LMDB, loaded when a data file is first opened: a server in memory does without. Its CommonJS file loads in two thirds of the time that its
 * many ES modules take, and without a native module for MessagePack, which the store does not use.
 */
export function loadLmdb(): typeof import("lmdb") {
  const { [WITHOUT_NATIVE]: before } = process.env;
  process.env[WITHOUT_NATIVE] = "true";
  try {
    return createRequire(import.meta.url)("lmdb") as typeof import("lmdb");
  } finally {
    if (before === undefined) delete process.env[WITHOUT_NATIVE];
    else process.env[WITHOUT_NATIVE] = before;
  }
}
