import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type MicroTime, type OmitZero, type Time } from "../../vocabulary.ts";
import type { ObjectReference } from "./references.ts";

/** Something that happened to an object, kept for a while for people to read. */
export interface Event extends Namespaced {
  /** Name, namespace and other facts every object has. */
  metadata: ObjectMeta;
  /** The object it is about. */
  involvedObject: ObjectReference;
  /** A word for what happened. */
  reason?: string & OmitZero;
  /** What happened, for people. */
  message?: string & OmitZero;
  /** Who saw it. */
  source?: EventSource & Always;
  /** When it was first seen. */
  firstTimestamp?: Time & Always;
  /** When it was last seen. */
  lastTimestamp?: Time & Always;
  /** How often it was seen. */
  count?: Int32 & OmitZero;
  /** `Normal` or `Warning`. */
  type?: string & OmitZero;
  /** When it was first seen, to the microsecond. */
  eventTime?: MicroTime & Always;
  /** How the event goes on, when it happens again and again. */
  series?: EventSeries;
  /** What was done or tried. */
  action?: string & OmitZero;
  /** A second object that plays a part. */
  related?: ObjectReference;
  /** The controller that reports it. */
  reportingComponent?: string & Always;
  /** Which instance of that controller. */
  reportingInstance?: string & Always;
}

/** Who saw an event. */
export interface EventSource {
  /** The program. */
  component?: string & OmitZero;
  /** The node it runs on. */
  host?: string & OmitZero;
}

/** How often an event happened again, and when last. */
export interface EventSeries {
  /** How often it happened so far. */
  count?: Int32 & OmitZero;
  /** When it was last seen. */
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
