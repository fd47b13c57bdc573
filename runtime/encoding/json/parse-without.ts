import { parseOwnText } from "./parse-own-json.ts";
import { endOfString, endOfValue } from "./parse-stored-object.ts";

const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;

type Path = readonly string[];

/**
 * Parses JSON that this server wrote, omitting the members at some paths without copying their bytes. Paths pass through the items of lists:
 * `["spec", "versions", "schema"]` is the schema of each version.
 */
export function parseWithout(json: Buffer, paths: readonly Path[]): unknown {
  const cuts: Cut[] = [];
  if (json[0] === OPEN) cutMembers(json, 0, paths, cuts);
  let text = "";
  let copied = 0;
  for (const { start, end } of cuts) {
    text += json.toString("utf8", copied, start);
    copied = end;
  }
  return parseOwnText(text + json.toString("utf8", copied));
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** Collects, in order, the positions of the members to cut from an object, each with one adjacent comma. Returns the end of the object. */
function cutMembers(json: Buffer, object: number, paths: readonly Path[], cuts: Cut[]): number {
  let at = object + 1;
  let isFirst = true;
  while (at < json.length && json[at] !== CLOSE) {
    const keyEnd = endOfString(json, at);
    const key = json.toString("latin1", at + 1, keyEnd - 1);
    const below = paths.filter(([name]) => name === key).map((path) => path.slice(1));
    const isCut = below.some((path) => path.length === 0);
    const end = isCut || below.length === 0 ? endOfValue(json, keyEnd + 1) : cutBelow(json, keyEnd + 1, below, cuts);
    const next = json[end] === COMMA ? end + 1 : end;
    if (isCut) cuts.push(isFirst ? { start: at, end: next } : { start: at - 1, end });
    else isFirst = false;
    at = next;
  }
  return at + 1;
}

function cutBelow(json: Buffer, value: number, paths: readonly Path[], cuts: Cut[]): number {
  if (json[value] === OPEN) return cutMembers(json, value, paths, cuts);
  if (json[value] !== OPEN_LIST) return endOfValue(json, value);
  let at = value + 1;
  while (at < json.length && json[at] !== CLOSE_LIST) {
    const end = json[at] === OPEN ? cutMembers(json, at, paths, cuts) : endOfValue(json, at);
    at = json[end] === COMMA ? end + 1 : end;
  }
  return at + 1;
}
