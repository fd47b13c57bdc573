import ts from "typescript";

export interface Unindented {
  readonly text: string;
  /** Number of characters that were removed from the start of each line. */
  readonly removed: readonly number[];
}

/**
 * Removes indentation and comments on lines of their own, because V8 keeps the source of code that it runs in memory. Lines keep their
 * numbers, and strings over several lines are not changed.
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

/**
 * Returns the ranges of string and template parts over several lines, in source order and without overlaps. Expressions within templates are
 * code.
 */
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
