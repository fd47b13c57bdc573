import { since } from "../../../runtime/values/human-duration.ts";
import type { Event } from "./event.ts";

/** Returns the table cells of an event. Both event groups use them, because both show the same stored objects. */
export function eventCells(event: Event, { now }: { readonly now: () => Date }): Record<string, unknown> {
  const first = since(event.firstTimestamp ?? event.eventTime, now);
  const last = event.lastTimestamp ? since(event.lastTimestamp, now) : first;
  const target = event.involvedObject;
  const component = event.source?.component || event.reportingComponent || "";
  const instance = event.source?.host || event.reportingInstance || "";
  return {
    "Last Seen": event.series ? since(event.series.lastObservedTime, now) : last,
    Type: event.type ?? "",
    Reason: event.reason ?? "",
    Object: target?.name ? `${target.kind?.toLowerCase() ?? ""}/${target.name}` : (target?.kind?.toLowerCase() ?? ""),
    Subobject: target?.fieldPath ?? "",
    Source: instance === "" ? component : `${component}, ${instance}`,
    Message: (event.message ?? "").trim(),
    "First Seen": first,
    Count: event.series ? (event.series.count ?? 0) : event.count || 1,
  };
}
