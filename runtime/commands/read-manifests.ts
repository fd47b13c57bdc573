import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { Document } from "yaml";
import { yamlLibrary } from "../encoding/yaml/yaml-library.ts";

/** One object, or what stands where one was expected, and where it was found. */
export interface Manifest {
  readonly file: string;
  /** Line its document begins at, counted from 1. */
  readonly line: number;
  /** The parsed document; its comments and layout are kept. */
  readonly document: Document;
  /** Why it is no object; undefined when it is one. */
  readonly problem?: string;
}

export interface ManifestSources {
  /** Files, directories (read with all below them), or `-` for standard input. */
  readonly paths: readonly string[];
  readonly stdin: () => string;
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/** Reads every document of every source. Throws what the file system throws for a path that cannot be read. */
export function readManifests({ paths, stdin }: ManifestSources): Manifest[] {
  return paths.flatMap((path) => {
    if (path === "-") return parseManifests("<stdin>", stdin());
    return filesBelow(path).flatMap((file) => parseManifests(file, readFileSync(file, "utf8")));
  });
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && EXTENSIONS.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Documents of one text; empty ones are left out, broken ones say why. */
export function parseManifests(file: string, text: string): Manifest[] {
  const { LineCounter, parseAllDocuments } = yamlLibrary();
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, keepSourceTokens: true, intAsBigInt: false });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document): Manifest[] => {
    const contents = document.contents;
    if (contents === null && document.errors.length === 0) return [];
    const start = contents?.range?.[0] ?? document.range[0];
    const place = { file, line: lines.linePos(start).line, document };
    const [error] = document.errors;
    if (error !== undefined)
      return [{ ...place, line: lines.linePos(error.pos[0]).line, problem: firstLine(error.message) }];
    const value: unknown = document.toJS();
    if (value === null) return [];
    const problem = problemOf(value);
    return [{ ...place, ...(problem !== undefined && { problem }) }];
  });
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== "object" || Array.isArray(value)) return "it is no object";
  const { apiVersion, kind } = value as { apiVersion?: unknown; kind?: unknown };
  if (typeof apiVersion !== "string" || typeof kind !== "string") return "it has no apiVersion and kind";
  return undefined;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
