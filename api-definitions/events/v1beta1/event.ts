import type { EventSource } from "../../core/v1/event.ts";
import type { ObjectReference } from "../../core/v1/references.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Deprecated,
  type Int32,
  kind,
  type MicroTime,
  type OmitZero,
  type Time,
} from "../../vocabulary.ts";

export interface Event extends Namespaced {
  eventTime: MicroTime;
  series?: EventSeries;
  reportingController?: string & OmitZero;
  reportingInstance?: string & OmitZero;
  action?: string & OmitZero;
  reason?: string & OmitZero;
  regarding?: ObjectReference & Always;
  related?: ObjectReference;
  note?: string & OmitZero;
  type?: string & OmitZero;
  deprecatedSource?: EventSource & Always & Deprecated;
  deprecatedFirstTimestamp?: Time & Always & Deprecated;
  deprecatedLastTimestamp?: Time & Always & Deprecated;
  deprecatedCount?: Int32 & OmitZero & Deprecated;
}

export interface EventSeries {
  count: Int32;
  lastObservedTime: MicroTime;
}

export const event = kind<Event>({
  plural: "events",
  shortNames: ["ev"],
  introduced: "1.8",
  deprecated: "1.22",
  removed: "1.25",
  storedIn: "",
  createOnUpdate: true,
  selectableFields: [
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingController",
    "type",
  ],
  columns: [
    { name: "Last Seen", type: "string" },
    { name: "Type", type: "string", path: ".type" },
    { name: "Reason", type: "string", path: ".reason" },
    { name: "Object", type: "string" },
    { name: "Subobject", type: "string", priority: 1 },
    { name: "Source", type: "string", priority: 1 },
    { name: "Message", type: "string" },
    { name: "First Seen", type: "string", priority: 1 },
    { name: "Count", type: "string", priority: 1 },
    { name: "Name", type: "string", format: "name", priority: 1, path: ".metadata.name" },
  ],
});
