import { createRequire } from "node:module";
import type { Tags } from "yaml";

let loaded: typeof import("yaml") | undefined;

/**
 * Returns the YAML package, which is loaded when a command first reads manifests. It keeps comments and positions, which the server does not need.
 */
export function yamlLibrary(): typeof import("yaml") {
  return (loaded ??= createRequire(import.meta.url)("yaml") as typeof import("yaml"));
}

/** Options of the YAML package that match Go's parser. */
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

/** Go supports no base-60 numbers and no collection types of YAML 1.1, and reads timestamps as strings. */
function goTags(tags: Tags): Tags {
  return tags.filter((tag) => {
    if (typeof tag === "string") return true;
    if (tag.collection === undefined && "format" in tag && tag.format === "TIME") return false;
    return !/:(timestamp|omap|pairs|set|binary)$/.test(tag.tag);
  });
}
