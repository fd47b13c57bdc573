/** Measures only the store and the watch cache: `node --expose-gc bench/store/main.ts`. */

import { formatMeasurement, meetsBar } from "../measurement.ts";
import { measureDurableWrites } from "./durable-writes.ts";
import { measureLargeCache } from "./large-cache.ts";
import { measureWatchFanOut } from "./watch-fan-out.ts";

for (const measure of [measureDurableWrites, measureLargeCache, measureWatchFanOut]) {
  for (const measurement of await measure()) {
    console.log(formatMeasurement(measurement));
    if (!meetsBar(measurement)) process.exitCode = 1;
  }
}
