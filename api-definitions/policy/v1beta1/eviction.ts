import type { DeleteOptions } from "../../meta/v1/delete-options.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";

/**
 * Request to delete a pod if its PodDisruptionBudget allows it. Create it as subresource `eviction` of the pod;
 * `metadata.name` is the name of the pod. The response is 429 if the budget does not allow the eviction now, so that
 * the client can try again later. Used by `kubectl drain` and by autoscalers.
 */
export interface Eviction extends Namespaced {
  /** Options for the deletion of the pod, such as its grace period and preconditions. */
  deleteOptions?: DeleteOptions;
}

export const eviction = kind<Eviction>({ unserved: true, introduced: "1.5", deprecated: "1.22", removed: "1.25" });
