import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { inlineFacades } from "../../package/inline-facades.ts";

const folder = mkdtempSync(join(tmpdir(), "typeplane-facades-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILES = {
  "package.json": '{ "type": "module" }',
  "start-aaaaaaaa.js": `const serve$1 = "served";
async function run() {
	const { serve } = await import("./serve-bbbbbbbb.js");
	return serve;
}
export { run, serve$1 as s };
`,
  "serve-bbbbbbbb.js": 'import { s as serve } from "./start-aaaaaaaa.js";\n\nexport { serve };',
  "named.js": 'import { s as serve } from "./start-aaaaaaaa.js";\n\nexport { serve };',
  "code-cccccccc.js":
    'import { s as serve } from "./start-aaaaaaaa.js";\nconst twice = serve + serve;\n\nexport { twice };',
  "main.js": `export { run } from "./start-aaaaaaaa.js";
export const other = async (serve) => (await import("./serve-bbbbbbbb.js")).serve + serve;
export const code = () => import("./code-cccccccc.js");
`,
};

it("imports a module from the file of the bundle that has its code, and removes files that only pass it on", async () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  inlineFacades(folder);
  expect(readdirSync(folder).sort()).toEqual(
    ["code-cccccccc.js", "main.js", "named.js", "package.json", "start-aaaaaaaa.js"].sort(),
  );
  expect(readFileSync(join(folder, "start-aaaaaaaa.js"), "utf8").split("\n")).toHaveLength(7);
  const bundle = await import(pathToFileURL(join(folder, "main.js")).href);
  expect(await bundle.run()).toBe("served");
  expect(await bundle.other("!")).toBe("served!");
  expect((await bundle.code()).twice).toBe("servedserved");
});
