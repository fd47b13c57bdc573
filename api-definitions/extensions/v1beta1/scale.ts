import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type MapAtomic, type OmitZero } from "../../vocabulary.ts";

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
  selector?: MapAtomic<string>;
  /** The labels as a selector in text. */
  targetSelector?: string & OmitZero;
}

export const scale = kind<Scale>({ unserved: true, introduced: "1.1", deprecated: "1.2", removed: "1.16" });
