import { conversion } from "../conversion-vocabulary.ts";
import type { Event } from "../core/v1/event.ts";
import type { Event as EventV1 } from "./v1/event.ts";
import type { Event as EventV1beta1 } from "./v1beta1/event.ts";

export const eventV1 = conversion<EventV1, Event>({
  rename: {
    regarding: "involvedObject",
    note: "message",
    reportingController: "reportingComponent",
    deprecatedSource: "source",
    deprecatedFirstTimestamp: "firstTimestamp",
    deprecatedLastTimestamp: "lastTimestamp",
    deprecatedCount: "count",
  },
});

export const eventV1beta1 = conversion<EventV1beta1, Event>({
  rename: {
    regarding: "involvedObject",
    note: "message",
    reportingController: "reportingComponent",
    deprecatedSource: "source",
    deprecatedFirstTimestamp: "firstTimestamp",
    deprecatedLastTimestamp: "lastTimestamp",
    deprecatedCount: "count",
  },
});
