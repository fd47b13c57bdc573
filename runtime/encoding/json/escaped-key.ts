const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether the built-in parser may have misread a key. V8 predicts the next key of an object from objects that it has parsed before, and compares
 * a key that has escapes by the first characters of its source text: after `{"a":1,"\\":1}` it reads the key of `{"a":1,"\n":1}` as a single
 * backslash. One client could thus change the objects of another. The source text of an escape begins with a backslash, so a misread key
 * contains one: if a document has escaped keys and its value has keys with a backslash, our own parser must read it again.
 */
export function mayBeMisread(json: string, value: unknown): boolean {
  return hasEscapedKey(json) && hasBackslashInKey(value);
}

/** Whether any key contains a backslash. Recurses as deep as the value is nested. */
export function hasBackslashInKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasBackslashInKey);
  for (const key in value) {
    if (key.includes("\\") || hasBackslashInKey((value as { readonly [key: string]: unknown })[key])) return true;
  }
  return false;
}

/** Whether a key of a valid document is written with an escape. */
function hasEscapedKey(json: string): boolean {
  for (let at = json.indexOf("\\"); at >= 0; at = json.indexOf("\\", at)) {
    for (let code = BACKSLASH; code !== QUOTE && at < json.length; code = json.charCodeAt(at))
      at += code === BACKSLASH ? 2 : 1;
    do at++;
    while (isSpace(json.charCodeAt(at)));
    if (json[at] === ":") return true;
  }
  return false;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
