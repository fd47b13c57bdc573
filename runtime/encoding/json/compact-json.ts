import { escapeForHtml } from "./stringify-json.ts";

const TEXT_OR_SPACE = /"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g;

/** Valid JSON text as it stands in an answer: without space between its parts, everything else as it was written. */
export function compactJson(text: string): string {
  return escapeForHtml(text.replace(TEXT_OR_SPACE, (part) => (part.startsWith('"') ? part : "")));
}
