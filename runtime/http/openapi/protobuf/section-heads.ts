import { delimitedHead } from "./message.ts";

const PATHS = 8;
const DEFINITIONS = 9;

/** What comes before the contents of `paths` and `definitions` in a document of version 2, which are those of all parts together. */
export function sectionHeads(paths: number, definitions: number): Record<"paths" | "definitions", Uint8Array> {
  return { paths: delimitedHead(PATHS, paths), definitions: delimitedHead(DEFINITIONS, definitions) };
}
