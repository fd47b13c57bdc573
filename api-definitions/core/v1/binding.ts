import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";
import type { ObjectReference } from "./references.ts";

export interface Binding extends Namespaced {
  target: ObjectReference;
}

export const binding = kind<Binding>({ plural: "bindings", virtual: true, verbs: ["create"], introduced: "1.0" });
