/** What Go says of bytes that are not the DER of one element, such as a request for a certificate; undefined if they are. */
export function derProblem(bytes: Uint8Array, goType: string): string | undefined {
  if (bytes.length === 0) return "asn1: syntax error: sequence truncated";
  const header = readHeader(bytes, 0);
  if (typeof header === "string") return header;
  if ((bytes[0] as number) !== 0x30) {
    const found = `{class:${header.first >> 6} tag:${header.first & 0x1f} length:${header.length} isCompound:${isCompound(header)}}`;
    return `asn1: structure error: tags don't match (16 vs ${found}) ${NO_PARAMETERS} ${goType} @${header.start}`;
  }
  const inside = elementsProblem(bytes, 0, Math.min(bytes.length, header.start + header.length));
  if (inside !== undefined) return inside;
  return header.start + header.length < bytes.length ? "asn1: syntax error: trailing data" : undefined;
}

const NO_PARAMETERS =
  "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";

interface Header {
  readonly first: number;
  readonly length: number;
  /** Where the content begins. */
  readonly start: number;
}

function isCompound({ first }: Header): boolean {
  return (first & 0x20) !== 0;
}

/** The first problem with the elements that fill a range, and with what is inside them. */
function elementsProblem(bytes: Uint8Array, from: number, to: number): string | undefined {
  for (let at = from; at < to; ) {
    const header = readHeader(bytes.subarray(0, to), at);
    if (typeof header === "string") return header;
    const end = header.start + header.length;
    if (end > to) return "asn1: syntax error: data truncated";
    // Sequences and sets are read; what has a tag of its own is taken as it is.
    const isRead = header.first === 0x30 || header.first === 0x31;
    const inside = isRead ? elementsProblem(bytes, header.start, end) : undefined;
    if (inside !== undefined) return inside;
    at = end;
  }
  return undefined;
}

function readHeader(bytes: Uint8Array, at: number): Header | string {
  const [first = 0, length] = bytes.subarray(at, at + 2);
  if (length === undefined) return "asn1: syntax error: truncated tag or length";
  if (length < 0x80) return { first, length, start: at + 2 };
  const count = length & 0x7f;
  if (count === 0) return "asn1: syntax error: indefinite length found (not DER)";
  let long = 0;
  for (let i = 0; i < count; i++) {
    const byte = bytes[at + 2 + i];
    if (byte === undefined) return "asn1: syntax error: truncated tag or length";
    if (long >= 2 ** 23) return "asn1: structure error: length too large";
    long = long * 256 + byte;
    if (long === 0) return "asn1: structure error: superfluous leading zeros in length";
  }
  if (long < 0x80) return "asn1: structure error: non-minimal length";
  return { first, length: long, start: at + 2 + count };
}
