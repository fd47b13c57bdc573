import { createRequire } from "node:module";

const WITHOUT_NATIVE = "MSGPACKR_NATIVE_ACCELERATION_DISABLED";

/**
 * Loads LMDB when a data file is first opened, because a server that stores in memory does not need it. Its CommonJS file loads in two
 * thirds of the time of its many ES modules. LMDB imports MessagePack, which the store does not use: it is loaded only if a table that
 * needs it is opened.
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

/** A substitute for MessagePack: an Encoder constructor that loads the package when it is called. */
export function lazyMessagePack(requireOfLmdb: NodeJS.Require): object {
  function Encoder(...options: readonly unknown[]): object {
    const loaded = withoutNative(() => requireOfLmdb("msgpackr") as MessagePack);
    return new loaded.Encoder(...options);
  }
  return { Encoder };
}

/** A CommonJS module that counts as loaded. */
export function asModule(path: string, exports: object): NodeJS.Module {
  return { id: path, filename: path, loaded: true, exports, children: [] } as unknown as NodeJS.Module;
}

interface MessagePack {
  readonly Encoder: new (...options: readonly unknown[]) => object;
}

/** Runs a function while the native module of MessagePack is disabled, because it takes long to load. */
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
