import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";
import type { ObjectReference } from "./references.ts";

/**
 * Assigns a pod to a node. Created by schedulers, usually through the subresource `binding` of the pod; it is not
 * stored and cannot be read back.
 */
export interface Binding extends Namespaced {
  /** Node to assign the pod to: `kind` is `Node`, or empty, and `name` is the name of the node. */
  target: ObjectReference;
}

export const binding = kind<Binding>({ plural: "bindings", virtual: true, verbs: ["create"], introduced: "1.0" });
