import { goFloat } from "../../go/float.ts";
import { isNoText } from "./resolve-scalar.ts";

/** Maximum length of a simple key in bytes. Longer keys and keys with line breaks are written as explicit keys, after `? `. */
const SIMPLE_KEY_BYTES = 128;

export function isSimpleKey(key: string): boolean {
  return !isBroken(key) && Buffer.byteLength(key) <= SIMPLE_KEY_BYTES;
}

/** Prints a simple key, without the colon. */
export function printKey(key: string): string {
  return quoted(key, scalarStyle(key));
}

/**
 * Prints a scalar, an empty list or an empty map that starts in `column`. Further lines, of a block scalar or of a folded long line, are
 * indented by `indent`. Ends with a line break.
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

/**
 * Prints a literal block scalar. Its header has an indentation indicator if the string begins with a space or line break, which would be taken
 * for indentation, and a chomping indicator for the line breaks at the end.
 */
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

type ScalarStyle = "plain" | "single" | "double" | "literal";

/** Characters that Go's printer always escapes: all except line feeds and printable characters of the Basic Multilingual Plane. */
const UNPRINTABLE = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const BREAK = /[\n\u2028\u2029]/;
/** A space before a line break would be lost. */
const SPACE_BEFORE_BREAK = / [\n\u2028\u2029]/;
const SPACE_AFTER_BREAK = /[\n\u2028\u2029] /;
/** Syntax that is significant at the start of a plain scalar; `?`, `:` and `-` only before a space or at the end. */
const OPENS = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?: |$))/;
/** Syntax that is significant inside a plain scalar: the end of a key, the start of a comment. */
const INTERRUPTS = /:(?: |$)| #/;
const ENDS_WITH_SPACE = /^ | $/;

/** The style that Go's printer chooses for a string. */
function scalarStyle(text: string): ScalarStyle {
  if (UNPRINTABLE.test(text) || SPACE_BEFORE_BREAK.test(text)) return "double";
  if (text.includes("\n")) return text.endsWith(" ") ? "double" : "literal";
  if (isNoText(text) || SPACE_AFTER_BREAK.test(text)) return "double";
  const needsQuotes = OPENS.test(text) || INTERRUPTS.test(text) || ENDS_WITH_SPACE.test(text) || BREAK.test(text);
  return needsQuotes ? "single" : "plain";
}

/** Whether a string contains a line break. */
function isBroken(text: string): boolean {
  return BREAK.test(text) || /[\r\x85]/.test(text);
}

const SHORT: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\u2028": "L",
  "\u2029": "P",
};
const ESCAPED = new RegExp(`${UNPRINTABLE.source}|[\n"\\\\\u2028\u2029]`, "gu");

/** Escapes a string for double quotes. */
function escapeDouble(text: string): string {
  return text.replace(ESCAPED, (character) => `\\${SHORT[character] ?? numbered(character.codePointAt(0) as number)}`);
}

function numbered(code: number): string {
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `u${digits.padStart(4, "0")}` : `U${digits.padStart(8, "0")}`;
}

/** A line is broken at the first space beyond this column. */
const WIDTH = 80;
const SEPARATOR = /[\u2028\u2029]/;

/** Folds a long printed scalar, quotes included, that starts in `column`, as Go's printer does. Further lines are indented. */
function foldText(printed: string, style: ScalarStyle, column: number, indent: number): string {
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

const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;

/** 64-bit integers are printed in full, other numbers like Go floats: with an exponent from a million on. */
function printNumber(value: number | bigint | Number): string {
  const number = typeof value === "bigint" ? value : value.valueOf();
  if (typeof number === "bigint" || Number.isInteger(number)) {
    const whole = BigInt(number);
    if (whole >= LEAST && whole <= MOST) return Object.is(number, -0) ? "-0" : String(whole);
  }
  return goFloat(Number(number));
}
