// Becomes bundle/cached-script.js of the package.
//
// Node's compile cache holds of a file what V8 compiles when it loads it, and not the functions that it compiles when they are first
// called: a start spends a fifth of its time on those. A script can be stored with them, once a server is ready.
import { subscribe } from "node:diagnostics_channel";
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

const CHECKSUM_BYTES = 4;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Runs a file of the bundle: a function of what it imports, of the URL of its module, and of `import` as that module calls it. Compiled code is stored in the directory of Node's
 * compile cache, which depends on the version and the flags of Node; its name has a checksum of the file. Without a directory, or with one that
 * cannot be read or written, everything is compiled.
 */
export function runScript(url, ...parts) {
  const file = fileURLToPath(url);
  const text = readFileSync(file);
  const directory = getCompileCacheDir?.();
  const stored = directory && join(directory, `${basename(file)}-${crc32(text).toString(16)}`);
  const cachedData = stored && readStored(stored);
  const script = new Script(text.latin1Slice(), { filename: file, cachedData });
  if (stored && (cachedData === undefined || script.cachedDataRejected)) storeWhenReady(script, stored);
  return script.runInThisContext()(...parts);
}

/** Undefined if it is absent or damaged, or if another user could have written it: compiled code is run unchecked. */
function readStored(path) {
  let descriptor;
  try {
    descriptor = openSync(path);
    const { uid, mode } = fstatSync(descriptor);
    if (uid !== process.getuid?.() || (mode & WRITABLE_BY_OTHERS) !== 0) return undefined;
    const bytes = readFileSync(descriptor);
    const data = bytes.subarray(CHECKSUM_BYTES);
    return bytes.length > CHECKSUM_BYTES && bytes.readUInt32LE() === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function storeWhenReady(script, path) {
  let isStored = false;
  subscribe("typeplane.ready", ({ withInitialFlags }) => {
    if (isStored) return;
    isStored = true;
    const written = `${path}.${process.pid}`;
    try {
      const data = withInitialFlags(() => script.createCachedData());
      if (data === undefined) return;
      const checksum = Buffer.alloc(CHECKSUM_BYTES);
      checksum.writeUInt32LE(crc32(data));
      writeFileSync(written, Buffer.concat([checksum, data]), { flag: "wx", mode: 0o600 });
      renameSync(written, path);
    } catch {
      // The next start compiles again.
      rmSync(written, { force: true });
    }
  });
}
