import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type MicroTime, type OmitZero, type Time } from "../../vocabulary.ts";
import type { ObjectReference } from "./references.ts";

export interface Event extends Namespaced {
  metadata: ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string & OmitZero;
  message?: string & OmitZero;
  source?: EventSource & Always;
  firstTimestamp?: Time & Always;
  lastTimestamp?: Time & Always;
  count?: Int32 & OmitZero;
  type?: string & OmitZero;
  eventTime?: MicroTime & Always;
  series?: EventSeries;
  action?: string & OmitZero;
  related?: ObjectReference;
  reportingComponent?: string & Always;
  reportingInstance?: string & Always;
}

export interface EventSource {
  component?: string & OmitZero;
  host?: string & OmitZero;
}

export interface EventSeries {
  count?: Int32 & OmitZero;
  lastObservedTime?: MicroTime & Always;
}

export const event = kind<Event>({
  plural: "events",
  shortNames: ["ev"],
  introduced: "1.0",
  createOnUpdate: true,
  selectableFields: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
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
