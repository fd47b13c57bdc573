import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";
import type { ObjectReference } from "./references.ts";

/** Puts a pod on a node. */
export interface Binding extends Namespaced {
  /** The node. */
  target: ObjectReference;
}

export const binding = kind<Binding>({ plural: "bindings", virtual: true, verbs: ["create"], introduced: "1.0" });
