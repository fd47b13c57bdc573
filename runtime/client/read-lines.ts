const NEWLINE = 0x0a;
/** Longer than any object that a server stores. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * The lines of a stream, as many at a time as arrived together, as views of what was received. Lines without text are left out, and so is
 * what follows the last newline: the connection was cut within it.
 */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const bytes of body) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = chunk.indexOf(NEWLINE);
    if (end === -1) {
      rest.push(chunk);
      size += chunk.length;
      if (size > MAX_LINE_BYTES) throw new RangeError(`a line of the stream is longer than ${MAX_LINE_BYTES} bytes`);
      continue;
    }
    const lines: Buffer[] = [];
    let start = 0;
    if (rest.length > 0) {
      rest.push(chunk.subarray(0, end));
      lines.push(Buffer.concat(rest));
      rest = [];
      size = 0;
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    for (; end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (end > start) lines.push(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) {
      rest = [chunk.subarray(start)];
      size = chunk.length - start;
    }
    if (lines.length > 0) yield lines;
  }
}
