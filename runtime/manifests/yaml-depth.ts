import { MAX_DEPTH, MAX_READ_DEPTH } from "../encoding/max-depth.ts";
import { YamlError } from "../encoding/yaml/yaml-error.ts";
import { yamlLibrary } from "./yaml-library.ts";

/** Token of the lexer before a scalar: the token after it is text and not an indicator. */
const SCALAR_MARK = "\x1f";

function tooDeep(): YamlError {
  return new YamlError(`exceeded max depth of ${MAX_DEPTH}`);
}

/**
 * Throws a `YamlError` if brackets and indicators on one line are nested too deeply, before the expensive part of parsing. Nesting by indentation
 * needs quadratically many characters, and is checked when the document is converted.
 */
export function checkYamlDepth(text: string): void {
  if (!looksDeep(text)) return;
  const { Lexer } = yamlLibrary();
  let flow = 0;
  let block = 0;
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    if (isText) {
      isText = false;
      continue;
    }
    if (token === SCALAR_MARK) isText = true;
    else if (token === "[" || token === "{") flow++;
    else if (token === "]" || token === "}") flow--;
    else if (flow === 0 && (token === "-" || token === "?" || token === ":")) block++;
    else if (token.startsWith("\n") || token.startsWith("\r")) block = 0;
    if (flow + block > MAX_READ_DEPTH) throw tooDeep();
  }
}

/** Checks the characters only. May return true unnecessarily, but never misses deep nesting. */
function looksDeep(text: string): boolean {
  let open = 0;
  let onLine = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x5b: // [
      case 0x7b: // {
        if (++open > MAX_READ_DEPTH) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        if (open > 0) open--;
        break;
      case 0x2d: // -
      case 0x3f: // ?
      case 0x3a: // :
        if (++onLine > MAX_READ_DEPTH) return true;
        break;
      case 0x0a:
        onLine = 0;
        break;
    }
  }
  return false;
}
