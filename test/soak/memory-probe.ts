import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded into a server with `--import`. On SIGUSR2 it collects all garbage and writes what is still referenced to stderr: what a process holds
 * follows the mood of the collector, what it references grows only by a leak.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Buffers of collected objects are freed beside the event loop, and count until then: on a busy machine up to 7 MiB. */
const FREEING_MS = 200;

/** Compiled code, which grows for as long as functions become hot for the first time, and is bounded by the program. */
function codeBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => /^(code|trusted)_/.test(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

process.on("SIGUSR2", () => {
  collectGarbage();
  setTimeout(() => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`live memory: ${heapUsed} ${external} ${codeBytes()}\n`);
  }, FREEING_MS);
});
