/** Receives bytes one by one. */
interface ByteSink {
  byte(byte: number): void;
}

/** Writes the prefix of a length-delimited protobuf field: its tag and its length. */
export function writeLengthPrefix(tag: number, length: number, out: ByteSink): void {
  out.byte(tag);
  let rest = length;
  while (rest > 0x7f) {
    out.byte((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  out.byte(rest);
}

/** Length of a field including its prefix: one byte for the tag, and one byte for every seven bits of the length. */
export function prefixedLength(length: number): number {
  let prefix = 2;
  for (let rest = length; rest > 0x7f; rest >>>= 7) prefix++;
  return prefix + length;
}

export function lengthPrefix(tag: number, length: number): Uint8Array {
  const bytes: number[] = [];
  writeLengthPrefix(tag, length, { byte: (byte) => bytes.push(byte) });
  return Uint8Array.from(bytes);
}
