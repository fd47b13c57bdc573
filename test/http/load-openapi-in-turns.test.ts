import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = new URL("../../runtime/", import.meta.url);

/** Prints the loaded modules about OpenAPI, by event loop turn. */
const SCRIPT = `
import { registerHooks } from "node:module";
const turns = [[]];
registerHooks({
  load(url, context, next) {
    if (/\\/runtime\\/(?:.*\\/)?openapi\\//.test(url)) turns.at(-1).push(url.slice(url.indexOf("/runtime/")));
    return next(url, context);
  },
});
let isDone = false;
const count = () => {
  turns.push([]);
  if (!isDone) setImmediate(count);
};
setImmediate(count);
const { loadOpenApiInTurns } = await import("${new URL("http/openapi/load-in-turns.ts", ROOT).href}");
const { serveOpenApi } = await loadOpenApiInTurns();
isDone = true;
console.log(JSON.stringify({ type: typeof serveOpenApi, turns: turns.filter((turn) => turn.length > 0) }));
`;

it("loads the modules that make OpenAPI documents a few at a time, without what only the thread that encodes them needs", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", SCRIPT],
    { cwd: fileURLToPath(ROOT), timeout: 60_000 },
  );
  const { type, turns } = JSON.parse(stdout) as { type: string; turns: string[][] };
  expect(type).toBe("function");
  expect(turns.flat().length).toBeGreaterThan(20);
  expect(Math.max(...turns.map(({ length }) => length)), JSON.stringify(turns, undefined, 1)).toBeLessThanOrEqual(8);
  expect(stdout).not.toMatch(/protobuf\/document-v[23]/);
});
