import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { PodTemplateSpec } from "./pod-spec.ts";

/** A pod to be copied, kept as an object of its own. */
export interface PodTemplate extends Namespaced {
  /** The pod. */
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
