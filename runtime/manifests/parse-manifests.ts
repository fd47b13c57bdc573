import type { Document, Node, ToStringOptions } from "yaml";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";
import { equalJson } from "../lib/equal-json.ts";
import { isJsonObject } from "../lib/json-object.ts";
import type { PlainObject } from "../schema/type-schema.ts";
import { editDocument } from "./edit-document.ts";
import { expandAliases, hasAliases } from "./expand-aliases.ts";
import { splitJson } from "./split-json.ts";
import { checkYamlDepth } from "./yaml-depth.ts";
import { GO_YAML, yamlLibrary } from "./yaml-library.ts";

/** A document of a file, or an error of the file or one of its parts. */
export type Manifest = { readonly file: string; readonly line: number } & (
  | { readonly problem: string; readonly document?: undefined }
  | { readonly document: ManifestDocument; readonly problem?: undefined }
);

/** A document that contains an object. Comments and layout are kept. */
export interface ManifestDocument {
  readonly value: PlainObject & { readonly apiVersion: string; readonly kind: string };
  /** The object itself, or the items of a list. */
  readonly objects: readonly ManifestObject[];
  /** Returns the value, including changes. */
  content(): unknown;
  /** Replaces `old` by `value` at a path. */
  edit(path: readonly (string | number)[], old: unknown, value: unknown): void;
  /** Returns the text with the original line endings. It is identical if nothing was changed. */
  text(): string;
  readonly lineEnd: "\n" | "\r\n";
}

/** One object, its path in its document, and its line in the file. */
export interface ManifestObject {
  readonly path: readonly (string | number)[];
  readonly line: number;
  /** Includes the apiVersion and kind of its list if it has none itself. */
  readonly value: PlainObject & { readonly apiVersion: string; readonly kind: string };
  readonly implied: boolean;
  /** Why it is not a valid object; undefined if it is. */
  readonly problem?: string;
}

/** Parses every non-empty YAML or JSON document of a text. JSON objects may follow each other without a separator. */
export function parseManifests(file: string, text: string): Manifest[] {
  const objects = splitJson(text);
  if (objects.length > 1) return objects.flatMap(({ line, text: one }) => parseText(file, one, line - 1));
  return parseText(file, text, 0);
}

function parseText(file: string, text: string, linesBefore: number): Manifest[] {
  const { LineCounter, parseAllDocuments } = yamlLibrary();
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line + linesBefore;
  try {
    checkYamlDepth(text);
    const options = { ...GO_YAML, uniqueKeys: true, lineCounter: lines };
    const documents = [...parseAllDocuments(text, options)] as Document.Parsed[];
    // Text before a document belongs to it.
    const begins = [0, ...documents.map(({ range }) => range[2])];
    return documents.flatMap((yaml, index) =>
      readDocument(file, yaml, text.slice(begins[index], yaml.range[2]), lineAt),
    );
  } catch (error) {
    const problem = error instanceof RangeError ? "the document is nested too deeply" : wordsOf(error);
    return [{ file, line: linesBefore + 1, problem }];
  }
}

function readDocument(
  file: string,
  yaml: Document.Parsed,
  source: string,
  lineAt: (offset: number) => number,
): Manifest[] {
  const [error] = yaml.errors;
  if (error !== undefined) return [{ file, line: lineAt(error.pos[0]), problem: wordsOf(error) }];
  if (yaml.contents === null) return [];
  const line = lineAt(yaml.contents.range?.[0] ?? yaml.range[0]);
  let value: unknown;
  try {
    ({ value } = parseYaml(source));
  } catch (problem) {
    return [{ file, line, problem: wordsOf(problem) }];
  }
  if (value === null) return [];
  const problem = problemOf(value);
  if (problem !== undefined) return [{ file, line, problem }];
  const object = value as ManifestDocument["value"];
  const lineOf = (path: readonly (string | number)[]): number => {
    const node = yaml.getIn(path, true) as Node | undefined;
    return node?.range == null ? line : lineAt(node.range[0]);
  };
  const document = new EditedDocument(yaml, source, object, objectsIn(object, line, lineOf));
  return [{ file, line, document }];
}

class EditedDocument implements ManifestDocument {
  readonly value: ManifestDocument["value"];
  readonly objects: readonly ManifestObject[];
  readonly lineEnd: "\n" | "\r\n";
  readonly #yaml: Document.Parsed;
  /** The document's text in the file, after its start marker line. */
  readonly #source: string;
  #isChanged = false;

  constructor(
    yaml: Document.Parsed,
    source: string,
    value: ManifestDocument["value"],
    objects: readonly ManifestObject[],
  ) {
    this.value = value;
    this.objects = objects;
    this.#yaml = yaml;
    this.#source = source.replace(BEGINNING, "").replace(END, "\n");
    this.lineEnd = this.#source.includes("\r\n") ? "\r\n" : "\n";
  }

  content(): unknown {
    return this.#isChanged ? parseYaml(String(this.#yaml)).value : this.value;
  }

  edit(path: readonly (string | number)[], old: unknown, value: unknown): void {
    if (equalJson(old, value)) return;
    if (!this.#isChanged && hasAliases(this.#yaml)) expandAliases(this.#yaml);
    this.#isChanged = true;
    editDocument(this.#yaml, path, old, value);
  }

  text(): string {
    const source = this.#source.trim();
    if (!this.#isChanged) return `${this.#source.trimEnd()}${this.lineEnd}`;
    if (isJson(source)) return `${stringifyJson(this.content(), { pretty: source.includes("\n") })}\n`;
    const text = this.#yaml.toString(layoutOf(this.#source.replaceAll("\r\n", "\n"))).replace(BEGINNING, "");
    return this.lineEnd === "\n" ? text : text.replaceAll("\n", "\r\n");
  }
}

/** Directives and the start marker line of a document. */
const BEGINNING = /^\uFEFF?(?:%[^\n]*\n)*(?:---[ \t]*\r?\n)?/;
/** The end marker line of a document. */
const END = /\r?\n\.\.\.[ \t]*(?:\r?\n)*$/;

function isJson(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the objects in a `List` of any objects, or in the list of one kind, whose items need no apiVersion and kind. */
function objectsIn(
  value: ManifestDocument["value"],
  line: number,
  lineOf: (path: readonly (string | number)[]) => number,
): ManifestObject[] {
  const { apiVersion, kind, items } = value;
  if (!kind.endsWith("List") || !Array.isArray(items)) return [{ path: [], line, value, implied: false }];
  return items.map((item: unknown, index): ManifestObject => {
    const path = ["items", index];
    const implied = kind !== "List" && isJsonObject(item) && item.apiVersion === undefined && item.kind === undefined;
    const own = implied ? { apiVersion, kind: kind.slice(0, -"List".length), ...(item as PlainObject) } : item;
    const problem = problemOf(own);
    return {
      path,
      line: lineOf(path),
      value: own as ManifestObject["value"],
      implied,
      ...(problem !== undefined && { problem }),
    };
  });
}

function problemOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return "it is not an object";
  const { apiVersion, kind } = value;
  return typeof apiVersion === "string" && typeof kind === "string" ? undefined : "it has no apiVersion and kind";
}

/** Returns formatting options that match the text: no folded lines, and the same list indentation and brace padding. */
function layoutOf(text: string): ToStringOptions {
  return {
    lineWidth: 0,
    indentSeq: !hasFlatList(text),
    flowCollectionPadding: !/[{[][^\s{}[\]]/.test(text),
  };
}

/** Whether a list has the same indentation as its key. */
function hasFlatList(text: string): boolean {
  let column: number | undefined;
  for (const line of text.split("\n")) {
    const indent = line.search(/[^ ]/);
    if (indent < 0 || line[indent] === "#") continue;
    if (indent === column && line.startsWith("- ", indent)) return true;
    const bare = (line.includes(" #") ? line.slice(0, line.indexOf(" #")) : line).trimEnd();
    column = bare.endsWith(":") && line[indent] !== "-" ? indent : undefined;
  }
  return false;
}

/** Returns the first line of a message without the position, which the line number already contains. */
function wordsOf(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return first.replace(/ at line \d+, column \d+:?$/, "");
}
