import type { ScalarTag, Tags } from "yaml";
import { compareUtf8 } from "../../lib/compare-utf8.ts";
import { yamlLibrary } from "./yaml-library.ts";

/** YAML as the API server prints it: keys sorted, lists not indented under their key, quotes only where needed. */
export function stringifyYaml(value: unknown): string {
  return yamlLibrary().stringify(value, {
    version: "1.1",
    indentSeq: false,
    sortMapEntries: (a, b) => compareUtf8(keyText(a.key), keyText(b.key)),
    aliasDuplicateObjects: false,
    nullStr: "null",
    customTags: (tags) => tags.map(withoutLoneDot),
  });
}

/** A dot alone is text to Go, although the float of YAML 1.1 would have it; it is a key of every managedFields entry. */
function withoutLoneDot(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.test?.test(".") !== true) return tag;
  return { ...tag, test: new RegExp(`^(?!\\.$)(?:${tag.test.source})`, tag.test.flags) } as ScalarTag;
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : String(key);
}
