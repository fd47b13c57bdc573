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

/** Something that happened to an object, kept for a while for people to read. */
export interface Event extends Namespaced {
  /** When it was first seen. */
  eventTime: MicroTime;
  /** How the event goes on, when it happens again and again. */
  series?: EventSeries;
  /** The controller that reports it. */
  reportingController?: string & OmitZero;
  /** Which instance of that controller. */
  reportingInstance?: string & OmitZero;
  /** What was done or tried. */
  action?: string & OmitZero;
  /** A word for what happened. */
  reason?: string & OmitZero;
  /** The object it is about. */
  regarding?: ObjectReference & Always;
  /** A second object that plays a part. */
  related?: ObjectReference;
  /** What happened, for people. */
  note?: string & OmitZero;
  /** `Normal` or `Warning`. */
  type?: string & OmitZero;
  /** Who saw it, as events of the core group say it. */
  deprecatedSource?: EventSource & Always & Deprecated;
  /** When it was first seen, as events of the core group say it. */
  deprecatedFirstTimestamp?: Time & Always & Deprecated;
  /** When it was last seen, as events of the core group say it. */
  deprecatedLastTimestamp?: Time & Always & Deprecated;
  /** How often it was seen, as events of the core group say it. */
  deprecatedCount?: Int32 & OmitZero & Deprecated;
}

/** How often an event happened again, and when last. */
export interface EventSeries {
  /** How often it happened so far. */
  count: Int32;
  /** When it was last seen. */
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
    { name: "Last Seen", type: "string", description: "How long ago it was last seen." },
    { name: "Type", type: "string", path: ".type", description: "Type of the object." },
    { name: "Reason", type: "string", path: ".reason", description: "A word for what happened." },
    { name: "Object", type: "string", description: "The object it is about." },
    { name: "Subobject", type: "string", priority: 1, description: "The part of the object it is about." },
    { name: "Source", type: "string", priority: 1, description: "Who reported it." },
    { name: "Message", type: "string", description: "What happened, for people." },
    { name: "First Seen", type: "string", priority: 1, description: "How long ago it was first seen." },
    { name: "Count", type: "string", priority: 1, description: "How often it was seen." },
    {
      name: "Name",
      type: "string",
      format: "name",
      priority: 1,
      path: ".metadata.name",
      description: "Name of the object.",
    },
  ],
});
