import { escapeDouble } from "./escape-double.ts";
import { foldText } from "./fold-text.ts";
import { printNumber } from "./print-number.ts";
import { isBroken, type ScalarStyle, scalarStyle } from "./scalar-style.ts";

/** Longer keys, in bytes, and those of several lines are marked as keys, so that they may be broken. */
const SIMPLE_KEY_BYTES = 128;

export function isSimpleKey(key: string): boolean {
  return !isBroken(key) && Buffer.byteLength(key) <= SIMPLE_KEY_BYTES;
}

/** A key that stands before its colon on one line. */
export function printKey(key: string): string {
  return quoted(key, scalarStyle(key));
}

/**
 * A value without parts that begins in the column, and goes on in lines that are indented: all of a block, or what a long
 * line is broken into. Ends with a line break.
 */
export function printScalar(value: unknown, column: number, indent: number): string {
  if (typeof value === "string") return printText(value, column, indent);
  if (typeof value === "object" && value !== null && !(value instanceof Number)) {
    return Array.isArray(value) ? "[]\n" : "{}\n";
  }
  const isNumber = typeof value === "number" || typeof value === "bigint" || value instanceof Number;
  return `${isNumber ? printNumber(value) : String(value ?? null)}\n`;
}

function printText(text: string, column: number, indent: number): string {
  const style = scalarStyle(text);
  if (style === "literal") return printBlock(text, indent);
  return `${foldText(quoted(text, style), style, column, indent)}\n`;
}

function quoted(text: string, style: ScalarStyle): string {
  if (style === "double") return `"${escapeDouble(text)}"`;
  return style === "single" ? `'${text.replaceAll("'", "''")}'` : text;
}

/** Lines as they are. What the first begins with would be taken for indentation, and how many breaks end it is said. */
function printBlock(text: string, indent: number): string {
  const hint = /^[ \n\u2028\u2029]/.test(text) ? "2" : "";
  const chomping = !/[\n\u2028\u2029]$/.test(text)
    ? "-"
    : /(?:^|[\n\u2028\u2029])[\n\u2028\u2029]$/.test(text)
      ? "+"
      : "";
  const body = text.replace(/(?<=^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, " ".repeat(indent));
  return `|${hint}${chomping}\n${body}${chomping === "-" ? "\n" : ""}`;
}
