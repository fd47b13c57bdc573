import ts from "typescript";

export interface Unindented {
  readonly text: string;
  /** How many characters were removed from the beginning of each line. */
  readonly removed: readonly number[];
}

/**
 * JavaScript without indentation and without comments that have a line of their own: V8 keeps the text of what it runs. Every line stays
 * where it was, and strings over several lines stay as they are.
 */
export function withoutIndentation(source: string): Unindented {
  const literals = literalsOverLines(source);
  const removed: number[] = [];
  let at = 0;
  let next = 0;
  const lines = source.split("\n").map((line) => {
    while ((literals[next]?.end ?? Infinity) <= at) next++;
    const isInside = (literals[next]?.start ?? Infinity) < at;
    at += line.length + 1;
    const rest = isInside ? line : line.trimStart();
    removed.push(line.length - rest.length);
    return !isInside && /^\/\/(?!#)/.test(rest) ? "" : rest;
  });
  return { text: lines.join("\n"), removed };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** In the order of the text, without overlaps: the expressions inside of a template are code. */
function literalsOverLines(source: string): readonly Range[] {
  const file = ts.createSourceFile("one.js", source, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  const found: Range[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) {
      const start = node.getStart(file);
      if (source.slice(start, node.end).includes("\n")) found.push({ start, end: node.end });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
