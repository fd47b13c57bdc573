import { BOOL, STRING } from "../../types/cel-type.ts";
import { findsPattern } from "../../values/patterns.ts";
import { declare, type FunctionDeclaration, global, member } from "../library.ts";
import { indexOfString } from "../search-string.ts";

const TOTAL = { total: true };
const PAIR = [STRING, STRING];

export const STRINGS: readonly FunctionDeclaration[] = [
  declare(
    "contains",
    member("contains_string", PAIR, BOOL, (text: string, part: string) => indexOfString(text, part) >= 0, TOTAL),
  ),
  declare(
    "endsWith",
    member("ends_with_string", PAIR, BOOL, (text: string, part: string) => text.endsWith(part), TOTAL),
  ),
  declare(
    "startsWith",
    member("starts_with_string", PAIR, BOOL, (text: string, part: string) => text.startsWith(part), TOTAL),
  ),
  declare("matches", global("matches", PAIR, BOOL, findsPattern), member("matches_string", PAIR, BOOL, findsPattern)),
];
