import type { Artifact } from "../../artifact.ts";
import type { Model } from "../../model/model.ts";

/** `generated/metrics.json`: every declared metric with its lifecycle, one per line. */
export function emitMetrics({ metrics }: Model): Artifact[] {
  const rows = metrics.map((metric) => `  ${JSON.stringify(metric)}`).join(",\n");
  return [{ path: "generated/metrics.json", text: `[\n${rows}\n]\n` }];
}
