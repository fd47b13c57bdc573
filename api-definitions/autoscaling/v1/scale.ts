import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type OmitZero } from "../../vocabulary.ts";

/**
 * Number of replicas of a workload, as read and written through its subresource `scale`. It has the same form for all
 * kinds that can be scaled, so that autoscalers and `kubectl scale` need not know them.
 */
export interface Scale extends Namespaced {
  /** Desired state of the Scale. */
  spec?: ScaleSpec & Always;
  /**
   * Observed state of the Scale, copied by the server from the status of the workload: its number of pods and their
   * selector.
   */
  status?: ScaleStatus & Always;
}

/** Desired number of replicas of the workload. */
export interface ScaleSpec {
  /** Desired number of replicas. Writing it changes the replicas in the spec of the workload. */
  replicas?: Int32 & OmitZero;
}

/** Observed state of the workload that the Scale belongs to: its number of replicas and its label selector. */
export interface ScaleStatus {
  /** Observed number of replicas of the workload. */
  replicas: Int32;
  /**
   * Label selector of the pods of the workload as a string, in the form of the query parameter `labelSelector`. Needed
   * by autoscalers to find the pods.
   */
  selector?: string & OmitZero;
}

export const scale = kind<Scale>({ unserved: true, introduced: "1.2" });
