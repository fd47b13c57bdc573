/** Words that name no variable and no function, though fields may be called so. */
export const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
