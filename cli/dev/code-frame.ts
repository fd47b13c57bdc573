import type { Diagnostic } from "../../generator/diagnostics.ts";

/** Number of lines shown before the line with the problem. */
const BEFORE = 2;

/** Formats a diagnostic with the surrounding lines of the file. Editors and terminals recognize the location in the first line as a link. */
export function renderWithFrame(diagnostic: Diagnostic, text: string | undefined): string {
  const { at, severity, code, message, expected, suggestion } = diagnostic;
  const lines = [`${at.file}:${at.line}:${at.column} ${severity} ${code}: ${message}`];
  if (text !== undefined) lines.push(...frame(text.split("\n"), at.line, at.column));
  lines.push(`  expected: ${expected}`);
  if (suggestion !== undefined) lines.push(`  did you mean ${suggestion}?`);
  return lines.join("\n");
}

function frame(lines: readonly string[], line: number, column: number): string[] {
  if (line > lines.length) return [];
  const first = Math.max(1, line - BEFORE);
  const width = String(line).length;
  const shown = lines.slice(first - 1, line).map((text, index) => {
    const number = first + index;
    return `${number === line ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd();
  });
  return [...shown, `  ${" ".repeat(width)} | ${" ".repeat(Math.max(0, column - 1))}^`];
}
