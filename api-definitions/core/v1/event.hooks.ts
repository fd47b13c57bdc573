import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/values/names.ts";
import type { Event } from "./event.ts";
import { eventCells } from "./event-cells.ts";
import { validateEvent, validateEventChange } from "./event-validation.ts";

export const hooks = kindHooks<Event>({
  validate: (event, { apiVersion }) => validateEvent(event, apiVersion),
  cells: eventCells,
  validation: {
    update: (event, old, { apiVersion }) => validateEventChange(event, old, apiVersion),
    /** Names of events in the core group may be any path segment. */
    name: (name, isPrefix) => (isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name)),
  },
  lifecycle: {
    dependents: "unsupported",
  },
  table: {
    selectable: { source: (event) => event.source?.component || event.reportingComponent || "" },
  },
  compatibility: {
    updateChecks: ({ apiVersion }) => ({ asNew: 0, asChange: apiVersion === "events.k8s.io/v1" ? 1 : 0 }),
    checksMetadataLast: true,
    freeFinalizers: true,
  },
});
