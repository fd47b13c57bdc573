import { YamlError } from "./yaml-error.ts";
import { yamlLibrary } from "./yaml-library.ts";

/** Nesting no manifest comes near. Go's parser follows ten thousand levels; ours recurses, so it stops earlier. */
const MAX_DEPTH = 1000;
/** What announces a scalar among the lexer's tokens: the token after it is text, not an indicator. */
const SCALAR_MARK = "\x1f";

/** Throws `YamlError` for nesting that would exhaust the stack, before the costly part of parsing begins. */
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
    else if (token === "-" || token === "?" || token === ":") block++;
    else if (token.startsWith("\n") || token.startsWith("\r")) block = 0;
    if (flow + block > MAX_DEPTH) throw new YamlError("exceeded max depth of 10000");
  }
}

/** A look at the characters alone, wrong only on the side of caution. */
function looksDeep(text: string): boolean {
  let open = 0;
  let onLine = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x5b: // [
      case 0x7b: // {
        if (++open > MAX_DEPTH) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        if (open > 0) open--;
        break;
      case 0x2d: // -
      case 0x3f: // ?
      case 0x3a: // :
        if (++onLine > MAX_DEPTH) return true;
        break;
      case 0x0a:
        onLine = 0;
        break;
    }
  }
  return false;
}
