import type { ApiObject } from "../contract/api-object.ts";
import { compileGetter } from "../values/json-path.ts";
import type { LoadedHooks } from "./loaded-hooks.ts";

export interface SelectableFields {
  readonly names: ReadonlySet<string>;
  read(object: ApiObject): Record<string, string>;
}

/** Fields that field selectors support: name and namespace (for all kinds, as in Kubernetes), and those that the kind declares. */
export function selectableFields(declared: readonly string[], hooks: LoadedHooks): SelectableFields {
  const readers = declared.map((field) => {
    const made = hooks.table?.selectable?.[field];
    const path = compileGetter(`.${field}`);
    return [field, made ?? ((object: ApiObject) => asText(path(object)))] as const;
  });
  return {
    names: new Set(["metadata.name", "metadata.namespace", ...declared]),
    read(object) {
      const fields: Record<string, string> = {
        "metadata.name": object.metadata.name ?? "",
        "metadata.namespace": object.metadata.namespace ?? "",
      };
      for (const [field, read] of readers) {
        fields[field] = read(object);
      }
      return fields;
    },
  };
}

function asText(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
