import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "typeplane-lmdb-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the output of a separate process. In its script, `lmdb` is LMDB, and `isLoaded` returns whether MessagePack is loaded. */
function run(before: string, after: string): unknown {
  const module = new URL("../../runtime/store/embedded/load-lmdb.ts", import.meta.url);
  const script = `
    import { createRequire } from "node:module";
    import { loadLmdb } from ${JSON.stringify(module.href)};
    const require = createRequire(${JSON.stringify(module.href)});
    const isLoaded = () => Object.keys(require.cache).some((path) => path.includes("/msgpackr/"));
    const path = ${JSON.stringify(directory)} + "/" + process.pid;
    ${before}
    const lmdb = loadLmdb();
    ${after}`;
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e"];
  return JSON.parse(execFileSync(process.execPath, [...flags, script], { encoding: "utf8" }));
}

it("loads LMDB without MessagePack, which tables of bytes do not use", () => {
  const printed = run(
    "",
    `const table = lmdb.open({ path, encoding: "binary" });
    await table.put("a", Buffer.from("bytes"));
    console.log(JSON.stringify({ value: table.get("a").toString(), isLoaded: isLoaded() }));`,
  );
  expect(printed).toEqual({ value: "bytes", isLoaded: false });
});

it("loads MessagePack for a table that another user of LMDB in the process opens with it", () => {
  const printed = run(
    "",
    `const table = require("lmdb").open({ path });
    await table.put("a", { one: [1, "two"] });
    console.log(JSON.stringify({ value: table.get("a"), isLoaded: isLoaded(), again: loadLmdb() === lmdb }));`,
  );
  expect(printed).toEqual({ value: { one: [1, "two"] }, isLoaded: true, again: true });
});

it("uses the LMDB that is loaded already, with its MessagePack", () => {
  const printed = run(
    'const first = require("lmdb");',
    "console.log(JSON.stringify({ isSame: lmdb === first, isLoaded: isLoaded() }));",
  );
  expect(printed).toEqual({ isSame: true, isLoaded: true });
});
