import { RE2JS } from "re2js";
import { invalidArgument } from "./evaluation-error.ts";

/** Cache of compiled regular expressions in linear-time syntax: patterns are few and compiling is slow. */
const compiled = new Map<string, RE2JS>();
const MAX_COMPILED = 1000;
/** Longer patterns are not cached: rules may take them from objects, and a compiled pattern is many times as large. */
const MAX_KEPT_LENGTH = 1024;

/** Returns a compiled pattern. Throws if it is not a regular expression. */
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

/** Whether any substring matches. */
export function findsPattern(text: string, pattern: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}
