/** A block of a PEM file. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

/** A block begins at a line of its own, and its header lines have a colon. */
const BEGIN = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*(?:\n|$)((?:[^\n:]*:[^\n]*(?:\n|$))*)/g;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The blocks of a PEM text. Anything between them is skipped, and so is what Go takes for no block. */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  BEGIN.lastIndex = 0;
  for (let found = BEGIN.exec(text); found !== null; found = BEGIN.exec(text)) {
    const [whole, type = "", headers = ""] = found;
    const start = found.index + whole.length;
    const end = endOf(text, start, type, headers === "");
    const base64 = end === undefined ? "" : text.slice(start, end.at).replaceAll(/[ \t\r\n]/g, "");
    if (end !== undefined && BASE64.test(base64)) {
      blocks.push({ type, hasHeaders: headers !== "", bytes: Buffer.from(base64, "base64") });
      BEGIN.lastIndex = end.after;
    } else {
      // What follows may begin with the line break that ends this line.
      BEGIN.lastIndex = Math.max(found.index + 1, found.index + whole.length - headers.length - 1);
    }
  }
  return blocks;
}

/** Where the content of a block ends, and where the text goes on after it; undefined where its last line is not as it must be. */
function endOf(text: string, start: number, type: string, mayBeEmpty: boolean) {
  const isEmpty = mayBeEmpty && text.startsWith("-----END ", start);
  const at = isEmpty ? start : text.indexOf("\n-----END ", start);
  if (at < 0) return undefined;
  const line = at + (isEmpty ? 0 : 1);
  const last = `-----END ${type}-----`;
  if (!text.startsWith(last, line)) return undefined;
  const rest = /[^\n]*/.exec(text.slice(line + last.length))?.[0] ?? "";
  return rest.trim() === "" ? { at, after: line + last.length + rest.length } : undefined;
}
