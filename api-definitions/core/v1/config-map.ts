import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Bytes, kind } from "../../vocabulary.ts";

export interface ConfigMap extends Namespaced {
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, Bytes>;
}

export const configMap = kind<ConfigMap>({
  plural: "configmaps",
  shortNames: ["cm"],
  introduced: "1.2",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Data", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
