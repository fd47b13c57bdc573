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

/**
 * A report of something that happened to an object, such as a failed image pull, for people who investigate problems.
 * The server deletes events after one hour by default. Do not build automation on them: wording, timing and delivery
 * are not guaranteed. After creation only `series` can be changed. Events of both groups, `""` and `events.k8s.io`, are
 * the same stored objects.
 */
export interface Event extends Namespaced {
  /** Time at which the event first occurred, with microsecond precision. */
  eventTime: MicroTime;
  /**
   * Number and time of repetitions, for an event that occurs repeatedly. Unset if it occurred once. The reporting
   * controller updates it.
   */
  series?: EventSeries;
  /** Name of the controller that reported the event, such as `kubernetes.io/kubelet`. Required. */
  reportingController?: string & OmitZero;
  /** Identifier of the controller's instance, such as `kubelet-node-1`. Required, and at most 128 characters long. */
  reportingInstance?: string & OmitZero;
  /**
   * Machine-readable name of what the controller did or tried to do, such as `Binding`. Required, and at most 128
   * characters long.
   */
  action?: string & OmitZero;
  /**
   * Machine-readable reason of the event, in CamelCase, such as `BackOff`. Required, and at most 128 characters long.
   */
  reason?: string & OmitZero;
  /**
   * Object that the event is about. Its namespace must be that of the event; events of cluster-scoped objects are in
   * `default` or `kube-system`.
   */
  regarding?: ObjectReference & Always;
  /** Second object that is involved, such as the node that a pod was bound to. */
  related?: ObjectReference;
  /** Human-readable description of what happened, at most 1024 characters long. */
  note?: string & OmitZero;
  /** Severity of the event: `Normal` or `Warning`. Required. */
  type?: string & OmitZero;
  /**
   * Component and host that reported the event, in events that were written through the core group. Must be unset in
   * new events.
   */
  deprecatedSource?: EventSource & Always & Deprecated<"use `reportingController` and `reportingInstance` instead">;
  /**
   * Time at which the event first occurred, in events that were written through the core group. Must be unset in new
   * events.
   */
  deprecatedFirstTimestamp?: Time & Always & Deprecated<"use `eventTime` instead">;
  /**
   * Time at which the event last occurred, in events that were written through the core group. Must be unset in new
   * events.
   */
  deprecatedLastTimestamp?: Time & Always & Deprecated<"use `series.lastObservedTime` instead">;
  /**
   * Number of times the event occurred, in events that were written through the core group. Must be unset in new
   * events.
   */
  deprecatedCount?: Int32 & OmitZero & Deprecated<"use `series.count` instead">;
}

/** Repetitions of an event. */
export interface EventSeries {
  /** Number of times the event occurred so far, including the first. Must be at least 2. */
  count: Int32;
  /** Time at which the event last occurred, with microsecond precision. Required. */
  lastObservedTime: MicroTime;
}

export const event = kind<Event>({
  plural: "events",
  shortNames: ["ev"],
  introduced: "1.19",
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
    { name: "Last Seen", type: "string", description: "Time since the event last occurred." },
    { name: "Type", type: "string", path: ".type", description: "Severity: `Normal` or `Warning`." },
    { name: "Reason", type: "string", path: ".reason", description: "Machine-readable reason of the event." },
    { name: "Object", type: "string", description: "Kind and name of the object that the event is about." },
    { name: "Subobject", type: "string", priority: 1, description: "Part of the object that the event is about." },
    { name: "Source", type: "string", priority: 1, description: "Component and host that reported the event." },
    { name: "Message", type: "string", description: "Human-readable description of what happened." },
    { name: "First Seen", type: "string", priority: 1, description: "Time since the event first occurred." },
    { name: "Count", type: "string", priority: 1, description: "Number of times the event occurred." },
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
