import type { Clock } from "../../lib/clock.ts";
import { boundMarking } from "./bound-marking.ts";
import { boundYoungGeneration } from "./bound-young-generation.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";
import { optimizeWhenBusy } from "./suit-engine-to-serving.ts";

/**
 * Adapts V8 to the load of a serving process while it runs. `letGo` frees memory of caches that can be filled again. Returns a function that stops
 * it.
 */
export function tendEngine(clock: Clock, letGo: () => void): () => void {
  const stops = [
    collectWhenIdle(clock, letGo),
    boundYoungGeneration(clock),
    boundMarking(clock),
    optimizeWhenBusy(clock),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
