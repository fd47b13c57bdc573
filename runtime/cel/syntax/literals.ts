/** Thrown if the text of a literal token is malformed or out of range. */
export class BadLiteral extends Error {}

const MAX_INT = 2n ** 63n;
const MAX_UINT = 2n ** 64n;

/** Returns a number if it represents the int exactly, otherwise a bigint. */
export function parseIntLiteral(text: string, negative: boolean): number | bigint {
  const value = negative ? -BigInt(text) : BigInt(text);
  if (value >= MAX_INT || value < -MAX_INT) throw new BadLiteral("invalid int literal");
  const small = Number(value);
  return Number.isSafeInteger(small) ? (small === 0 ? 0 : small) : value;
}

export function parseUintLiteral(text: string): bigint {
  const value = BigInt(text.slice(0, -1));
  if (value >= MAX_UINT) throw new BadLiteral("invalid uint literal");
  return value;
}

export function parseDoubleLiteral(text: string, negative: boolean): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new BadLiteral("invalid double literal");
  return negative ? -value : value;
}

const CONTROL: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const ESCAPE = /\\(?:([xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/g;

export function parseStringLiteral(text: string): string {
  const { body, raw } = unquote(text);
  if (raw) return body;
  return body.replace(ESCAPE, (_all, hex?: string, octal?: string, char = "") => {
    if (hex === undefined && octal === undefined) return CONTROL[char] ?? char;
    const point = octal === undefined ? Number.parseInt(hex!.slice(1), 16) : Number.parseInt(octal, 8);
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) throw new BadLiteral("invalid unicode code point");
    return String.fromCodePoint(point);
  });
}

/** In bytes, `\x41` and `\101` are single bytes, other text is UTF-8, and Unicode escapes are not allowed. */
export function parseBytesLiteral(text: string): Uint8Array {
  const { body, raw } = unquote(text.slice(1));
  if (raw) return new TextEncoder().encode(body);
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const [all, hex, octal, char = ""] = match;
    if (hex !== undefined && !/^x/i.test(hex)) throw new BadLiteral("unable to unescape string");
    parts.push(new TextEncoder().encode(body.slice(last, match.index)));
    if (hex !== undefined) parts.push(Uint8Array.of(Number.parseInt(hex.slice(1), 16)));
    else if (octal !== undefined) parts.push(Uint8Array.of(Number.parseInt(octal, 8)));
    else parts.push(new TextEncoder().encode(CONTROL[char] ?? char));
    last = match.index + all.length;
  }
  parts.push(new TextEncoder().encode(body.slice(last)));
  return Uint8Array.from(Buffer.concat(parts));
}

function unquote(text: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(text);
  const quoted = raw ? text.slice(1) : text;
  const width = quoted.startsWith('"""') || quoted.startsWith("'''") ? 3 : 1;
  return { body: quoted.slice(width, -width).replaceAll(/\r\n?/g, "\n"), raw };
}
