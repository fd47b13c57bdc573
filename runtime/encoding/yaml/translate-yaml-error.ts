import type { Document, YAMLParseError } from "yaml";
import { MAX_DEPTH } from "../../lib/max-depth.ts";
import { YamlError } from "./yaml-error.ts";
import { yamlLibrary } from "./yaml-library.ts";

/** Go's parser and its scanner count lines from 0 and from 1, and name none of the first. */
type Finder = "parser" | "scanner";

interface Place {
  readonly error: YAMLParseError;
  readonly text: string;
  readonly document: Document;
  /** What ours stumbles over begins here; the end, if nothing follows. */
  readonly at: number;
}

type Told = readonly [finder: Finder, message: string, at?: number];

/** The first error of a document in Go's words. */
export function translateYamlError(error: YAMLParseError, text: string, document: Document): YamlError {
  const at = nextToken(text, error.pos[0]);
  const [finder, message, where = at] = tell({ error, text, document, at });
  return new YamlError(`${lineOf(text, where, finder)}${message}`);
}

function lineOf(text: string, at: number, finder: Finder): string {
  const before = text.slice(0, at).split("\n").length - 1;
  // To the parser, what ends without a line break ends on the next line.
  const isCutOff = finder === "parser" && at >= text.length && !text.endsWith("\n");
  const line = isCutOff ? before + 1 : before;
  return line === 0 ? "" : `line ${finder === "scanner" ? line + 1 : line}: `;
}

function tell(place: Place): Told {
  const { error, text } = place;
  const says = (words: RegExp) => words.test(error.message);
  switch (error.code) {
    case "BAD_DQ_ESCAPE":
      return [
        "scanner",
        says(/\\[xuU]/) ? "did not find expected hexdecimal number" : "found unknown escape character",
      ];
    case "TAB_AS_INDENT":
      return ["scanner", followsValue(place) ? "found a tab character that violates indentation" : NO_TOKEN];
    case "BAD_SCALAR_START":
      return text[place.at] === "," ? ["parser", NO_CONTENT] : ["scanner", NO_TOKEN];
    case "BAD_ALIAS":
      return ["scanner", "did not find expected alphabetic or numeric character"];
    case "RESOURCE_EXHAUSTION":
      return ["parser", `exceeded max depth of ${MAX_DEPTH}`, 0];
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return tellKey(place);
  }
  if (says(/closing .quote/)) return ["scanner", "found unexpected end of stream", text.length];
  if (says(/directives-end/)) return ["parser", "did not find expected <document start>"];
  if (says(/followed by map values/)) return tellLoneKey(place);
  if (says(/on same line with key/)) return ["scanner", "block sequence entries are not allowed in this context"];
  if (says(/Block scalar header/)) return ["scanner", "did not find expected comment or line break"];
  if (says(/(?:Anchor|Alias) cannot be an empty/))
    return ["scanner", "did not find expected alphabetic or numeric character"];
  if (says(/Verbatim tags must end/)) return ["scanner", "did not find the expected '>'"];
  return tellStructure(place);
}

/** What cannot be a key stands where there is one. */
function tellKey(place: Place): Told {
  const { text, at, error } = place;
  if (/block sequence/.test(error.message) || /^\s*- /.test(text.slice(at))) return ["parser", NO_KEY];
  if (/^(?:'[^'\n]*'|"[^"\n]*")[ \t]+[^:#\s]/.test(text.slice(at))) return ["parser", NO_KEY];
  const colon = nextColon(text, at);
  const open = openBracket(place);
  if (open !== undefined) return ["parser", wantsNext(open), colon];
  if (isBesideKeys(place)) return ["scanner", NO_COLON, colon];
  return ["scanner", "mapping values are not allowed in this context", colon];
}

/** A key that no colon follows. */
function tellLoneKey({ text, error }: Place): Told {
  const [, end] = error.pos;
  const next = nextToken(text, end);
  const isSameLine = next < text.length && !text.slice(end, next).includes("\n");
  return isSameLine ? ["parser", NO_KEY, next] : ["scanner", NO_COLON, next];
}

const NO_COLON = "could not find expected ':'";
const NO_CONTENT = "did not find expected node content";
const NO_KEY = "did not find expected key";
const NO_TOKEN = "found character that cannot start any token";

/** An entry of a collection that is not where or what it should be. */
function tellStructure(place: Place): Told {
  const before = place.text.slice(0, place.at).trimEnd();
  const open = openBracket(place);
  const wantsContent = /[{[,:]$/.test(before) && place.error.code !== "BLOCK_IN_FLOW";
  if (open === undefined) {
    const isStray = /token in YAML stream/.test(place.error.message);
    const isSameLine = !place.text.slice(before.length, place.at).includes("\n");
    if ((isSameLine || isStray) && before.endsWith(":")) return ["parser", NO_CONTENT];
    return ["parser", isBesideItems(place) ? "did not find expected '-' indicator" : NO_KEY];
  }
  if (wantsContent) return ["parser", NO_CONTENT];
  return ["parser", wantsNext(open)];
}

function wantsNext(open: string): string {
  return `did not find expected ',' or '${open === "{" ? "}" : "]"}'`;
}

/** The bracket that opens the innermost flow collection around the place. */
function openBracket({ document, text, at, error }: Place): string | undefined {
  if (/token in YAML stream/.test(error.message)) return undefined;
  let innermost = -1;
  yamlLibrary().visit(document, {
    Collection(_key, { range }) {
      if (!range) return;
      const [start, , end] = range;
      const isOpen = start < at && at <= end && /[{[]/.test(text[start] ?? "");
      if (isOpen && !isClosed(text, start, range[1], at)) innermost = Math.max(innermost, start);
    },
  });
  return innermost < 0 ? undefined : text[innermost];
}

/** Whether a flow collection ends before the place. */
function isClosed(text: string, start: number, end: number, at: number): boolean {
  const closing = text[start] === "{" ? "}" : "]";
  return end <= at && text[end - 1] === closing && end - 1 > start;
}

/** Whether the line begins where the items of a list begin, and is none. */
function isBesideItems(place: Place): boolean {
  return /^\s*- /.test(lineBeside(place) ?? "");
}

/** Whether the line begins where the keys of an object begin. */
function isBesideKeys(place: Place): boolean {
  return /^\s*[^-\s]/.test(lineBeside(place) ?? "");
}

/** The line before that begins at the same column, if what stands here begins a line and nothing between begins before it. */
function lineBeside({ text, at }: Place): string | undefined {
  const lines = text.slice(0, at).split("\n");
  const start = lines.pop() ?? "";
  if (start.trim() !== "") return undefined;
  const indentOf = (line: string) => line.length - line.trimStart().length;
  const above = lines.reverse().find((line) => /^\s*[^#\s]/.test(line) && indentOf(line) <= start.length);
  return above !== undefined && indentOf(above) === start.length ? above : undefined;
}

function followsValue({ text, at }: Place): boolean {
  const before = text.slice(0, at).trimEnd();
  return before !== "" && !/[:-]$/.test(before);
}

function nextColon(text: string, from: number): number {
  const found = text.slice(from).search(/:(?:\s|$)/);
  return found < 0 ? from : from + found;
}

function nextToken(text: string, from: number): number {
  const gap = /^(?:\s|#.*(?:\n|$))*/.exec(text.slice(from))?.[0].length ?? 0;
  return from + gap;
}
