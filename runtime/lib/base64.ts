export class Base64Error extends Error {
  readonly code = "Base64";

  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
    this.name = "Base64Error";
  }
}

const STRANGER = /[^A-Za-z0-9+/]/;

/** The canonical form of padded base64 text; line ends inside are ignored. Throws `Base64Error` in Go's words. */
export function canonicalBase64(text: string): string {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, "") : text;
  const padding = compact.endsWith("==") ? 2 : compact.endsWith("=") ? 1 : 0;
  const body = padding === 0 ? compact : compact.slice(0, -padding);
  const stranger = body.search(STRANGER);
  if (stranger >= 0) throw new Base64Error(stranger);
  if (compact.length % 4 !== 0) throw new Base64Error(compact.length - (compact.length % 4));
  // Stray bits before the padding are not refused, they are dropped.
  return padding === 0 ? compact : Buffer.from(compact, "base64").toString("base64");
}

/** Decodes base64 for URLs without padding; line ends inside are ignored. Throws `Base64Error` in Go's words. */
export function decodeRawBase64Url(text: string): Buffer {
  const compact = text.replace(/[\r\n]+/g, "");
  const stranger = compact.search(/[^A-Za-z0-9_-]/);
  if (stranger >= 0) throw new Base64Error(stranger);
  if (compact.length % 4 === 1) throw new Base64Error(compact.length - 1);
  return Buffer.from(compact, "base64url");
}
