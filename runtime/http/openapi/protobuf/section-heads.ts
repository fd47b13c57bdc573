import { delimitedHead } from "./message.ts";

const PATHS = 8;
const DEFINITIONS = 9;

/** The tags and lengths of `paths` and `definitions` in a document of version 2. The arguments are the total lengths of all parts. */
export function sectionHeads(paths: number, definitions: number): Record<"paths" | "definitions", Uint8Array> {
  return { paths: delimitedHead(PATHS, paths), definitions: delimitedHead(DEFINITIONS, definitions) };
}
