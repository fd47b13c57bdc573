import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded into a server with `--import`. On SIGUSR2 it collects all garbage and writes what is still referenced to stderr: what a process holds
 * follows the mood of the collector, what it references grows only by a leak.
 */
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

process.on("SIGUSR2", () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`live memory: ${heapUsed} ${external}\n`);
});
