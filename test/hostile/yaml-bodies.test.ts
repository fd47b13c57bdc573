import { describe, expect, it } from "vitest";
import { parseLargeYaml } from "../../runtime/encoding/yaml/large-yaml.ts";
import { parseYaml } from "../../runtime/encoding/yaml/parse-yaml.ts";
import { stringifyYaml } from "../../runtime/encoding/yaml/stringify-yaml.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { threadCpuMs } from "../tools/thread-cpu.ts";
import { expectLinear } from "./growth.ts";

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: Math.ceil(count) }, (_, index) => line(index)).join("");
/** Returns lines with increasing indentation, with this number of characters. */
const stairs = (n: number, line: string): string => lines(Math.sqrt(n), (index) => `${" ".repeat(index)}${line}\n`);

/** Documents of about n characters, each a way to make a parser read the same part repeatedly. */
const DOCUMENTS: Readonly<Record<string, (n: number) => string>> = {
  "one line of hashes": (n) => "#".repeat(n),
  "one line of hashes before a percent sign": (n) => `${"#".repeat(n)}\n%`,
  "lines of hashes": (n) => "#\n".repeat(n / 2),
  "comments and empty lines in turn": (n) => `${"# \n \n".repeat(n / 5)}x`,
  directives: (n) => `${lines(n / 20, (i) => `%TAG !a${i}! b\n`)}---\na: 1`,
  "a directive with a long number": (n) => `%YAML ${"1".repeat(n)}`,
  spaces: (n) => " ".repeat(n),
  tabs: (n) => "a:\n".concat("\t\n".repeat(n / 2)),
  "empty lines": (n) => `${"\n".repeat(n)}a: 1`,
  "carriage returns": (n) => `${"\r".repeat(n)}a: 1\r\n`,
  keys: (n) => lines(n / 10, (i) => `k${i}: ${i}\n`),
  "a key that is repeated": (n) => "a: 1\n".repeat(n / 5),
  "a key that is repeated inside braces": (n) => `{${"a: 1,".repeat(n / 5)}}`,
  "a key that is repeated in JSON": (n) => `{${'"a":1,'.repeat(n / 6)}"a":1}`,
  "half a character before escaped quotes": (n) => `{"a":"\\ud83d${'\\"'.repeat(n / 2)}`,
  "half a character after escaped quotes": (n) => `{"a":"${'\\"'.repeat(n / 2)}\\ud83d"}`,
  "escaped slashes": (n) => `{"a":"${"\\/".repeat(n / 2)}"}`,
  quotes: (n) => `{"a":${'"'.repeat(n)}`,
  digits: (n) => `a: ${"1".repeat(n)}`,
  "digits in JSON": (n) => `{"a":${"1".repeat(n)}}`,
  "octal digits": (n) => `a: 0${"7".repeat(n)}`,
  "hexadecimal digits": (n) => `a: 0x${"f".repeat(n)}`,
  "binary digits": (n) => `a: 0b${"1".repeat(n)}`,
  underscores: (n) => `a: 1${"_".repeat(n)}`,
  "numbers of base 60": (n) => `a: 1${":1".repeat(n / 2)}x`,
  "an exponent of many digits": (n) => `a: 1e${"1".repeat(n)}`,
  documents: (n) => "---\na: 1\n".repeat(n / 9),
  "ends of documents": (n) => "...\n".repeat(n / 4),
  "aliases of a scalar": (n) => `a: &a x\nb:\n${"- *a\n".repeat(n / 5)}`,
  "anchors and their aliases": (n) => lines(n / 24, (i) => `k${i}: &k${i} 1\nl${i}: *k${i}\n`),
  "aliases that nobody knows": (n) => `- &b x\n${"- *b\n".repeat(n / 5)}- *a`,
  "aliases of aliases": (n) => `a0: &a0 [x]\n${lines(n / 20, (i) => `a${i + 1}: &a${i + 1} [*a${i}]\n`)}`,
  "merges of merges": (n) => `a0: &a0 {x: 1}\n${lines(n / 25, (i) => `a${i + 1}: &a${i + 1} {<<: *a${i}}\n`)}`,
  "brackets that do not close": (n) => "[".repeat(n),
  "braces that do not close": (n) => "{a: ".repeat(n / 4),
  "items behind brackets that do not close": (n) => `${"[".repeat(200)}${"a,".repeat(n / 2)}`,
  commas: (n) => `[${",".repeat(n)}`,
  colons: (n) => `{${":".repeat(n)}`,
  "question marks": (n) => `[${"? ".repeat(n / 2)}`,
  dashes: (n) => "- ".repeat(n / 2),
  "dashes on lines of their own": (n) => "-\n".repeat(n / 2),
  "a double-quoted string without an end": (n) => `a: "${"x\n ".repeat(n / 3)}`,
  "a single-quoted string without an end": (n) => `a: '${"x\n ".repeat(n / 3)}`,
  "quoted quotes": (n) => `a: '${"''".repeat(n / 2)}'`,
  escapes: (n) => `a: "${"\\x41".repeat(n / 4)}"`,
  "spaces in a string": (n) => `a: "x${" ".repeat(n)}\n y"`,
  "a long word": (n) => `a: ${"x".repeat(n)}`,
  "words on many lines": (n) => `a: ${"x\n ".repeat(n / 3)}`,
  "words and empty lines": (n) => `a: ${"x \n\n ".repeat(n / 5)}`,
  "spaces behind a word": (n) => `a: x${" ".repeat(n)}`,
  "colons in a word": (n) => `a: ${"x:".repeat(n / 2)}`,
  "a block of lines": (n) => `a: |\n${"  x\n".repeat(n / 4)}`,
  "a block of empty lines": (n) => `a: |\n${"\n".repeat(n)} x`,
  "a block of spaces": (n) => `a: |\n${" ".repeat(n)}\n x`,
  "a folded block": (n) => `a: >\n${"  x\n\n    y\n".repeat(n / 11)}`,
  "a block with a long header": (n) => `a: |${"1".repeat(n)}`,
  "a block that is indented more and more": (n) => `a: |\n${stairs(n, "")}x`,
  "maps that are indented more and more": (n) => stairs(n, "a:"),
  "lists that are indented more and more": (n) => stairs(n, "-"),
  "a long tag": (n) => `a: !${"x".repeat(n)} y`,
  "escapes in a tag": (n) => `a: !${"%41".repeat(n / 3)} y`,
  "a long anchor": (n) => `a: &${"x".repeat(n)} y`,
  "many anchors of one node": (n) => "&a ".repeat(n / 3),
  "a comment behind every item": (n) => "- a # x\n".repeat(n / 8),
  "two keys on every line": (n) => "a: b: c\n".repeat(n / 8),
  "lines without a colon": (n) => `${"a\n".repeat(n / 2)}b: 1`,
  "wrong indentation": (n) => `a: 1\n${" b: 2\n".repeat(n / 6)}`,
  "a long key": (n) => `${"a".repeat(n)}: 1`,
  "keys that are null": (n) => "? \n".repeat(n / 3),
  "keys that are lists": (n) => "? [a]\n: 1\n".repeat(n / 10),
  emoji: (n) => `a: ${"😀".repeat(n / 2)}`,
};

describe("YAML is read in linear time", () => {
  for (const [name, document] of Object.entries(DOCUMENTS)) {
    it(`where it is ${name}`, () => expectLinear(document, parseYaml, { size: 50_000 }));
  }
});

describe("large YAML is read on another thread", () => {
  const LARGE: Readonly<Record<string, string>> = {
    "a map with integers beyond 2^53, floats and odd keys": `${lines(20_000, (i) => `key-${i}: value ${i}\n`)}big: 9007199254740993\nfloat: 1.5\n__proto__: {a: [true, ~]}\n`,
    "lists in brackets": `a: [${"{b: c, d: 0x1f},".repeat(20_000)}{}]`,
    "repeated keys": `${lines(10_000, (i) => `key-${i}: 1\n`)}key-1: 2\n`,
    "JSON with escapes": JSON.stringify(Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k"${i}`, i]))),
  };

  for (const [name, text] of Object.entries(LARGE)) {
    it(`with the result it has on this one: ${name}`, async () => {
      const bytes = Buffer.from(text);
      const here = parseYaml(Buffer.from(text));
      await parseLargeYaml(bytes);
      const { value, problems } = parseYaml(bytes);
      expect({ value, problems }).toEqual(here);
    });
  }

  it("and is refused with the same error", async () => {
    const text = `a: [${"{b: c},".repeat(20_000)}{]`;
    const bytes = Buffer.from(text);
    await parseLargeYaml(bytes);
    const messageOf = (read: () => unknown): string => {
      try {
        read();
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    };
    expect(messageOf(() => parseYaml(bytes))).toBe(messageOf(() => parseYaml(text)));
    expect(messageOf(() => parseYaml(bytes))).toContain("yaml: ");
  });

  it.runIf(process.threadCpuUsage)("which takes a fraction of the CPU time of this one", async () => {
    const text = `a: [${"{b: c},".repeat(200_000)}{}]`;
    const timeOf = async (read: (bytes: Buffer) => unknown): Promise<number> => {
      const bytes = Buffer.from(text);
      const before = threadCpuMs();
      await read(bytes);
      return threadCpuMs() - before;
    };
    const here = await timeOf(parseYaml);
    const elsewhere = await timeOf((bytes) => parseLargeYaml(bytes).then(() => parseYaml(bytes)));
    expect(elsewhere / here).toBeLessThan(0.6);
  });
});

describe("YAML is written in linear time", () => {
  const nested = (levels: number): unknown => (levels === 0 ? "x" : { a: nested(levels - 1) });

  it("where it is wide, long or full of what needs quotes", async () => {
    const values: ((n: number) => unknown)[] = [
      (n) => Object.fromEntries(Array.from({ length: n / 10 }, (_, i) => [`key${i}`, i])),
      (n) => Array.from({ length: n / 2 }, () => "a"),
      (n) => "a b ".repeat(n / 4),
      (n) => '"\\\u2028'.repeat(n / 3),
      (n) => "a\n".repeat(n / 2),
      (n) => "1:".repeat(n / 2),
      (n) => "9".repeat(n),
      (n) => ({ ["9".repeat(n)]: 1, [`${"9".repeat(n - 1)}8`]: 2 }),
    ];
    for (const value of values) await expectLinear(value, stringifyYaml, { size: 50_000 });
  });

  it("where it is nested", () =>
    expectLinear((n) => Array.from({ length: n / 1000 }, () => nested(200)), stringifyYaml, { size: 50_000 }));
});

describe("bodies in YAML", () => {
  const MAPS = "/api/v1/namespaces/default/configmaps";
  const { call } = servePlane({ controllers: "true" });

  const head = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

  it("that are alias bombs are refused in every request that takes YAML", async () => {
    const laughs = lines(12, (i) => `a${i}: &a${i} [${i === 0 ? "x" : Array(9).fill(`*a${i - 1}`)}]\n`);
    const wide = `a: &a [${"x,".repeat(3000)}]\nb:\n${"- *a\n".repeat(3000)}`;
    const long = `a: &a ${"x".repeat(20_000)}\nb:\n${"- *a\n".repeat(3000)}`;
    const merged = `a: &a {${lines(1000, (i) => `k${i}: 1,`)}}\nb: {${"<<: *a,".repeat(2000)}}\n`;
    for (const bomb of [laughs, wide, long, merged]) {
      const body = head("bomb") + bomb;
      const requests: [string, string, string][] = [
        ["POST", MAPS, "application/yaml"],
        ["PUT", `${MAPS}/bomb`, "application/yaml"],
        ["PATCH", `${MAPS}/bomb?fieldManager=me`, "application/apply-patch+yaml"],
      ];
      for (const [method, path, type] of requests) {
        const answer = await call(method, path, { type, body });
        expect(answer.status, answer.text.slice(0, 300)).toBe(400);
        expect(answer.body.message).toContain("document contains excessive aliasing");
      }
    }
  });

  it("of a megabyte are stored as they were sent", async () => {
    const value = "x".repeat(100);
    const data = lines(6_000, (i) => `  key-${i}: ${value}\n`);
    const body = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\ndata:\n${data}`;
    const headers = { "Content-Type": "application/yaml" };
    const created = await call("POST", "/api/v1/namespaces/default/configmaps", { body, headers });
    expect(created.status).toBe(201);
    expect(Object.keys((created.body as { data: object }).data)).toHaveLength(6_000);
    const applied = await call("PATCH", "/api/v1/namespaces/default/configmaps/large?fieldManager=a&force=true", {
      body: body.replaceAll(value, "other"),
      headers: { "Content-Type": "application/apply-patch+yaml" },
    });
    expect(applied.status).toBe(200);
    expect((applied.body as { data: Record<string, string> }).data["key-5999"]).toBe("other");
  });

  it("with aliases in moderation are accepted", async () => {
    const body = `${head("aliases")}data: {a: &a text, b: *a, c: *a}\n`;
    const answer = await call("POST", MAPS, { type: "application/yaml", body });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.data).toEqual({ a: "text", b: "text", c: "text" });
  });

  it("with 12,000 repeated keys are answered, with warnings and without", async () => {
    const body = `${head("repeated")}data:\n${"  a: b\n".repeat(12_000)}`;
    const warned = await call("POST", `${MAPS}?fieldValidation=Warn`, { type: "application/yaml", body });
    expect(warned.status, warned.text.slice(0, 300)).toBe(201);
    const strict = await call("POST", `${MAPS}?fieldValidation=Strict`, { type: "application/yaml", body });
    expect(strict.status).toBe(400);
    expect(strict.body.message).toContain('key "a" already set in map');
  });
});
