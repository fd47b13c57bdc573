import type { FieldRequirement } from "../contract/selector.ts";
import { SelectorSyntaxError } from "./label-selector.ts";

/** Parses `metadata.name=a,status.phase!=Running`. Commas and equals signs may be escaped with a backslash. A single `=` is an empty selector. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  // Sorted as in Kubernetes: the order decides which error is reported.
  return splitTerms(text)
    .sort()
    .filter((term) => term !== "")
    .map((term) => parseTerm(term, text))
    .filter(({ field, value }) => field !== "" || value !== "");
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const sign = term.indexOf("=");
  if (sign >= 0) {
    const equal = term[sign - 1] !== "!";
    const value = unescapeValue(term.slice(equal && term[sign + 1] === "=" ? sign + 2 : sign + 1));
    return { field: term.slice(0, equal ? sign : sign - 1), equal, value };
  }
  throw new SelectorSyntaxError(`invalid selector: '${selector}'; can't understand '${term}'`);
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "\\") {
      index += 1;
    } else if (text[index] === ",") {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function unescapeValue(text: string): string {
  if (!text.includes("\\") && !text.includes("=")) return text;
  let value = "";
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === "\\") {
      const next = text[index + 1];
      if (next !== "\\" && next !== "," && next !== "=") {
        throw new SelectorSyntaxError(`invalid field selector: invalid escape sequence: \\${next ?? ""}`);
      }
      value += next;
      index += 1;
    } else if (character === "=") {
      throw new SelectorSyntaxError(`invalid field selector: unescaped character in value: ${"=".charCodeAt(0)}`);
    } else {
      value += character;
    }
  }
  return value;
}
