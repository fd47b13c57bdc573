import { INT, listOf, STRING } from "../types/cel-type.ts";
import { EvaluationError, invalidArgument } from "../values/evaluation-error.ts";
import { compilePattern } from "../values/patterns.ts";
import { declare, type Library, member } from "./library.ts";

function compiled(pattern: string): ReturnType<typeof compilePattern> {
  try {
    return compilePattern(pattern);
  } catch (error) {
    throw error instanceof EvaluationError ? invalidArgument(`Illegal regex: ${error.message}`) : error;
  }
}

function find(text: string, pattern: string): string {
  const matcher = compiled(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

function findAll(text: string, pattern: string, limit = -1): string[] {
  const matcher = compiled(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}

/** Functions that return matches of a pattern. (Whether a pattern matches is the standard function `matches`.) */
export const regexLibrary: Library = {
  name: "regex",
  functions: [
    declare("find", member("string_find_string", [STRING, STRING], STRING, find)),
    declare(
      "findAll",
      member("string_find_all_string", [STRING, STRING], listOf(STRING), findAll),
      member("string_find_all_string_int", [STRING, STRING, INT], listOf(STRING), findAll),
    ),
  ],
};
