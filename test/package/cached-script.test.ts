import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { scriptOf } from "../../package/script-chunk.ts";

const folder = mkdtempSync(join(tmpdir(), "typeplane-script-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHUNK = `import { basename as nameOf, join } from "node:path";
import { helper as helper$1 } from "./other.js";
const later = async () => (await import("./other.js")).helper();
function say$1() {
	return [helper$1(), join("a", "b"), nameOf(import.meta.url), "one"].join(" ");
}
function onRequest() {
	return ["r", "e", "q"].map((each) => [each].join("")).join("");
}
export { say$1 as do, later, onRequest };
`;

writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
writeFileSync(join(folder, "other.js"), 'export const helper = () => "help";\n');
writeFileSync(
  join(folder, "main.js"),
  `import { channel } from "node:diagnostics_channel";
import { do as say, later, onRequest } from "./start-aaaaaaaa.js";
console.log(say(), await later());
channel("typeplane.ready").publish({ withInitialFlags: (call) => call() });
// Another function is called while the first requests are answered.
if (process.env.LONG) {
  setTimeout(() => console.log(onRequest()), 1);
  setTimeout(() => undefined, 2_200);
}
`,
);
cpSync(join(import.meta.dirname, "../../package/cached-script.js"), join(folder, "cached-script.js"));

function run(
  chunk = CHUNK,
  cache = join(folder, "cache"),
  more: Readonly<Record<string, string>> = {},
): { readonly out: string; readonly stored: string[] } {
  const { script, module } = scriptOf("start-aaaaaaaa.js", chunk);
  writeFileSync(join(folder, "start-aaaaaaaa.script.js"), script);
  writeFileSync(join(folder, "start-aaaaaaaa.js"), module);
  const environment = { ...process.env, NODE_COMPILE_CACHE: cache, ...more };
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, "main.js")], {
    encoding: "utf8",
    env: environment,
  });
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const stored = files.filter((path) => path.includes("script.js-")).map((path) => join(folder, path));
  return { out: stdout + stderr, stored };
}

it("stores the compiled code of a script, and uses it only if it is undamaged, of the same text, and the user's own", () => {
  const first = run();
  expect(first.out).toBe("help a/b start-aaaaaaaa.js one help\n");
  expect(first.stored).toHaveLength(1);
  const [file = ""] = first.stored;
  const { ino } = statSync(file);
  expect(run().out).toBe(first.out);
  expect(statSync(file).ino).toBe(ino);

  const other = run(CHUNK.replace('"one"', '"two"'));
  expect(other.out).toBe("help a/b start-aaaaaaaa.js two help\n");
  expect(other.stored).toHaveLength(2);

  const bytes = readFileSync(file);
  const damaged = Buffer.from(bytes);
  damaged[bytes.length - 9] = (damaged[bytes.length - 9] ?? 0) ^ 1;
  writeFileSync(file, damaged);
  expect(run().out).toBe(first.out);
  expect(statSync(file).ino).not.toBe(ino);

  chmodSync(file, 0o666);
  expect(run().out).toBe(first.out);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("stores the code of the first requests once, however short the life of the servers before was", () => {
  const cache = join(folder, "requests");
  const stored = (): Stats => {
    const file = readdirSync(cache, { recursive: true, encoding: "utf8" }).find((path) => path.includes("script.js-"));
    return statSync(join(cache, file ?? "none"));
  };
  run(CHUNK, cache);
  const { ino, size } = stored();
  run(CHUNK, cache);
  expect(stored().ino).toBe(ino);
  expect(run(CHUNK, cache, { LONG: "1" }).out).toContain("req");
  const complete = stored();
  expect(complete.size).toBeGreaterThan(size);
  run(CHUNK, cache, { LONG: "1" });
  expect(stored().ino).toBe(complete.ino);
});

it("runs a script where nothing can be stored", () => {
  expect(run(CHUNK, join(folder, "main.js/none")).out).toContain("help a/b start-aaaaaaaa.js one help\n");
});

it("refuses to make a script of a file that exports a variable that changes, or that imports in another way", () => {
  expect(() => scriptOf("x.js", "let a = 1;\nexport { a };\n")).toThrow("x.js exports variables that change");
  expect(() => scriptOf("x.js", 'import "./a.js";\nexport { a };\n')).toThrow("cannot be part of a script");
});
