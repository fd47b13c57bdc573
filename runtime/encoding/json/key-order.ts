import { MAX_READ_DEPTH } from "../max-depth.ts";
import { parseJsonSlowly } from "./json-parser.ts";
import type { KeyOrder } from "./ordered-view.ts";

/** A key that JavaScript takes for an index, and lists before others. */
const INDEX = /"(?:0|[1-9]\d*)"\s*:/;

/** The order of keys in a document, where it is not that of the objects in its value. Keys that occur twice stand where they come last. */
export function keyOrder(body: Buffer, value: unknown, hasDuplicates: boolean): KeyOrder | undefined {
  const text = body.toString("utf8");
  if (!hasDuplicates && !INDEX.test(text)) return undefined;
  const orders = new Map<object, Set<string>>();
  const again = parseJsonSlowly(text, { floatLiterals: true, maxDepth: MAX_READ_DEPTH, orders }).value;
  const found = new Map<object, readonly string[]>();
  const open: [unknown, unknown][] = [[value, again]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [part, twin] = pair;
    if (!isContainer(part) || !isContainer(twin)) continue;
    const keys = orders.get(twin);
    if (keys !== undefined) found.set(part, [...keys]);
    for (const key of Object.keys(part)) open.push([part[key], twin[key]]);
  }
  return (object) => found.get(object);
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}
