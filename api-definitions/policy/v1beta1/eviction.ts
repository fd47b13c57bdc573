import type { DeleteOptions } from "../../meta/v1/delete-options.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";

/** Asks a pod to leave its node, if its disruption budget allows. */
export interface Eviction extends Namespaced {
  /** How the pod is deleted. */
  deleteOptions?: DeleteOptions;
}

export const eviction = kind<Eviction>({ unserved: true, introduced: "1.5", deprecated: "1.22", removed: "1.25" });
