import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, kind, type OmitZero } from "../../vocabulary.ts";

export interface Scale extends Namespaced {
  spec?: ScaleSpec & Always;
  status?: ScaleStatus & Always;
}

export interface ScaleSpec {
  replicas?: Int32 & OmitZero;
}

export interface ScaleStatus {
  replicas: Int32;
  selector?: string & OmitZero;
}

export const scale = kind<Scale>({ unserved: true, introduced: "1.2" });
