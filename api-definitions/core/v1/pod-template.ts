import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { PodTemplateSpec } from "./pod-spec.ts";

export interface PodTemplate extends Namespaced {
  template?: PodTemplateSpec & Always;
}

export const podTemplate = kind<PodTemplate>({
  plural: "podtemplates",
  returnsDeleted: true,
  introduced: "1.0",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Containers", type: "string" },
    { name: "Images", type: "string" },
    { name: "Pod Labels", type: "string" },
  ],
});
