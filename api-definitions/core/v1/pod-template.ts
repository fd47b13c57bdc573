import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { PodTemplateSpec } from "./pod-spec.ts";

/**
 * A template of pods that is stored as an object of its own. Workloads contain their template and do not refer to such
 * objects; use it where a custom controller needs a template that is shared.
 */
export interface PodTemplate extends Namespaced {
  /** Template of the pods: metadata and spec. */
  template?: PodTemplateSpec & Always;
}

export const podTemplate = kind<PodTemplate>({
  plural: "podtemplates",
  generation: true,
  introduced: "1.0",
  returnsDeleted: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Containers", type: "string", description: "Names of the containers." },
    { name: "Images", type: "string", description: "Images of the containers." },
    { name: "Pod Labels", type: "string", description: "Labels of the pods." },
  ],
});
