const [COMMA, SPACE, ZERO, X] = [0x2c, 0x20, 0x30, 0x78];
const HEX_DIGITS = Buffer.from("0123456789abcdef");
/** Maximum number of characters per byte: `0x2d, `. */
const BYTE_WIDTH = 6;

/** Prints bytes as Go does. Written into one buffer, because one string per byte takes seconds for the largest requests. */
export function goBytes(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "[]byte(nil)";
  const text = Buffer.alloc(bytes.length * BYTE_WIDTH);
  let end = 0;
  for (const byte of bytes) {
    if (end > 0) {
      text[end++] = COMMA;
      text[end++] = SPACE;
    }
    text[end++] = ZERO;
    text[end++] = X;
    if (byte > 0xf) text[end++] = HEX_DIGITS[byte >> 4] as number;
    text[end++] = HEX_DIGITS[byte & 0xf] as number;
  }
  return `[]byte{${text.toString("latin1", 0, end)}}`;
}
