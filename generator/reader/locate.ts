import type { Node } from "ts-morph";
import type { Location } from "./syntax.ts";

/** Where a node starts, and its text (or the text that says best what is meant). */
export function locate(node: Node, file: string, text?: string): Location {
  // The compiler keeps a table of line starts; the wrapper around it would count lines from the top each time.
  const source = node.getSourceFile().compilerNode;
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
  return { file, line: line + 1, column: character + 1, text: text ?? node.getText() };
}
