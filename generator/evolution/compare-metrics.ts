import type { MetricModel } from "../model/model.ts";
import type { ApiChange } from "./api-change.ts";
import { dateChange, present } from "./wording.ts";

const DEPRECATION = {
  event: "deprecation",
  came: "became deprecated as of",
  went: "is no longer deprecated (was as of",
};

/** Returns metrics that were added, removed or changed. Whether the changes are allowed is checked elsewhere. */
export function compareMetrics(before: readonly MetricModel[], after: readonly MetricModel[]): ApiChange[] {
  const now = new Map(after.map((metric) => [metric.name, metric]));
  const old = new Map(before.map((metric) => [metric.name, metric]));
  const of = (name: string, text: string): ApiChange => ({ code: "metric-changed", where: `metric ${name}`, text });
  const changes: ApiChange[] = [];
  for (const [name, metric] of old) {
    const next = now.get(name);
    if (next === undefined) changes.push(of(name, "was removed"));
    else for (const text of metricChanges(metric, next)) changes.push(of(name, text));
  }
  for (const [name, { stability }] of now) if (!old.has(name)) changes.push(of(name, `is new: ${stability}`));
  return changes;
}

function metricChanges(old: MetricModel, now: MetricModel): string[] {
  return present([
    old.stability === now.stability ? undefined : `changed from ${old.stability} to ${now.stability}`,
    dateChange(DEPRECATION, old.deprecated, now.deprecated),
  ]);
}
