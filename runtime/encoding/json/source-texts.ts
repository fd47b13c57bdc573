import { MAX_READ_DEPTH } from "../max-depth.ts";
import { parseJsonSlowly } from "./json-parser.ts";

/** Returns a function that finds the source text of an object or list in a document. The texts are computed on the first call. */
export function sourceTexts(body: Buffer, value: unknown): (part: object) => string | undefined {
  let texts: Map<object, string> | undefined;
  return (part) => (texts ??= findTexts(body.toString("utf8"), value)).get(part);
}

/** Parses the document again with positions, and traverses both values in parallel. */
function findTexts(text: string, value: unknown): Map<object, string> {
  const spans = new Map<object, readonly [start: number, end: number]>();
  const again = parseJsonSlowly(text, { floatLiterals: true, maxDepth: MAX_READ_DEPTH, spans }).value;
  const found = new Map<object, string>();
  const open: [unknown, unknown][] = [[value, again]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [part, twin] = pair;
    if (!isContainer(part) || !isContainer(twin)) continue;
    const span = spans.get(twin);
    if (span !== undefined) found.set(part, text.slice(...span));
    for (const key of Object.keys(part)) open.push([part[key], twin[key]]);
  }
  return found;
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}
