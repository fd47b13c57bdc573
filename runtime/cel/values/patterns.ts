import { RE2JS } from "re2js";
import { invalidArgument } from "./evaluation-error.ts";

/** Compiled regular expressions, in linear-time syntax. Kept while recent: patterns are few and compiling is slow. */
const compiled = new Map<string, RE2JS>();
const MAX_COMPILED = 1000;
/** Longer patterns are not kept: rules may take them from objects, and each takes many times its length when it is compiled. */
const MAX_KEPT_LENGTH = 1024;

/** A pattern ready to match. Throws if it is not a regular expression. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(pattern);
  } catch (error) {
    throw invalidArgument(`error parsing regexp: ${(error as Error).message.replace(/^error parsing regexp: /, "")}`);
  }
  if (pattern.length > MAX_KEPT_LENGTH) return regex;
  if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value!);
  compiled.set(pattern, regex);
  return regex;
}

/** Whether some part of the text matches. */
export function findsPattern(text: string, pattern: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}
