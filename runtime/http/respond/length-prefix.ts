/** Where bytes go one by one. */
interface ByteSink {
  byte(byte: number): void;
}

/** The tag of a length-delimited field of protobuf and its length, which come before its bytes. */
export function writeLengthPrefix(tag: number, length: number, out: ByteSink): void {
  out.byte(tag);
  let rest = length;
  while (rest > 0x7f) {
    out.byte((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  out.byte(rest);
}

/** How long a field is with its prefix: one byte of tag, seven bits of the length in each further one. */
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
