import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Bytes, kind } from "../../vocabulary.ts";

/** Settings that pods read as files or environment variables. */
export interface ConfigMap extends Namespaced {
  /** Forbids any later change of the data. */
  immutable?: boolean;
  /** Settings as text, by key. */
  data?: Record<string, string>;
  /** Settings as bytes, by key. */
  binaryData?: Record<string, Bytes>;
}

export const configMap = kind<ConfigMap>({
  plural: "configmaps",
  shortNames: ["cm"],
  introduced: "1.2",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Data", type: "string", description: "How many entries there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
