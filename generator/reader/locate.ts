import type { Node } from "ts-morph";
import type { Location } from "./syntax.ts";

/** Returns the location of a node, with its source or the given text. */
export function locate(node: Node, file: string, text?: string): Location {
  // The compiler keeps a table of line starts; the wrapper would count lines from the start of the file each time.
  const source = node.getSourceFile().compilerNode;
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
  return { file, line: line + 1, column: character + 1, text: text ?? node.getText() };
}
