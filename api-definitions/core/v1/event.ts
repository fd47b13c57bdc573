import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Int32,
  kind,
  type MicroTime,
  type OmitZero,
  type Since,
  type Time,
} from "../../vocabulary.ts";
import type { ObjectReference } from "./references.ts";

/**
 * A report of something that happened to an object, such as a failed image pull, for people who investigate problems.
 * The server deletes events after one hour by default. Do not build automation on them: wording, timing and delivery
 * are not guaranteed.
 */
export interface Event extends Namespaced {
  /**
   * Standard object's metadata. The namespace must be that of `involvedObject`; events of cluster-scoped objects are in
   * `default`, or also in `kube-system` if `eventTime` is set.
   */
  metadata: ObjectMeta;
  /** Object that the event is about. */
  involvedObject: ObjectReference;
  /**
   * Machine-readable reason of the event, in CamelCase, such as `BackOff`. Required if `eventTime` is set, and then at
   * most 128 characters long.
   */
  reason?: string & OmitZero;
  /** Human-readable description of what happened. At most 1024 characters long if `eventTime` is set. */
  message?: string & OmitZero;
  /**
   * Component that reported the event, and its host. Newer clients set `reportingComponent` and `reportingInstance`
   * instead.
   */
  source?: EventSource & Always;
  /** Time at which the event first occurred. Newer clients set `eventTime` instead. */
  firstTimestamp?: Time & Always;
  /** Time at which the event last occurred. Newer clients set `series.lastObservedTime` instead. */
  lastTimestamp?: Time & Always;
  /** Number of times the event occurred. Newer clients set `series.count` instead. */
  count?: Int32 & OmitZero;
  /**
   * Severity of the event: `Normal` or `Warning`. Other values are accepted by this version, but not by
   * `events.k8s.io/v1`.
   */
  type?: string & OmitZero;
  /**
   * Time at which the event first occurred, with microsecond precision. If set, `reportingComponent`,
   * `reportingInstance`, `action` and `reason` are required.
   */
  eventTime?: MicroTime & Always & Since<"1.9">;
  /** Number and time of repetitions, for an event that occurs repeatedly. Unset if it occurred once. */
  series?: EventSeries & Since<"1.9">;
  /**
   * Machine-readable name of what the component did or tried to do, such as `Binding`. Required if `eventTime` is set,
   * and then at most 128 characters long.
   */
  action?: string & OmitZero & Since<"1.9">;
  /** Second object that is involved, such as the node that a pod was bound to. */
  related?: ObjectReference & Since<"1.9">;
  /**
   * Name of the controller that reported the event, such as `kubernetes.io/kubelet`. Required if `eventTime` is set.
   */
  reportingComponent?: string & Always & Since<"1.9">;
  /**
   * Identifier of the controller's instance, such as `kubelet-node-1`. Required if `eventTime` is set, and then at most
   * 128 characters long.
   */
  reportingInstance?: string & Always & Since<"1.9">;
}

/** Component that reported an event. */
export interface EventSource {
  /** Name of the component that reported the event, such as `kubelet` or `default-scheduler`. */
  component?: string & OmitZero;
  /** Name of the node on which the component runs. Empty if it does not matter. */
  host?: string & OmitZero;
}

/** Repetitions of an event. */
export interface EventSeries {
  /** Number of times the event occurred so far, including the first. */
  count?: Int32 & OmitZero;
  /** Time at which the event last occurred, with microsecond precision. */
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
