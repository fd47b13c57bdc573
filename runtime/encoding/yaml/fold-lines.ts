/** A line is broken at the first space beyond this column. */
const WIDTH = 80;
/** What a line begins with: dashes of lists, then a key. */
const LINE = /^((?: |- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s'"](?:(?!: ).)*):(?: |$))?(.*)$/s;
const BLOCK = /^[|>][-+]?\d?[-+]?$/;

/** Breaks the long texts of a YAML document as Go's printer does. Each is on one line so far; block texts stay as they are. */
export function foldLines(document: string): string {
  const lines = document.split("\n");
  const folded: string[] = [];
  /** Indentation of the key whose block text is being passed; what is deeper belongs to it. */
  let block: number | undefined;
  for (const line of lines) {
    if (block !== undefined && (line === "" || indentation(line) > block)) {
      folded.push(line);
      continue;
    }
    block = undefined;
    const [, dashes = "", key = "", value = ""] = LINE.exec(line) ?? [];
    if (BLOCK.test(value)) block = key === "" ? indentation(line) : dashes.length;
    const isLong = line.length > WIDTH && value.includes(" ");
    folded.push(isLong ? foldText(`${dashes}${key}`, value, dashes.length + (key === "" ? 0 : 2)) : line);
  }
  return folded.join("\n");
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

function foldText(start: string, value: string, indent: number): string {
  const isDouble = value.startsWith('"');
  const quote = isDouble || value.startsWith("'") ? 1 : 0;
  const [first, last] = [quote, value.length - 1 - quote];
  let text = start;
  let column = [...start].length;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] as string;
    const breaks = character === " " && column > WIDTH && at > first && at < last && value[at - 1] !== " ";
    if (breaks && (isDouble || value[at + 1] !== " ")) {
      text += `\n${" ".repeat(indent)}`;
      column = indent;
      if (value[at + 1] === " ") {
        text += "\\";
        column += 1;
      }
      continue;
    }
    text += character;
    // The second half of a pair takes no column.
    if (!(character >= "\udc00" && character <= "\udfff")) column += 1;
  }
  return text;
}
