export class Base64Error extends Error {
  readonly code = "Base64";

  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
    this.name = "Base64Error";
  }
}

const SOUND = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the canonical form of padded base64. Ignores line ends inside. Throws `Base64Error` with Go's message. */
export function canonicalBase64(text: string): string {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, "") : text;
  if (compact.length % 4 !== 0 || !SOUND.test(compact)) throw new Base64Error(problemOffset(Buffer.from(text)));
  // Stray bits before the padding are not rejected but dropped.
  return compact.endsWith("=") ? Buffer.from(compact, "base64").toString("base64") : compact;
}

/** Returns the byte offset of Go's error: an invalid character, misplaced or incomplete padding, or text after the padding. */
function problemOffset(bytes: Buffer): number {
  const isLineEnd = (at: number) => bytes[at] === 10 || bytes[at] === 13;
  const skipLineEnds = (from: number) => {
    let at = from;
    while (at < bytes.length && isLineEnd(at)) at++;
    return at;
  };
  let inGroup = 0;
  for (let at = skipLineEnds(0); at < bytes.length; at = skipLineEnds(at + 1)) {
    const character = String.fromCharCode(bytes[at] as number);
    if (/[A-Za-z0-9+/]/.test(character)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (character !== "=" || inGroup < 2) return at;
    if (inGroup === 3) return skipLineEnds(at + 1);
    const other = skipLineEnds(at + 1);
    if (other === bytes.length) return other;
    return bytes[other] === 61 ? skipLineEnds(other + 1) : other - 1;
  }
  return bytes.length - inGroup;
}

/** Decodes base64url without padding. Ignores line ends inside. Throws `Base64Error` with Go's message. */
export function decodeRawBase64Url(text: string): Buffer {
  const compact = text.replace(/[\r\n]+/g, "");
  const stranger = compact.search(/[^A-Za-z0-9_-]/);
  if (stranger >= 0) throw new Base64Error(stranger);
  if (compact.length % 4 === 1) throw new Base64Error(compact.length - 1);
  return Buffer.from(compact, "base64url");
}
