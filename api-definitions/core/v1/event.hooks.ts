import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/values/names.ts";
import type { Event } from "./event.ts";
import { eventCells } from "./event-cells.ts";
import {
  hasStrictRules,
  validateAnyEvent,
  validateEventChange,
  validateEventNames,
  validateFinalizers,
  validateNewEvent,
} from "./event-validation.ts";

export const hooks = kindHooks<Event>({
  validate: (event, { apiVersion }) => validateAnyEvent(event, apiVersion),
  cells: eventCells,
  validation: {
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
    order: {
      create: (_event, { apiVersion }) =>
        hasStrictRules(apiVersion)
          ? ["declared", "validate", validateEventNames, "metadataAsNew", validateFinalizers, validateNewEvent]
          : ["declared", "validate"],
      update: (_event, _old, { apiVersion }) =>
        hasStrictRules(apiVersion)
          ? ["declared", "validate", "metadataAsChange", validateEventChange]
          : ["declared", "validate"],
    },
    checksMetadataLast: true,
    freeFinalizers: true,
    limitsListsOfAnyVersion: true,
  },
});
