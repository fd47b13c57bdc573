// What `make serve` builds in a clone: a few files of JavaScript instead of several hundred modules.

// Imported as modules, these would load more than is used here.
const { existsSync, readFileSync, statSync } = process.getBuiltinModule("node:fs");
const { dirname, join } = process.getBuiltinModule("node:path");
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule("node:url");

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Says which folder has the last build, and which files it was made of: `{ folder, sources: { path: [bytes, ms] } }`. */
export const LATEST = "dist/server/latest.json";

/** Commands that run servers. The others run from the sources. */
const COMMANDS = ["serve", "start", "worker"];

/**
 * The folder of the last build; undefined if there is none, or a source has changed since. To look at 1,500 sources takes about 20 ms, which
 * `make serve`, which has just done so, saves with TYPEPLANE_BUILD=latest.
 */
export function latestBuild({ isChecked = false } = {}) {
  const latest = readLatest();
  if (latest === undefined) return undefined;
  const { folder } = latest;
  const sources = isChecked ? {} : latest.sources;
  const isSame = ([path, [bytes, ms]]) => {
    const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
    // Layers of images keep whole seconds.
    return found?.size === bytes && (found.mtimeMs === ms || found.mtimeMs === ms - (ms % 1000));
  };
  const path = join(ROOT, folder);
  return existsSync(path) && Object.entries(sources).every(isSame) ? path : undefined;
}

/**
 * The module of a build that a command run in `directory` can use; undefined if there is none. Hooks of other projects import the sources, of
 * which there must not be a second copy.
 */
export function buildFor(command, directory) {
  if (!COMMANDS.includes(command) || process.env.TYPEPLANE_FROM_SOURCE === "1") return undefined;
  const project = projectOf(directory);
  const isChecked = process.env.TYPEPLANE_BUILD === "latest";
  const folder = project === undefined || project === ROOT ? latestBuild({ isChecked }) : undefined;
  return folder && pathToFileURL(join(folder, "main.js")).href;
}

function readLatest() {
  try {
    return JSON.parse(readFileSync(join(ROOT, LATEST), "utf8"));
  } catch {
    return undefined;
  }
}

function projectOf(directory) {
  for (let each = directory; ; each = dirname(each)) {
    if (existsSync(join(each, "typeplane.config.ts"))) return each;
    if (each === dirname(each)) return undefined;
  }
}
