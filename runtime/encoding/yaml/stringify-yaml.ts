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
  });
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : String(key);
}
