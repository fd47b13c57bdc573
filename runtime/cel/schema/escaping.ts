const RESERVED = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);
const ESCAPES: Record<string, string> = { __: "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__" };

/** The name a JSON property has in expressions; undefined if it can have none. */
export function escapeName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (RESERVED.has(property)) return `__${property}__`;
  return property.replaceAll(/__|[./-]/g, (part) => ESCAPES[part]!);
}

const UNESCAPES = new Map(Object.entries(ESCAPES).map(([plain, escaped]) => [escaped, plain]));

/** The JSON property that a name in an expression stands for; undefined if its escapes are malformed. */
export function unescapeName(name: string): string | undefined {
  const keyword = /^__([a-z]+)__$/.exec(name)?.[1];
  if (keyword !== undefined && RESERVED.has(keyword)) return keyword;
  let valid = true;
  const property = name.replaceAll(/__[^_]+__/g, (part) => {
    const plain = UNESCAPES.get(part);
    valid &&= plain !== undefined;
    return plain ?? "";
  });
  return valid ? property : undefined;
}
