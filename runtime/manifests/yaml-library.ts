import { createRequire } from "node:module";
import type { Tags } from "yaml";

let loaded: typeof import("yaml") | undefined;

/** The YAML package, loaded when a command first reads manifests: it keeps comments and positions, which the server does not need. */
export function yamlLibrary(): typeof import("yaml") {
  return (loaded ??= createRequire(import.meta.url)("yaml") as typeof import("yaml"));
}

/** How Go's parser reads YAML, as options of the YAML package. */
export const GO_YAML = {
  version: "1.1",
  schema: "yaml-1.1",
  customTags: goTags,
  merge: true,
  uniqueKeys: false,
  intAsBigInt: true,
  prettyErrors: false,
  logLevel: "error",
} as const;

/** Go knows no base-60 numbers, reads times as text, and has none of the collection types of YAML 1.1. */
function goTags(tags: Tags): Tags {
  return tags.filter((tag) => {
    if (typeof tag === "string") return true;
    if (tag.collection === undefined && "format" in tag && tag.format === "TIME") return false;
    return !/:(timestamp|omap|pairs|set|binary)$/.test(tag.tag);
  });
}
