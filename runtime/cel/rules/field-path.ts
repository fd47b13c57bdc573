import type { CelSchema } from "../schema/cel-schema.ts";

export type FieldPathResult = { readonly path: string; readonly schema: CelSchema } | { readonly problem: string };

const ESCAPES: Record<string, string> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/** Resolves a path against a schema: names after dots or, if allowed, in `['…']`. Every name must be declared. */
export function resolveFieldPath(text: string, root: CelSchema, allowsBrackets = true): FieldPathResult {
  let schema = root;
  let path = "";
  for (const token of text.matchAll(/\.([^.[\]]+|[.[\]]?)|\[('(?:\\[\s\S]|[^'\\])*'|[^\]]*)(\]?)|([\s\S])/g)) {
    const [, dotted, bracketed, close, other] = token;
    if (other !== undefined) {
      const [word] = /^[^.[\]]*/.exec(text.slice(token.index)) ?? [other];
      return { problem: `expected [ or . but got: ${word || other}` };
    }
    if (bracketed !== undefined && !allowsBrackets) return { problem: "array notation is not allowed" };
    const name = dotted ?? quotedName(bracketed ?? "");
    if (name === "" && dotted !== undefined) return { problem: "unexpected end of JSON path" };
    if (name === undefined) return { problem: `expected single quoted string but got ${bracketed}` };
    if (bracketed !== undefined && close !== "]") return { problem: "unexpected end of JSON path" };
    const next = schema.kind === "map" ? schema.values : schema.kind === "object" ? schema.property(name) : undefined;
    if (next === undefined) return { problem: "does not refer to a valid field" };
    path += schema.kind === "map" ? `[${name}]` : path === "" ? name : `.${name}`;
    schema = next;
  }
  return { path, schema };
}

function quotedName(text: string): string | undefined {
  const match = /^'([\s\S]*)'$/.exec(text);
  if (match === null) return undefined;
  let valid = true;
  const name = match[1]!.replaceAll(/\\([\s\S])/g, (_all, character: string) => {
    valid &&= Object.hasOwn(ESCAPES, character);
    return ESCAPES[character] ?? "";
  });
  return valid ? name : undefined;
}

/** Appends a part to a path. */
export function joinPath(path: string, part: string): string {
  return path === "" ? part : part.startsWith("[") ? `${path}${part}` : `${path}.${part}`;
}
