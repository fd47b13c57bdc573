import type { Steps } from "../../lib/in-turns.ts";
import { MEMBERS_PER_STEP } from "../../lib/json-object.ts";
import { MAX_READ_DEPTH } from "../max-depth.ts";
import { parseJsonInSteps } from "./json-parser.ts";
import type { KeyOrder } from "./ordered-view.ts";

/** Matches a key that JavaScript treats as an array index and lists before other keys. */
const INDEX = /"(?:0|[1-9]\d*)"\s*:/;

/**
 * Returns the order of keys in a document, if it differs from that of the objects in its value. A repeated key has the position of its last
 * occurrence. Can be interrupted.
 */
export function* keyOrderSteps(body: Buffer, value: unknown, hasDuplicates: boolean): Steps<KeyOrder | undefined> {
  const text = body.toString("utf8");
  if (!hasDuplicates && !INDEX.test(text)) return undefined;
  const orders = new Map<object, Set<string>>();
  const settings = { floatLiterals: true, maxDepth: MAX_READ_DEPTH, orders };
  const again = (yield* parseJsonInSteps(text, settings)).value;
  const found = new Map<object, readonly string[]>();
  const open: [unknown, unknown][] = [[value, again]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [part, twin] = pair;
    if (!isContainer(part) || !isContainer(twin)) continue;
    const keys = orders.get(twin);
    if (keys !== undefined) found.set(part, [...keys]);
    yield;
    let count = 0;
    for (const key of Object.keys(part)) {
      if (++count % MEMBERS_PER_STEP === 0) yield;
      if (isContainer(part[key])) open.push([part[key], twin[key]]);
    }
  }
  return function* (object) {
    yield;
    return found.get(object);
  };
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}
