import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type Nullable, type OmitZero } from "../../vocabulary.ts";

export interface IngressClass extends ClusterScoped {
  spec?: IngressClassSpec & Always;
}

export interface IngressClassSpec {
  controller?: string & OmitZero;
  parameters?: IngressClassParametersReference;
}

export interface IngressClassParametersReference {
  apiGroup?: string;
  kind: string;
  name: string;
  scope: string & Nullable;
  namespace?: string;
}

export const ingressClass = kind<IngressClass>({
  plural: "ingressclasses",
  introduced: "1.18",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "networking.<domain>/v1 IngressClass",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Controller", type: "string", path: ".spec.controller" },
    { name: "Parameters", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
