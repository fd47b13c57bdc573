import type { TypeRef } from "../../model/contract.ts";
import type { Model } from "../../model/model.ts";
import type { Json } from "./json.ts";

/** Kinds of meta that every version of every group understands as its own. */
const EVERYWHERE = new Set(["DeleteOptions", "WatchEvent"]);
const META = "meta/v1";
/** Groups of documents about the API rather than of kinds in it: nobody deletes or watches there. */
const APART = new Set(["meta", "apidiscovery"]);

/** Under which group, version and kind each type travels; lists travel with their kind. */
export function groupVersionKinds(model: Model): Map<TypeRef, readonly Json[]> {
  const found = new Map<TypeRef, readonly Json[]>();
  const versions = apiVersions(model);
  for (const module of model.modules.values()) {
    for (const { type, listType, kind, group, version } of module.kinds) {
      if (module.name === META) {
        const own = { group: "", kind, version: "v1" };
        found.set(
          type,
          EVERYWHERE.has(kind) ? versions.map((one) => ({ group: one.group, kind, version: one.version })) : [own],
        );
        continue;
      }
      found.set(type, [{ group, kind, version }]);
      if (listType !== undefined) found.set(listType, [{ group, kind: `${kind}List`, version }]);
    }
  }
  return found;
}

/** Every version that has kinds of its own, served or not, in order. */
function apiVersions(model: Model): { group: string; version: string }[] {
  return [...model.modules.values()]
    .filter((module) => module.kinds.length > 0 && !APART.has(module.group?.folder ?? ""))
    .map((module) => ({ group: module.group?.name ?? "", version: module.version ?? "" }))
    .sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
