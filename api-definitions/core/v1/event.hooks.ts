import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/values/names.ts";
import type { Event } from "./event.ts";
import { eventCells } from "./event-cells.ts";
import { validateEvent, validateEventChange } from "./event-validation.ts";

export const hooks = hooksFor<Event>({
  updateChecks: ({ apiVersion }) => ({ asNew: 0, asChange: apiVersion === "events.k8s.io/v1" ? 1 : 0 }),
  checksMetadataLast: true,
  validate: (event, { apiVersion }) => validateEvent(event, apiVersion),
  validateUpdate: (event, old, { apiVersion }) => validateEventChange(event, old, apiVersion),
  cells: eventCells,
  selectable: { source: (event) => event.source?.component || event.reportingComponent || "" },
  /** Names of events in the core group may be any path segment. */
  validateName: (name, isPrefix) => (isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name)),
  freeFinalizers: true,
  dependents: "unsupported",
});
