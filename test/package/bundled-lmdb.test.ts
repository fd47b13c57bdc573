import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { withoutEval } from "../../package/bundled-lmdb.ts";

type Key = string | number | readonly (string | number)[];

interface KeyCoding {
  toBufferKey(key: Key): Buffer;
  fromBufferKey(bytes: Buffer): Key;
}

const requireOfLmdb = createRequire(createRequire(import.meta.url).resolve("lmdb"));
const path = requireOfLmdb.resolve("ordered-binary");

function load(code: string): KeyCoding {
  const module = { exports: {} };
  new Function("exports", "require", "module", code)(module.exports, requireOfLmdb, module);
  return module.exports as KeyCoding;
}

it("reads keys of LMDB as the installed package does, without evaluating text", () => {
  const code = withoutEval(readFileSync(path, "utf8"));
  expect(code).not.toMatch(/\beval\(/);
  const [bundled, installed] = [load(code), requireOfLmdb("ordered-binary") as KeyCoding];
  const keys: Key[] = [
    "",
    "a",
    "/registry/pods/default/a",
    "k".repeat(47),
    "k".repeat(48),
    "k".repeat(200),
    "é€😀",
    "\u0001\u0004b",
    42,
    ["a", 1, "b"],
  ];
  for (const key of keys) {
    const bytes = installed.toBufferKey(key);
    expect(bundled.toBufferKey(key), String(key)).toEqual(bytes);
    expect(bundled.fromBufferKey(bytes), String(key)).toEqual(key);
    expect(installed.fromBufferKey(bytes), String(key)).toEqual(key);
  }
});

it("refuses a package that is not as expected", () => {
  expect(() => withoutEval("const readString = eval(other());")).toThrow("otherwise than expected");
});
