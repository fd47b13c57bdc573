export interface JsonText {
  readonly text: string;
  /** Line of its start, from 1. */
  readonly line: number;
}

/** Splits a text that consists of JSON objects only. Returns an empty list for any other text. */
export function splitJson(text: string): JsonText[] {
  if (!/^\s*\{/.test(text)) return [];
  const objects: JsonText[] = [];
  let line = 1;
  let depth = 0;
  let start = { offset: 0, line: 1 };
  // Matches strings as a whole, so that braces within them are ignored.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[{}]|\n|[^\s{}"]+/g)) {
    if (token === "\n") line += 1;
    else if (token === "{") {
      if (depth++ === 0) start = { offset: index, line };
    } else if (token === "}") {
      depth -= 1;
      if (depth < 0) return [];
      if (depth === 0) objects.push({ text: text.slice(start.offset, index + 1), line: start.line });
    } else if (depth === 0) return [];
  }
  return depth === 0 ? objects : [];
}
