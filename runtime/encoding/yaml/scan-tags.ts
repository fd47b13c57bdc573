import { DOT, isBlank, isBreak, isGap, PERCENT, type YamlCursor } from "./yaml-cursor.ts";
import { decodeTagEscapes } from "./yaml-escapes.ts";
import type { Token } from "./yaml-token.ts";

const NAME = /[\w-]*/y;
const TAG_CHARACTERS = /[\w;/?:@&=+$,.!~*'()[\]-]*/y;
const TAG_ESCAPE = /%[\da-fA-F]{2}/y;

/** Reads a line that begins with a percent sign. */
export function readDirective(cursor: YamlCursor): Token {
  const { line } = cursor;
  cursor.at++;
  const name = cursor.match(NAME);
  if (name === "") cursor.fail("could not find expected directive name");
  if (!isGap(cursor.code())) cursor.fail("found unexpected non-alphabetical character");
  if (name !== "YAML" && name !== "TAG") cursor.fail("found unknown directive name");
  const token: Token =
    name === "YAML"
      ? { type: "version", line, value: readVersion(cursor) }
      : { type: "tag prefix", line, ...readTagPrefix(cursor) };
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreak(cursor.code()) && !cursor.isEnd()) cursor.fail("did not find expected comment or line break");
  if (!cursor.isEnd()) cursor.readBreak();
  return token;
}

function readVersion(cursor: YamlCursor): string {
  cursor.skipBlanks();
  const major = readVersionNumber(cursor);
  if (cursor.code() !== DOT) cursor.fail("did not find expected digit or '.' character");
  cursor.at++;
  return `${major}.${readVersionNumber(cursor)}`;
}

function readVersionNumber(cursor: YamlCursor): number {
  const digits = cursor.match(/\d*/y);
  if (digits === "") cursor.fail("did not find expected version number");
  if (digits.length > 2) cursor.fail("found extremely long version number");
  return Number(digits);
}

function readTagPrefix(cursor: YamlCursor): { readonly value: string; readonly suffix: string } {
  cursor.skipBlanks();
  const value = cursor.match(/!(?:[\w-]*!)?/y);
  if (value === "" || /[\w-]/.test(cursor.text[cursor.at] as string)) cursor.fail("did not find expected '!'");
  if (!isBlank(cursor.code())) cursor.fail("did not find expected whitespace");
  cursor.skipBlanks();
  const suffix = readTagCharacters(cursor, false);
  if (!isGap(cursor.code())) cursor.fail("did not find expected whitespace or line break");
  return { value, suffix };
}

export function readAnchor(cursor: YamlCursor, type: "alias" | "anchor"): Token {
  const { line } = cursor;
  cursor.at++;
  const name = cursor.match(NAME);
  if (name === "" || (!isGap(cursor.code()) && !"?:,]}%@`".includes(cursor.text[cursor.at] as string)))
    cursor.fail("did not find expected alphabetic or numeric character");
  return { type, line, value: name };
}

/** Reads `!!str`, `!own`, `!handle!own` or `!<tag:yaml.org,2002:str>`. */
export function readTag(cursor: YamlCursor): Token {
  const { line } = cursor;
  let value = "";
  let suffix: string;
  if (cursor.code(1) === 0x3c) {
    cursor.at += 2;
    suffix = readTagCharacters(cursor, false);
    if (cursor.code() !== 0x3e) cursor.fail("did not find the expected '>'");
    cursor.at++;
  } else {
    value = cursor.match(/![\w-]*!/y);
    if (value === "") cursor.at++;
    suffix = readTagCharacters(cursor, value === "");
    if (value === "") [value, suffix] = suffix === "" ? ["", "!"] : ["!", suffix];
  }
  if (!isGap(cursor.code())) cursor.fail("did not find expected whitespace or line break");
  return { type: "tag", line, value, suffix };
}

function readTagCharacters(cursor: YamlCursor, mayBeEmpty: boolean): string {
  const start = cursor.at;
  cursor.match(TAG_CHARACTERS);
  while (cursor.code() === PERCENT) {
    if (cursor.match(TAG_ESCAPE) === "") cursor.fail("did not find URI escaped octet");
    cursor.match(TAG_CHARACTERS);
  }
  const found = cursor.text.slice(start, cursor.at);
  if (found === "" && !mayBeEmpty) cursor.fail("did not find expected tag URI");
  return decodeTagEscapes(found, (problem) => cursor.fail(problem));
}
