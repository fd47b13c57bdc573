import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type OmitZero } from "../../vocabulary.ts";

/** How many copies there are and should be, in the shape all scalable kinds share. */
export interface Scale extends Namespaced {
  /** What is asked for. */
  spec?: ScaleSpec & Always;
  /** What is the case, as last seen. */
  status?: ScaleStatus & Always;
}

/** How many copies there should be. */
export interface ScaleSpec {
  /** The number. */
  replicas?: Int32 & OmitZero;
}

/** How many copies there are. */
export interface ScaleStatus {
  /** The number. */
  replicas: Int32;
  /** Labels of the pods that count. */
  selector?: Record<string, string>;
  /** The labels as a selector in text. */
  targetSelector?: string & OmitZero;
}

export const scale = kind<Scale>({
  unserved: true,
  introduced: "1.6",
  deprecated: "1.8",
  removed: "1.16",
  replacement: "autoscaling/v1 Scale",
});
