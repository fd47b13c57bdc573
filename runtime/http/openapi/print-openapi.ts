import { createHash } from "node:crypto";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import type { Steps } from "../../lib/in-turns.ts";

export interface PrintedDocument {
  readonly json: Buffer;
  /** SHA-512 of the bytes, in uppercase hexadecimal. */
  readonly hash: string;
}

/** Objects above this depth are printed member by member, such as `paths` and `components.schemas`. */
const DEPTH = 3;
const CHUNK = 64 * 1024;

/** Prints a document as JSON and hashes it, in steps: a single step would block the event loop for long. */
export function* printOpenApi(document: object): Steps<PrintedDocument> {
  const hash = createHash("sha512");
  const chunks: Buffer[] = [];
  let text = "";
  const flush = (): void => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    chunks.push(chunk);
    text = "";
  };
  for (const part of partsOf(document, DEPTH)) {
    text += part;
    if (text.length < CHUNK) continue;
    flush();
    yield;
  }
  flush();
  return { json: Buffer.concat(chunks), hash: hash.digest("hex").toUpperCase() };
}

/** Prints a document of version 2 in three sections, split where members of `paths` and `definitions` can be inserted. */
export function* printSections(document: object): Steps<[Buffer, Buffer, Buffer]> {
  const sections: Buffer[] = [];
  let chunks: Buffer[] = [];
  let text = "{";
  const flush = (): void => {
    chunks.push(Buffer.from(text));
    text = "";
  };
  let isFirst = true;
  for (const [key, member] of Object.entries(document)) {
    if (member === undefined) continue;
    text += `${isFirst ? "" : ","}${stringifyJson(key)}:`;
    isFirst = false;
    const isCut = key === "paths" || key === "definitions";
    for (const part of partsOf(member, DEPTH - 1)) {
      if (text.length >= CHUNK) {
        flush();
        yield;
      }
      text += part;
    }
    if (!isCut) continue;
    // The closing brace, which was added last, belongs to the next section.
    text = text.slice(0, -1);
    flush();
    sections.push(Buffer.concat(chunks));
    chunks = [];
    text = "}";
  }
  text += "}";
  flush();
  sections.push(Buffer.concat(chunks));
  return sections as [Buffer, Buffer, Buffer];
}

function* partsOf(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    yield stringifyJson(value);
    return;
  }
  let before = "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${stringifyJson(key)}:`;
    yield* partsOf(member, depth - 1);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}
