const RESERVED = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);
const ESCAPES: Record<string, string> = { __: "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__" };

/** Returns the name of a JSON property in expressions. Undefined if it cannot have one. */
export function escapeName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (RESERVED.has(property)) return `__${property}__`;
  return property.replaceAll(/__|[./-]/g, (part) => ESCAPES[part]!);
}
