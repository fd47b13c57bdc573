import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Immutable, kind, type Nullable, type OmitZero } from "../../vocabulary.ts";

/** An implementation of Ingress. */
export interface IngressClass extends ClusterScoped {
  /** What is asked for. */
  spec?: IngressClassSpec & Always;
}

/** Who implements a class. */
export interface IngressClassSpec {
  /** Name of the implementation; fixed for good. */
  controller?: string & OmitZero & Immutable;
  /** An object with settings for it. */
  parameters?: IngressClassParametersReference;
}

/** An object with settings. */
export interface IngressClassParametersReference {
  /** Group of its kind. */
  apiGroup?: string;
  /** Its kind. */
  kind: string;
  /** Its name. */
  name: string;
  /** Whether it belongs to the cluster or a namespace. */
  scope: string & Nullable;
  /** Its namespace. */
  namespace?: string;
}

export const ingressClass = kind<IngressClass>({
  plural: "ingressclasses",
  generation: true,
  introduced: "1.18",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "networking.<domain>/v1 IngressClass",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Controller", type: "string", path: ".spec.controller", description: "Who implements it." },
    { name: "Parameters", type: "string", description: "Object with the settings." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
