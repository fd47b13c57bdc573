/** Characters Go writes as escapes so that JSON may stand inside HTML and JavaScript. */
const ESCAPED = /[<>&\u2028\u2029]/;
const EVERY_ESCAPED = /[<>&\u2028\u2029]/g;

export interface StringifyOptions {
  /** Two spaces per level, as `?pretty=true` asks for. */
  readonly pretty?: boolean;
}

/** JSON text as the API server writes it (without the newline at the end of a response). Bigints become plain digits. */
export function stringifyJson(value: unknown, options?: StringifyOptions): string {
  const indent = options?.pretty ? "  " : undefined;
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch (error) {
    // The only values it refuses here are bigints; anything else fails again below.
    if (!(error instanceof TypeError)) throw error;
    text = JSON.stringify(value, bigintsAsRawJson, indent);
  }
  if (text === undefined) return "null";
  return escapeForHtml(text);
}

/** JSON text with escapes for what means something in HTML and JavaScript. */
export function escapeForHtml(text: string): string {
  return ESCAPED.test(text) ? text.replace(EVERY_ESCAPED, escapeUnit) : text;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `JSON.rawJSON` prints its text as it stands; TypeScript's library does not know it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

function bigintsAsRawJson(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJson(value.toString()) : value;
}
