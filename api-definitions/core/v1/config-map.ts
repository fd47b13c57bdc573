import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Bytes, kind, type Since } from "../../vocabulary.ts";

/**
 * Configuration data that pods read as files, environment variables or arguments. Use a Secret for confidential data.
 */
export interface ConfigMap extends Namespaced {
  /**
   * Whether `data` and `binaryData` can no longer be changed. `true` cannot be taken back, and saves the watches that
   * kubelets have on the ConfigMap; delete and recreate the ConfigMap to change it. Unset means `false`.
   */
  immutable?: boolean & Since<"1.18">;
  /**
   * Values by key, as UTF-8 strings. Keys consist of letters, digits, `-`, `_` and `.`, up to 253 characters, and must
   * not occur in `binaryData`. All values of both fields together may have at most 1 MiB.
   */
  data?: Record<string, string>;
  /**
   * Values by key that are not UTF-8 strings, encoded in base64. The same rules as for `data` apply, and no key may
   * occur in both.
   */
  binaryData?: Record<string, Bytes> & Since<"1.10">;
}

export const configMap = kind<ConfigMap>({
  plural: "configmaps",
  shortNames: ["cm"],
  introduced: "1.2",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Data", type: "string", description: "Number of entries in `data` and `binaryData`." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
