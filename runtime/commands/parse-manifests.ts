import type { Document, LineCounter, Node, ToStringOptions } from "yaml";
import { yamlLibrary } from "../encoding/yaml/yaml-library.ts";
import type { PlainObject } from "../schema/type-schema.ts";
import type { Manifest } from "./read-manifests.ts";

/** A document that holds an object; comments and layout are kept. */
export interface ManifestDocument {
  readonly value: PlainObject & { readonly apiVersion: string; readonly kind: string };
  /** The objects in it: itself, or the items of a list. */
  readonly objects: readonly ManifestObject[];
  /** For changes; `text` writes it. */
  readonly yaml: Document;
  text(): string;
}

/** One object, where it stands in its document, and on which line of its file. */
export interface ManifestObject {
  readonly path: readonly (string | number)[];
  readonly line: number;
  /** With the apiVersion and kind that its list implies, where it says none itself. */
  readonly value: PlainObject & { readonly apiVersion: string; readonly kind: string };
  readonly implied: boolean;
  /** Why it is no object; undefined when it is one. */
  readonly problem?: string;
}

/** Every document of a text in YAML or JSON that is not empty. */
export function parseManifests(file: string, text: string): Manifest[] {
  const { LineCounter, parseAllDocuments } = yamlLibrary();
  const lines = new LineCounter();
  try {
    const documents = [...parseAllDocuments(text, { lineCounter: lines })] as Document.Parsed[];
    return documents.flatMap((yaml) =>
      readDocument(file, yaml, lines, () => layoutOf(text.slice(yaml.range[0], yaml.range[2]))),
    );
  } catch (error) {
    const problem = error instanceof RangeError ? "it is nested too deeply" : wordsOf(error);
    return [{ file, line: 1, problem }];
  }
}

function readDocument(
  file: string,
  yaml: Document.Parsed,
  lines: LineCounter,
  layout: () => ToStringOptions,
): Manifest[] {
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const [error] = yaml.errors;
  if (error !== undefined) return [{ file, line: lineAt(error.pos[0]), problem: wordsOf(error) }];
  if (yaml.contents === null) return [];
  const line = lineAt(yaml.contents.range?.[0] ?? yaml.range[0]);
  let value: unknown;
  try {
    value = yaml.toJS();
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
  const text = (): string => yaml.toString(layout()).replace(/^---\n/, "");
  return [{ file, line, document: { value: object, objects: objectsIn(object, line, lineOf), yaml, text } }];
}

/** `List` of anything, or the list of one kind, whose items need not say what they are. */
function objectsIn(
  value: ManifestDocument["value"],
  line: number,
  lineOf: (path: readonly (string | number)[]) => number,
): ManifestObject[] {
  const { apiVersion, kind, items } = value;
  if (!kind.endsWith("List") || !Array.isArray(items)) return [{ path: [], line, value, implied: false }];
  return items.map((item: unknown, index): ManifestObject => {
    const path = ["items", index];
    const implied = kind !== "List" && isObject(item) && item.apiVersion === undefined && item.kind === undefined;
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
  if (!isObject(value)) return "it is no object";
  const { apiVersion, kind } = value;
  return typeof apiVersion === "string" && typeof kind === "string" ? undefined : "it has no apiVersion and kind";
}

function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As the text has it: nothing is folded, lists stand under or beside their key, braces hug what they hold or do not. */
function layoutOf(text: string): ToStringOptions {
  return {
    lineWidth: 0,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n(?: *(?:#[^\n]*)?\n)*\1- /m.test(text),
    flowCollectionPadding: !/[{[][^\s{}[\]]/.test(text),
  };
}

/** The first line of a message, without the place, which the line number says. */
function wordsOf(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return first.replace(/ at line \d+, column \d+:?$/, "");
}
