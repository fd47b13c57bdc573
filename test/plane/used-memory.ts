import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the memory in use after a garbage collection, in megabytes. */
export async function usedMegabytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await new Promise((resolve) => setTimeout(resolve, 50));
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
