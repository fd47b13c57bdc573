import type { ScalarTag, Tags } from "yaml";
import { compareUtf8 } from "../../lib/compare-utf8.ts";
import { foldLines } from "./fold-lines.ts";
import { scalarStyle } from "./scalar-style.ts";
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
  const tests = document.schema.tags.flatMap((tag) => ("test" in tag && tag.test ? [tag.test] : []));
  visit(document, {
    Scalar(_key, node) {
      const { value: text } = node;
      if (typeof text !== "string") return;
      const style = scalarStyle(
        text,
        OCTAL.test(text) || (!LONE_EXPONENT.test(text) && tests.some((test) => test.test(text))),
      );
      if (style !== undefined) node.type = style;
    },
  });
  const text = document.toString({
    indentSeq: false,
    nullStr: "null",
    singleQuote: true,
    blockQuote: "literal",
    lineWidth: 0,
  });
  return foldLines(text.replace(ASTRAL, escaped));
}

/** Numbers to Go, and to nobody who reads YAML 1.1. */
const OCTAL = /^[-+]?0o[0-7_]+$/;
/** The other way round. */
const LONE_EXPONENT = /^[-+]?\.?[eE]/;
const ASTRAL = /[\u{10000}-\u{10ffff}]/gu;

/** Go's printer takes characters beyond the first plane for unprintable. */
function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(8, "0")}`;
}

/** A dot alone is text to Go, although the float of YAML 1.1 would have it; it is a key of every managedFields entry. */
function withoutLoneDot(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.test?.test(".") !== true) return tag;
  return { ...tag, test: new RegExp(`^(?!\\.$)(?:${tag.test.source})`, tag.test.flags) } as ScalarTag;
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : String(key);
}
