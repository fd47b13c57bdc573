import type { ScalarTag, Tags } from "yaml";
import { compareUtf8 } from "../../lib/compare-utf8.ts";
import { foldLines } from "./fold-lines.ts";
import { yamlLibrary } from "./yaml-library.ts";

/** YAML as the API server prints it: keys sorted, lists not indented under their key, quotes only where needed. */
export function stringifyYaml(value: unknown): string {
  const { Document, visit } = yamlLibrary();
  const document = new Document(value, {
    version: "1.1",
    sortMapEntries: (a, b) => compareUtf8(keyText(a.key), keyText(b.key)),
    aliasDuplicateObjects: false,
    customTags: (tags) => tags.map(withoutLoneDot),
  });
  // Double quotes for texts that would be read as something else, single ones for those that would not be read at all.
  const tests = document.schema.tags.flatMap((tag) => ("test" in tag && tag.test ? [tag.test] : []));
  visit(document, {
    Scalar(_key, node) {
      const { value: text } = node;
      if (typeof text === "string" && tests.some((test) => test.test(text))) node.type = "QUOTE_DOUBLE";
    },
  });
  return foldLines(
    document.toString({ indentSeq: false, nullStr: "null", singleQuote: true, blockQuote: "literal", lineWidth: 0 }),
  );
}

/** A dot alone is text to Go, although the float of YAML 1.1 would have it; it is a key of every managedFields entry. */
function withoutLoneDot(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.test?.test(".") !== true) return tag;
  return { ...tag, test: new RegExp(`^(?!\\.$)(?:${tag.test.source})`, tag.test.flags) } as ScalarTag;
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : String(key);
}
