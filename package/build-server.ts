import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { LATEST, latestBuild } from "../bin/built-server.js";

/**
 * Runs before `make serve`: bundles the server of this repository into a new folder of `dist/server/` if its sources have changed since the
 * last build. A server that is started from the build is ready in half the time and takes less memory. Running servers load parts of their
 * build later, so the last builds are kept.
 */

const ROOT = join(import.meta.dirname, "..");
const BUILDS = join(ROOT, dirname(LATEST));
const KEPT = 3;
/** Sources of a build besides the modules in it. */
const OTHER_SOURCES = ["bin/typeplane.js", "package-lock.json"];
const STARTING_OBJECTS = "runtime/controllers/bootstrap/starting-objects";

if (latestBuild() === undefined) await build();

async function build(): Promise<void> {
  // Loads the bundler.
  const { bundle } = await import("./bundle.ts");
  process.stderr.write("building the server from changed sources (a few seconds)\n");
  const began = Date.now();
  mkdirSync(BUILDS, { recursive: true });
  const folder = mkdtempSync(join(BUILDS, `${began}-`));
  const startingObjects = relative(join(ROOT, dirname(STARTING_OBJECTS)), folder);
  const { inside } = await bundle({ main: "cli/main.ts" }, { folder, root: ROOT, extension: ".ts", startingObjects });
  const tools = readdirSync(import.meta.dirname).map((file) => `package/${file}`);
  const objects = await encodeStartingObjects(folder);
  const sources = [...new Set([...inside, ...tools, ...objects, ...OTHER_SOURCES])].sort().map((path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    // A file that changed during the build may differ from the version in the bundle. A time of 0 makes the next call build again.
    return [path, [size, mtimeMs < began ? mtimeMs : 0]] as const;
  });
  const latest = { folder: relative(ROOT, folder), sources: Object.fromEntries(sources) };
  const written = join(BUILDS, `${basename(folder)}.json`);
  writeFileSync(written, JSON.stringify(latest));
  renameSync(written, join(ROOT, LATEST));
  removeOld();
}

/** Encodes the starting objects of each base, so that a start neither parses nor encodes them. Returns their sources. */
async function encodeStartingObjects(folder: string): Promise<string[]> {
  const { encodePrepared } = await import("../runtime/controllers/bootstrap/starting-objects.ts");
  return readdirSync(join(ROOT, STARTING_OBJECTS)).map((file) => {
    const source = `${STARTING_OBJECTS}/${file}`;
    const encoded = encodePrepared(readFileSync(join(ROOT, source), "utf8"));
    writeFileSync(join(folder, file.replace(/\.jsonl$/, ".stored")), encoded);
    return source;
  });
}

/** Removes old builds. Their names begin with the time of the build, so that they sort by age. */
function removeOld(): void {
  const builds = readdirSync(BUILDS).filter((name) => /^\d+-/.test(name));
  for (const name of builds.sort().slice(0, -KEPT)) rmSync(join(BUILDS, name), { recursive: true, force: true });
}
