import { parseJson } from "../encoding/json/parse-json.ts";
import { afterMetadata } from "../encoding/json/parse-stored-object.ts";
import type { ParsedJson } from "../encoding/json/parsed-json.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import { isJsonObject } from "../lib/json-object.ts";

const CLOSE = Buffer.from("}");
const SPACE = 0x20;
/** Compared first: most bodies that differ do so within their last bytes. */
const LAST_BYTES = 64;
/** For smaller objects, searching for equal parts is not worthwhile. */
const SHORTEST = 1024;

/** An object whose parts may be reused for a body. */
export interface LiveParts {
  readonly live: LiveObject;
  /** Whether the write keeps the object's status, whatever the body contains. */
  readonly keepsStatus: boolean;
}

/**
 * Parses a JSON object whose bytes after metadata equal those of the live object. This happens if a client has read the object and
 * changed only its labels or annotations. The value reuses the parts of the live object. Undefined for other bodies, valid or not.
 *
 *     body   {"kind":"Pod","metadata":{"name":"a"},"spec":{},"status":{}}
 *     live   {"kind":"Pod","metadata":{},"spec":{},"status":{}}
 *     parsed {"kind":"Pod","metadata":{"name":"a"}}
 *
 * If the bytes before, with a closing brace appended, are an object with members, then the remaining bytes are further members of it.
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

/** Returns undefined if the bytes are not JSON: the parser of the whole body then reports the error. */
function parsedOrUndefined(bytes: Buffer): ParsedJson | undefined {
  try {
    return parseJson(bytes, { floatLiterals: true, sharesFields: true });
  } catch {
    return undefined;
  }
}
