import type { DefinitionFile } from "../reader/syntax.ts";
import type { MetricModel } from "./model.ts";

/** Returns the declared metrics, sorted by name. */
export function buildMetrics(files: readonly DefinitionFile[]): MetricModel[] {
  return files
    .flatMap((file) => file.calls)
    .filter((call) => call.word === "metrics")
    .flatMap((call) => Object.entries(call.argument.value))
    .map(([name, life]): MetricModel => ({ name, ...(life as Omit<MetricModel, "name">) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
