import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded into a server with `--import`. On SIGUSR2 it collects all garbage and writes what is still referenced to stderr: what a process holds
 * follows the mood of the collector, what it references grows only by a leak.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Buffers of collected objects are freed beside the event loop, and count until then: on a busy machine up to 7 MiB. */
const FREEING_MS = 200;

process.on("SIGUSR2", () => {
  collectGarbage();
  setTimeout(() => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`live memory: ${heapUsed} ${external}\n`);
  }, FREEING_MS);
});
