import type { OwnerReference } from "../../meta/v1/object-meta.ts";
import type { Always, ListAtomic, OmitZero, Time } from "../../vocabulary.ts";

export interface AvoidPods {
  preferAvoidPods?: ListAtomic<PreferAvoidPodsEntry>;
}

export interface PreferAvoidPodsEntry {
  podSignature: PodSignature;
  evictionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export interface PodSignature {
  podController?: OwnerReference;
}
