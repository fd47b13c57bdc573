/** A clause of a format string: `%d`, `%.2f`. */
export interface FormatClause {
  readonly verb: FormatVerb;
  readonly precision: number;
}

export type FormatVerb = "s" | "d" | "f" | "e" | "b" | "o" | "x" | "X";

/** A parsed format string: text and clauses alternate, beginning and ending with text. */
export interface FormatTemplate {
  readonly texts: readonly string[];
  readonly clauses: readonly FormatClause[];
  /** The first syntax error. Nothing after it is parsed. */
  readonly problem?: string;
}

export const DEFAULT_PRECISION = 6;
/** Maximum number of digits that JavaScript can print. */
const MAX_PRECISION = 100;
const VERBS = /^[sdfeboxX]$/;

/** Parses a format string. A problem is returned instead of thrown, because evaluation may fail earlier, for a missing argument. */
export function parseTemplate(template: string): FormatTemplate {
  const texts: string[] = [];
  const clauses: FormatClause[] = [];
  let text = "";
  let at = 0;
  for (const { 0: match, 1: digits, 2: verb = "", index } of template.matchAll(/%(?:%|(\.\d*)?([\s\S]?))/g)) {
    text += template.slice(at, index);
    at = index + match.length;
    if (match === "%%") {
      text += "%";
      continue;
    }
    texts.push(text);
    text = "";
    const problem = problemOf(digits, verb);
    if (problem !== undefined) return { texts: [...texts, ""], clauses, problem };
    const precision = digits === undefined ? DEFAULT_PRECISION : Number(digits.slice(1));
    clauses.push({ verb: verb as FormatVerb, precision });
  }
  return { texts: [...texts, text + template.slice(at)], clauses };
}

function problemOf(precision: string | undefined, verb: string): string | undefined {
  if (precision === undefined && verb === "") return "unexpected end of string";
  if (precision !== undefined) {
    const problem = precisionProblem(precision.slice(1), verb);
    if (problem !== undefined) return `could not parse formatting clause: error while parsing precision: ${problem}`;
  }
  if (VERBS.test(verb)) return undefined;
  return `could not parse formatting clause: unrecognized formatting clause "${verb}"`;
}

function precisionProblem(digits: string, verb: string): string | undefined {
  if (verb === "") return "could not find end of precision specifier";
  if (digits === "") return 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
  if (Number(digits) <= MAX_PRECISION) return undefined;
  return `precision ${digits} exceeds maximum allowed precision ${MAX_PRECISION}`;
}

const STRINGS = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";

/** Returns the error of a clause that does not accept a type. */
export function clauseMismatch(verb: FormatVerb, typeName: string): string {
  return `${MISMATCHES[verb]}, was given ${typeName}`;
}

const HEXADECIMAL = "only integers, byte buffers, and strings can be formatted as hex";
const MISMATCHES: Record<FormatVerb, string> = {
  s: `string clause can only be used on ${STRINGS}`,
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  o: "octal clause can only be used on integers",
  x: HEXADECIMAL,
  X: HEXADECIMAL,
};
