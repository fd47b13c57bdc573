import { expect, it } from "vitest";
import { withBuiltinModules } from "../../package/builtin-modules.ts";

it("gets Node's own modules without importing them, and leaves other imports and strings as they are", () => {
  const text = `import { a as b } from "./start.js";
import { join, basename as nameOf } from "node:path";
import fs from "node:fs";
import * as os from "node:os";
const template = \`
import { it } from "node:test";
\`;
`;
  expect(withBuiltinModules(text)).toBe(`import { a as b } from "./start.js";
const { join, basename: nameOf } = process.getBuiltinModule("node:path");
const fs = process.getBuiltinModule("node:fs");
const os = process.getBuiltinModule("node:os");
const template = \`
import { it } from "node:test";
\`;
`);
});

it("changes nothing in a file with a variable that is called process", () => {
  for (const declared of ["const process = globalThis.process;", 'import process from "node:process";']) {
    const text = `import { join } from "node:path";\n${declared}\njoin("a");\n`;
    expect(withBuiltinModules(text)).toBe(text);
  }
});

it("refuses an import of a default export by name", () => {
  expect(() => withBuiltinModules('import { default as path } from "node:path";\npath();\n')).toThrow("another form");
});
