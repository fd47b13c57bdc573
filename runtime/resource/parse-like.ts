import { parseJson } from "../encoding/json/parse-json.ts";
import { afterMetadata } from "../encoding/json/parse-stored-object.ts";
import type { ParsedJson } from "../encoding/json/parsed-json.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import { isJsonObject } from "../lib/json-object.ts";

const CLOSE = Buffer.from("}");
const SPACE = 0x20;
/** Compared first: most bodies that differ do so within their last bytes. */
const LAST_BYTES = 64;
/** From this size on it is worth to look for what is the same. */
const SHORTEST = 1024;

/** An object that a body may have parts of. */
export interface LiveParts {
  readonly live: LiveObject;
  /** Whether its status stays, whatever the body has. */
  readonly keepsStatus: boolean;
}

/**
 * Parses a JSON object whose bytes after metadata are those of the live object. That is the case if a client has read the object and
 * changed only its labels or annotations. Parts of the live object become parts of the value. Undefined for other bodies, valid or not.
 *
 *     body   {"kind":"Pod","metadata":{"name":"a"},"spec":{},"status":{}}
 *     live   {"kind":"Pod","metadata":{},"spec":{},"status":{}}
 *     parsed {"kind":"Pod","metadata":{"name":"a"}}
 *
 * If the part before, closed by a brace, is an object with members, then the rest are more members of that object.
 */
export function parseLike(body: Buffer, live: LiveObject): ParsedJson | undefined {
  const { json } = live;
  if (json.length < SHORTEST) return undefined;
  let end = body.length;
  while (end > 0 && (body[end - 1] as number) <= SPACE) end--;
  if (end < LAST_BYTES || json.compare(body, end - LAST_BYTES, end, json.length - LAST_BYTES) !== 0) return undefined;
  const rest = afterMetadata(json);
  if (rest === undefined || end < rest.length || rest.compare(body, end - rest.length, end) !== 0) return undefined;
  const parsed = parsedOrUndefined(Buffer.concat([body.subarray(0, end - rest.length), CLOSE]));
  if (parsed === undefined || !isJsonObject(parsed.value) || parsed.duplicates !== undefined) return undefined;
  const value: Record<string, unknown> = parsed.value;
  const names = Object.keys(live.object);
  const others = names.slice(names.indexOf("metadata") + 1);
  if (!Object.hasOwn(value, "metadata") || others.some((name) => Object.hasOwn(value, name))) return undefined;
  for (const name of others) value[name] = live.object[name];
  return parsed;
}

/** For a body that is not JSON, the parser of the whole body reports the error. */
function parsedOrUndefined(bytes: Buffer): ParsedJson | undefined {
  try {
    return parseJson(bytes, { floatLiterals: true, sharesFields: true });
  } catch {
    return undefined;
  }
}
