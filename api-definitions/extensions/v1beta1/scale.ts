import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type MapAtomic, type OmitZero } from "../../vocabulary.ts";

export interface Scale extends Namespaced {
  spec?: ScaleSpec & Always;
  status?: ScaleStatus & Always;
}

export interface ScaleSpec {
  replicas?: Int32 & OmitZero;
}

export interface ScaleStatus {
  replicas: Int32;
  selector?: MapAtomic<string>;
  targetSelector?: string & OmitZero;
}

export const scale = kind<Scale>({ unserved: true, introduced: "1.1", deprecated: "1.2", removed: "1.16" });
