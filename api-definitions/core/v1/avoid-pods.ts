import type { OwnerReference } from "../../meta/v1/object-meta.ts";
import type { Always, ListAtomic, OmitZero, Time } from "../../vocabulary.ts";

/** Pods that a node would rather not run. */
export interface AvoidPods {
  /** Whose pods, and for how long. */
  preferAvoidPods?: ListAtomic<PreferAvoidPodsEntry>;
}

/** Whose pods a node would rather not run, and why. */
export interface PreferAvoidPodsEntry {
  /** Which pods are meant. */
  podSignature: PodSignature;
  /** When the wish was made. */
  evictionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

/** How pods to avoid are recognised. */
export interface PodSignature {
  /** The controller that made them. */
  podController?: OwnerReference;
}
