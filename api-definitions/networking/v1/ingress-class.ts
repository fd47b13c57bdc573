import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Default, kind, type Nullable, type OmitZero } from "../../vocabulary.ts";

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
  scope?: string & Nullable & Default<"Cluster">;
  namespace?: string;
}

export const ingressClass = kind<IngressClass>({
  plural: "ingressclasses",
  introduced: "1.19",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Controller", type: "string", path: ".spec.controller" },
    { name: "Parameters", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
