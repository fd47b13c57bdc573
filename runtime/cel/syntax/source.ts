/** The source text of an expression, with conversion of offsets to lines and columns. Offsets count UTF-16 units, columns code points. */
export class Source {
  readonly text: string;
  #lineStarts: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** One-based line and zero-based column of an offset. */
  locate(offset: number): { line: number; column: number } {
    const starts = (this.#lineStarts ??= lineStartsOf(this.text));
    let line = starts.length - 1;
    while (line > 0 && starts[line]! > offset) line--;
    return { line: line + 1, column: codePointLength(this.text.slice(starts[line]!, offset)) };
  }

  lineText(line: number): string | undefined {
    const starts = (this.#lineStarts ??= lineStartsOf(this.text));
    const start = starts[line - 1];
    if (start === undefined) return undefined;
    const end = starts[line];
    return this.text.slice(start, end === undefined ? undefined : end - 1);
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts;
}

/** Number of code points of a string, which is its size in CEL. */
export function codePointLength(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        count--;
        i++;
      }
    }
  }
  return count;
}
