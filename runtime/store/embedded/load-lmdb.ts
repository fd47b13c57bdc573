import { createRequire } from "node:module";

const WITHOUT_NATIVE = "MSGPACKR_NATIVE_ACCELERATION_DISABLED";

/**
 * LMDB, loaded when a data file is first opened: a server in memory does without. Its CommonJS file loads in two thirds of the time that its
 * many ES modules take. It loads MessagePack, which the store does not use: that is put off until somebody opens a table that needs it.
 */
export function loadLmdb(): typeof import("lmdb") {
  const require = createRequire(import.meta.url);
  const path = require.resolve("lmdb");
  if (require.cache[path] !== undefined) return require(path) as typeof import("lmdb");
  const requireOfLmdb = createRequire(path);
  const messagePack = requireOfLmdb.resolve("msgpackr");
  if (require.cache[messagePack] !== undefined) return require(path) as typeof import("lmdb");
  require.cache[messagePack] = asModule(messagePack, lazyMessagePack(requireOfLmdb));
  try {
    return require(path) as typeof import("lmdb");
  } finally {
    delete require.cache[messagePack];
  }
}

/** MessagePack for LMDB: a constructor of encoders that loads the package when it is called. */
export function lazyMessagePack(requireOfLmdb: NodeJS.Require): object {
  function Encoder(...options: readonly unknown[]): object {
    const loaded = withoutNative(() => requireOfLmdb("msgpackr") as MessagePack);
    return new loaded.Encoder(...options);
  }
  return { Encoder };
}

/** A module of CommonJS that is loaded. */
export function asModule(path: string, exports: object): NodeJS.Module {
  return { id: path, filename: path, loaded: true, exports, children: [] } as unknown as NodeJS.Module;
}

interface MessagePack {
  readonly Encoder: new (...options: readonly unknown[]) => object;
}

/** MessagePack has a native module, which takes long to load. */
function withoutNative<T>(load: () => T): T {
  const { [WITHOUT_NATIVE]: before } = process.env;
  process.env[WITHOUT_NATIVE] = "true";
  try {
    return load();
  } finally {
    if (before === undefined) delete process.env[WITHOUT_NATIVE];
    else process.env[WITHOUT_NATIVE] = before;
  }
}
