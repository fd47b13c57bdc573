/** A block of a PEM file. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

/** A block starts on its own line, and its header lines contain a colon. */
const BEGIN = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*(?:\n|$)/g;
const HEADER = /[^\n:]*:[^\n]*(?:\n|$)/y;
const END = "-----END ";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Returns the blocks of a PEM text. Skips text between them, and blocks that Go does not recognize. Takes linear time, regardless of how many lines
 * look like the start of a block, because the ends of headers and blocks are searched only once.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  const ends = new BlockEnds(text);
  BEGIN.lastIndex = 0;
  for (let found = BEGIN.exec(text); found !== null; found = BEGIN.exec(text)) {
    const [whole, type = ""] = found;
    const begin = found.index + whole.length;
    const start = ends.ofHeaders(begin);
    const end = ends.ofBlock(start, type, start === begin);
    const base64 = end === undefined ? undefined : contentOf(text, start, end.at);
    if (end !== undefined && base64 !== undefined) {
      blocks.push({ type, hasHeaders: start > begin, bytes: Buffer.from(base64, "base64") });
      BEGIN.lastIndex = end.after;
    } else {
      // The next block may start with the line break that ends this line.
      BEGIN.lastIndex = Math.max(found.index + 1, begin - 1);
    }
  }
  return blocks;
}

function contentOf(text: string, start: number, end: number): string | undefined {
  const dash = text.indexOf("-", start);
  if (dash >= 0 && dash < end) return undefined;
  const base64 = text.slice(start, end).replaceAll(/[ \t\r\n]/g, "");
  return BASE64.test(base64) ? base64 : undefined;
}

/** End positions that many start lines share. They must be requested in ascending order. */
class BlockEnds {
  readonly #text: string;
  #headers = -1;
  /** Position of the end line of some block; the length of the text if there is no further one. */
  #line = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the position where the header lines that start at `start` end. */
  ofHeaders(start: number): number {
    if (start <= this.#headers) return this.#headers;
    HEADER.lastIndex = start;
    let end = start;
    while (end < this.#text.length && HEADER.test(this.#text)) end = HEADER.lastIndex;
    this.#headers = end;
    return end;
  }

  /** Returns the positions where the content of a block ends and where the text continues after it; undefined if its end line is invalid. */
  ofBlock(
    start: number,
    type: string,
    mayBeEmpty: boolean,
  ): { readonly at: number; readonly after: number } | undefined {
    const isEmpty = mayBeEmpty && this.#text.startsWith(END, start);
    const line = isEmpty ? start : this.#lastLine(start + 1);
    if (line === undefined) return undefined;
    const last = `${END}${type}-----`;
    if (!this.#text.startsWith(last, line)) return undefined;
    const from = line + last.length;
    const newline = this.#text.indexOf("\n", from);
    const after = newline < 0 ? this.#text.length : newline;
    return this.#text.slice(from, after).trim() === "" ? { at: isEmpty ? line : line - 1, after } : undefined;
  }

  #lastLine(from: number): number | undefined {
    if (this.#line < from) {
      const found = this.#text.indexOf(`\n${END}`, from - 1);
      this.#line = found < 0 ? this.#text.length : found + 1;
    }
    return this.#line < this.#text.length ? this.#line : undefined;
  }
}
