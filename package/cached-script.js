// Becomes bundle/cached-script.js of the package.
//
// Node's compile cache contains only the functions that V8 compiles while it loads a file, and not those that it compiles when they are first
// called. A start spends a fifth of its time on the latter. A script can be stored with them once a server is ready.

// Importing these as modules would load more than is needed here.
const { subscribe } = process.getBuiltinModule("node:diagnostics_channel");
const { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } =
  process.getBuiltinModule("node:fs");
const { getCompileCacheDir } = process.getBuiltinModule("node:module");
const { basename, join } = process.getBuiltinModule("node:path");
const { fileURLToPath } = process.getBuiltinModule("node:url");
const { Script } = process.getBuiltinModule("node:vm");
const { crc32 } = process.getBuiltinModule("node:zlib");

/**
 * Header of 4 bytes each for a checksum and for whether the code of the first requests is included. V8 copies data whose offset is not a
 * multiple of 8.
 */
const HEADER_BYTES = 8;
const WITH_REQUESTS_AT = 4;
const WRITABLE_BY_OTHERS = 0o022;
/** Time after the start in which a server has responded to its first requests. */
const FIRST_REQUESTS_MS = 2_000;

/**
 * Runs a file of the bundle: a function of its imports, of the URL of its module, and of `import` in that module. The compiled code is stored
 * in the directory of Node's compile cache, which depends on the version and the flags of Node; its file name contains a checksum of the
 * script. Without a directory, or with one that cannot be read or written, everything is compiled.
 */
export function runScript(url, ...parts) {
  const file = fileURLToPath(url);
  const text = readFileSync(file);
  const directory = getCompileCacheDir?.();
  const stored = directory && join(directory, `${basename(file)}-${crc32(text).toString(16)}`);
  const found = stored && readStored(stored);
  const script = new Script(text.latin1Slice(), { filename: file, cachedData: found?.data });
  const isUsed = found !== undefined && !script.cachedDataRejected;
  if (stored && !(isUsed && found.withRequests)) storeWhenReady(script, stored, isUsed);
  return script.runInThisContext()(...parts);
}

/** Returns undefined if the file is absent or damaged, or if another user could have written it: compiled code is executed without checks. */
function readStored(path) {
  let descriptor;
  try {
    descriptor = openSync(path);
    const { uid, mode } = fstatSync(descriptor);
    if (uid !== process.getuid?.() || (mode & WRITABLE_BY_OTHERS) !== 0) return undefined;
    const bytes = readFileSync(descriptor);
    const data = bytes.subarray(HEADER_BYTES);
    if (bytes.length <= HEADER_BYTES || bytes.readUInt32LE() !== crc32(data)) return undefined;
    return { data, withRequests: bytes.readUInt32LE(WITH_REQUESTS_AT) === 1 };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Stores the code immediately, since many servers in tests end soon, and again with the code of the first requests. */
function storeWhenReady(script, path, isStored) {
  let isReady = false;
  subscribe("typeplane.ready", ({ withInitialFlags }) => {
    if (isReady) return;
    isReady = true;
    const storeCode = (withRequests) => withInitialFlags(() => store(path, script.createCachedData(), withRequests));
    if (!isStored) storeCode(false);
    setTimeout(storeCode, FIRST_REQUESTS_MS, true).unref();
  });
}

function store(path, data, withRequests) {
  const written = `${path}.${process.pid}`;
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(crc32(data));
    header.writeUInt32LE(withRequests ? 1 : 0, WITH_REQUESTS_AT);
    writeFileSync(written, Buffer.concat([header, data]), { flag: "wx", mode: 0o600 });
    renameSync(written, path);
  } catch {
    // The next start compiles everything again.
    rmSync(written, { force: true });
  }
}
