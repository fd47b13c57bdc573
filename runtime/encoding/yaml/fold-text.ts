import type { ScalarStyle } from "./scalar-style.ts";

/** A line is broken at the first space beyond this column. */
const WIDTH = 80;
const SEPARATOR = /[\u2028\u2029]/;

/** Breaks a long text that begins in the column, quotes included, as Go's printer does; what follows is indented. */
export function foldText(printed: string, style: ScalarStyle, column: number, indent: number): string {
  const isShort = column + printed.length <= WIDTH || !printed.includes(" ");
  if (isShort && !SEPARATOR.test(printed)) return printed;
  const characters = [...printed];
  const quote = style === "plain" ? 0 : 1;
  const [first, last] = [quote, characters.length - 1 - quote];
  let text = "";
  let reached = column;
  let afterSeparator = false;
  characters.forEach((character, at) => {
    const next = characters[at + 1];
    const breaks = character === " " && reached > WIDTH && at > first && at < last && characters[at - 1] !== " ";
    if (breaks && (style === "double" || next !== " ")) {
      const mark = next === " " ? "\\" : "";
      text += `\n${" ".repeat(indent)}${mark}`;
      reached = indent + mark.length;
      return;
    }
    if (SEPARATOR.test(character)) {
      text += character;
      reached = 0;
      afterSeparator = true;
      return;
    }
    if (afterSeparator && at <= last) {
      text += " ".repeat(indent);
      reached = indent;
    }
    afterSeparator = false;
    text += character;
    reached += 1;
  });
  return text;
}
