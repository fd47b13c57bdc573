import type { Source } from "./source.ts";

/** An error in an expression, found before it is evaluated. */
export interface CelIssue {
  /** A stable name of the class of problem, for tools; people and clients read `message`. */
  readonly code: "syntax" | "reference" | "type" | "field" | "literal" | "limit" | "result";
  readonly message: string;
  /** One-based. */
  readonly line: number;
  /** One-based. */
  readonly column: number;
  /** The message with position, source line and caret, as Kubernetes clients see it. */
  readonly display: string;
}

const MAX_REPORTED = 100;
/** Limit for repeated issues, because repetitions may be nested. */
const MAX_REPEATED = 10_000;
/** Longer lines are not shown. */
const MAX_LINE_BYTES = 16_384;
/** Placeholder for issues that are counted but not reported. */
const UNREPORTED: CelIssue = { code: "syntax", message: "", line: Number.MAX_SAFE_INTEGER, column: 0, display: "" };

/** Collects issues of one expression. */
export class IssueList {
  readonly #source: Source;
  readonly #issues: CelIssue[] = [];
  /** Lines that issues refer to, prepared for display. */
  readonly #lines = new Map<number, ShownLine | undefined>();

  constructor(source: Source) {
    this.#source = source;
  }

  add(code: CelIssue["code"], offset: number, message: string): void {
    if (this.#issues.length >= MAX_REPORTED) {
      this.#issues.push(UNREPORTED);
      return;
    }
    // An empty expression, or a missing part, has no position to point at.
    const isEmpty = this.#source.text === "";
    const { line, column } = isEmpty || offset < 0 ? { line: 1, column: -1 } : this.#source.locate(offset);
    const pointer = isEmpty ? "" : pointAt(this.#lineAt(line), column);
    const display = `ERROR: <input>:${line}:${column + 1}: ${message}${pointer}`;
    this.#issues.push({ code, message, line, column: column + 1, display });
  }

  #lineAt(line: number): ShownLine | undefined {
    if (!this.#lines.has(line)) this.#lines.set(line, showLine(this.#source.lineText(line)));
    return this.#lines.get(line);
  }

  /** Adds an issue of the expression as a whole, without a position. */
  addUnplaced(code: CelIssue["code"], message: string): void {
    this.#issues.push({ code, message, line: 0, column: 0, display: `ERROR: :-1:0: ${message}` });
  }

  /** Adds an issue about the type of the result, which is shown without a position. */
  addResult(message: string): void {
    this.#issues.push({ code: "result", message, line: 0, column: 0, display: message });
  }

  get empty(): boolean {
    return this.#issues.length === 0;
  }

  get count(): number {
    return this.#issues.length;
  }

  /** Repeats all issues after the first `count`, for a part of an expression that Kubernetes visits twice. */
  repeatFrom(count: number): void {
    const { length } = this.#issues;
    if (2 * length - count <= MAX_REPEATED) this.#issues.push(...this.#issues.slice(count));
  }

  /** Drops all issues after the first `count`. */
  forgetFrom(count: number): void {
    this.#issues.length = count;
  }

  /** The issues in the order of their positions. */
  sorted(): CelIssue[] {
    return [...this.#issues].sort((a, b) => a.line - b.line || a.column - b.column);
  }
}

/** The error message that Kubernetes returns for the issues of one expression. */
export function formatIssues(issues: readonly CelIssue[]): string {
  const shown = issues.slice(0, MAX_REPORTED).map((issue) => issue.display);
  if (issues.length > MAX_REPORTED) shown.push(`${issues.length - MAX_REPORTED} more errors were truncated`);
  return shown.join("\n");
}

interface ShownLine {
  readonly text: string;
  /** As wide as the text: one narrow or wide dot per code point. */
  readonly dots: string;
}

function showLine(line: string | undefined): ShownLine | undefined {
  if (line === undefined || Buffer.byteLength(line) > MAX_LINE_BYTES) return undefined;
  const text = line.replaceAll("\t", " ");
  return { text, dots: text.replace(/[\s\S]/gu, (character) => (character.charCodeAt(0) > 0x7f ? "．" : ".")) };
}

function pointAt(line: ShownLine | undefined, column: number): string {
  if (line === undefined) return "";
  const { text, dots } = line;
  return `\n | ${text}\n | ${dots.slice(0, Math.max(column, 0))}${dots[column] === "．" ? "＾" : "^"}`;
}
