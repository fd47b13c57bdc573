import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded into a server with `--import`. On SIGUSR2, collects all garbage and writes the size of what is still referenced to stderr. The
 * memory that a process holds depends on the garbage collector; what it references grows only through a leak.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Time until buffers of collected objects are freed, which happens outside of the event loop. Until then they count: up to 7 MiB on a busy
 * machine.
 */
const FREEING_MS = 200;

/** Returns the size of compiled code. It grows for as long as functions become hot for the first time, and is bounded by the size of the program. */
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
