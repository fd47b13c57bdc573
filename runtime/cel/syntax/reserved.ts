/** Reserved words: not allowed as names of variables and functions, but allowed as names of fields. */
export const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
