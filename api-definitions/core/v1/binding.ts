import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";
import type { ObjectReference } from "./references.ts";

/**
 * Assigns a pod to a node. Schedulers create it through the subresource `binding` of the pod; it is not stored.
 * Rejected if the pod already has a node, has `schedulingGates` or is being deleted. In the older resource `bindings`,
 * `metadata.name` is that of the pod.
 */
export interface Binding extends Namespaced {
  /** Node to which the pod is assigned: `name` is required, `kind` must be `Node` or empty. */
  target: ObjectReference;
}

export const binding = kind<Binding>({ plural: "bindings", virtual: true, verbs: ["create"], introduced: "1.0" });
