import type { Node } from "ts-morph";
import type { Location } from "./syntax.ts";

/** Where a node starts, and its text (or the text that says best what is meant). */
export function locate(node: Node, file: string, text?: string): Location {
  const { line, column } = node.getSourceFile().getLineAndColumnAtPos(node.getStart());
  return { file, line, column, text: text ?? node.getText() };
}
