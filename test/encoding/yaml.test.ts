import { describe, expect, it } from "vitest";
import { parseYaml } from "../../runtime/encoding/yaml/parse-yaml.ts";
import { stringifyYaml } from "../../runtime/encoding/yaml/stringify-yaml.ts";
import { threadCpuMs } from "../tools/thread-cpu.ts";

describe("YAML is read by the rules of version 1.1, as Go reads it", () => {
  it.each([
    ["", null],
    ["a: yes\nb: 'yes'\nc: ~\nd: off", { a: true, b: "yes", c: null, d: false }],
    ["a: 0755\nb: 0x1F\nc: 1_000\nd: 1.5", { a: 493, b: 31, c: 1000, d: 1.5 }],
    ["a: 0o17\nb: -0b11\nc: 08\nd: 1.\ne: .5e1", { a: 15, b: -3, c: 8, d: 1, e: 5 }],
    ["a: 18446744073709551615\nb: 18446744073709551616", { a: 2n ** 64n - 1n, b: 2 ** 64 }],
    ["a: -9223372036854775808\nb: 0xfffffffffffffffff", { a: -(2n ** 63n), b: "0xfffffffffffffffff" }],
    [
      "a: 1e999\nb: -1e999\nc: '1'\nd: 2020-01-01\ne: 1:30",
      { a: "1e999", b: "-1e999", c: "1", d: "2020-01-01", e: "1:30" },
    ],
    ['{"a":1e999,"b":18446744073709551616,"c":9007199254740993}', { a: "1e999", b: 2 ** 64, c: 9007199254740993n }],
    ["a: 1:30\nb: 2001-01-01\nc: 2001-01-01T00:00:00Z", { a: "1:30", b: "2001-01-01", c: "2001-01-01T00:00:00Z" }],
    ["a: 12345678901234567890", { a: 12345678901234567890n }],
    ["name: !!str 5", { name: "5" }],
    ["x: !!binary YWJj", { x: "abc" }],
    ["a: !!timestamp 2020-01-01\nb: !!timestamp '2020-1-2 03:04:05'", { a: "2020-01-01", b: "2020-1-2 03:04:05" }],
    ['{"a":"x\u0085y","b":"x \u2028\u2029 y"}', { a: "x y", b: "x\u2028\u2029y" }],
    ['{\n\t"a" : "b"\n}', { a: "b" }],
    ["1: x\n2.5: why\ntrue: z", { "1": "x", "2.5": "why", true: "z" }],
    ["x: &x {a: 1, b: 1}\nz: {<<: *x, b: 2}", { x: { a: 1, b: 1 }, z: { a: 1, b: 2 } }],
    ["kind: A\n---\nkind: B\n", { kind: "A" }],
    ["a: |\n  x\n  y\nb: >-\n  x\n  y", { a: "x\ny\n", b: "x y" }],
    ['{"json": [1, "two", null, 1.0]}', { json: [1, "two", null, 1] }],
    ['{"json": yes, }', { json: true }],
    ["a: 08\nb: 0o17\nc: 0b11\nd: 1.5e1000\ne: ._5\nf: 5.", { a: 8, b: 15, c: 3, d: "1.5e1000", e: "._5", f: 5 }],
    ["a: !!float 1\nb: !!int '5'\nc: !x 5", { a: 1, b: 5, c: "5" }],
    ["a: c\n<<: {a: b}", { a: "b" }],
    ["<<: [{a: b}, {a: c, d: e}]", { a: "b", d: "e" }],
    ["{a: b} c", { a: "b" }],
    [" a: b\nc: d\n", { a: "b" }],
    [Buffer.from("\ufeffa: \u00e9", "utf16le"), { a: "\u00e9" }],
    [Buffer.from("\ufeffa: b"), { a: "b" }],
  ])("%j", (text, value) => {
    expect(parseYaml(text).value).toEqual(value);
  });

  it("reports keys set twice, without refusing them", () => {
    expect(parseYaml("a: 1\nb: 2\na: 3\n")).toEqual({
      value: { a: 3, b: 2 },
      problems: ['yaml: unmarshal errors:\n  line 3: key "a" already set in map'],
    });
  });

  it("reports keys that are set twice by merging", () => {
    expect(parseYaml("<<: {a: 1}\na:\n  2\n").problems).toEqual([
      'yaml: unmarshal errors:\n  line 3: key "a" already set in map',
    ]);
  });

  it("keeps __proto__ as an ordinary key", () => {
    expect(Object.keys(parseYaml("__proto__: {a: 1}").value as object)).toEqual(["__proto__"]);
  });
});

describe("YAML that cannot be read is explained as Go does", () => {
  it.each([
    ["a: b: c", "yaml: mapping values are not allowed in this context"],
    ["x: 1\ny: a: b", "yaml: line 2: mapping values are not allowed in this context"],
    ["\tx: 1", "yaml: found character that cannot start any token"],
    ["&a [*a]", "yaml: anchor 'a' value contains itself"],
    ["a: *b", "yaml: unknown anchor 'b' referenced"],
    ["%YAML 9\n---\n{}", "yaml: did not find expected digit or '.' character"],
    ["? {a: b}\n: c", 'yaml: invalid map key: map[interface {}]interface {}{"a":"b"}'],
    ['a: "\\q"', "yaml: found unknown escape character"],
    ['a: "\\x"', "yaml: did not find expected hexdecimal number"],
    ['{"a": "\\/"}', "yaml: found unknown escape character"],
    ["{", "yaml: line 1: did not find expected node content"],
    ["{a: b", "yaml: line 1: did not find expected ',' or '}'"],
    ["{a: [b}", "yaml: did not find expected ',' or ']'"],
    ["{a: b c: d}", "yaml: did not find expected ',' or '}'"],
    ['{\n"a": 1\n"b": 2\n}\n', "yaml: line 2: did not find expected ',' or '}'"],
    ["a: [b,,c]", "yaml: did not find expected node content"],
    ["x:\na: ]", "yaml: line 1: did not find expected node content"],
    ["a: ,b", "yaml: did not find expected node content"],
    ["a: b\nc\n  d: e\n", "yaml: line 3: could not find expected ':'"],
    ["a: 'b'  c: d", "yaml: did not find expected key"],
    ["a: {b: c}}", "yaml: did not find expected key"],
    ["a:\n  b: c\n d: e\n", "yaml: line 2: did not find expected key"],
    ["a:\n  - b\n  c: d\n", "yaml: line 2: did not find expected '-' indicator"],
    ["a: b\n  c: d\n", "yaml: line 2: mapping values are not allowed in this context"],
    ["a: b\nc\nd: e\n", "yaml: line 3: could not find expected ':'"],
    ['a: b\n"c" d: e\n', "yaml: line 1: did not find expected key"],
    ["a: - b", "yaml: block sequence entries are not allowed in this context"],
    ["a: b\n- c\n", "yaml: line 1: did not find expected key"],
    ["a: |x\n  b", "yaml: did not find expected comment or line break"],
    ["a: 'b\n", "yaml: line 2: found unexpected end of stream"],
    ["a: b\n\tc: d\n", "yaml: line 2: found a tab character that violates indentation"],
    ["a: &\n", "yaml: did not find expected alphabetic or numeric character"],
    ["a: !<x\n", "yaml: did not find the expected '>'"],
    ["a: !!int x", "yaml: cannot decode !!str `x` as a !!int"],
    ["a: .inf", /^json: unsupported value: \+Inf$/],
    ["a: !!timestamp 2020-13-01", "yaml: cannot decode !!str `2020-13-01` as a !!timestamp"],
    ["a: !!binary x", "yaml: !!binary value contains invalid base64 data"],
    ["a: !!binary eA", "yaml: !!binary value contains invalid base64 data"],
    ["...\na: b", "yaml: did not find expected node content"],
    ["\n...\na: b", "yaml: line 1: did not find expected node content"],
    ['{"a"\n:"b"}', "yaml: line 1: did not find expected ',' or '}'"],
    ["~: b", /^unsupported map key of type: %!s\(<nil>\), key: <nil>, value: "b"$/],
    ["%YAML 1.2\n---\n{}", "yaml: found incompatible YAML document"],
    ["%YAML x\n---\n{}", "yaml: did not find expected version number"],
    ["%FOO\n---\n{}", "yaml: found unknown directive name"],
    ["%YAML 1.1\na: b", "yaml: line 1: did not find expected <document start>"],
    ["a: \u0007", "yaml: control characters are not allowed"],
    [Buffer.from([0x61, 0x3a, 0x20, 0xff]), "yaml: invalid leading UTF-8 octet"],
    [Buffer.from([0x61, 0x3a, 0x20, 0xc3, 0x28]), "yaml: invalid trailing UTF-8 octet"],
    [Buffer.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80]), "yaml: invalid Unicode character"],
    [Buffer.from([0x61, 0x3a, 0x20, 0xc0, 0x80]), "yaml: invalid length of a UTF-8 sequence"],
    [Buffer.from([0x61, 0x3a, 0x20, 0xe2, 0x82]), "yaml: incomplete UTF-8 octet sequence"],
  ])("%j", (text, message) => {
    expect(() => parseYaml(text)).toThrow(message);
  });

  it.each([
    [[0xff], "yaml: invalid leading UTF-8 octet"],
    [[0xc3, 0x28], "yaml: invalid trailing UTF-8 octet"],
    [[0xe2, 0x82], "yaml: incomplete UTF-8 octet sequence"],
  ])("finds the invalid bytes %j behind any number of characters of any width", (bytes, message) => {
    for (const filler of ["a", "é", "€", "😀"]) {
      for (const length of [4090, 4094, 4095, 4096, 4097, 4100, 8191, 8193, 12_290]) {
        const text = `a: ${filler.repeat(Math.ceil(length / Buffer.byteLength(filler)))}`;
        expect(() => parseYaml(Buffer.concat([Buffer.from(text), Buffer.from(bytes)]))).toThrow(message);
        expect(() => parseYaml(Buffer.concat([Buffer.from(text), Buffer.from([...bytes, 0x7a, 0x7a])]))).toThrow(
          "yaml: invalid",
        );
      }
    }
  });

  it("finds invalid bytes at the end of 3 MB without looking at each character", () => {
    const bytes = Buffer.concat([Buffer.from(`a: ${"é".repeat(1_500_000)}`), Buffer.from([0xe2, 0x82])]);
    const before = threadCpuMs();
    expect(() => parseYaml(bytes)).toThrow("yaml: incomplete UTF-8 octet sequence");
    expect(threadCpuMs() - before).toBeLessThan(600);
  });

  it("rejects alias bombs before they expand", () => {
    const lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(",")}]`,
      );
    expect(() => parseYaml(lines.join("\n"))).toThrow("yaml: document contains excessive aliasing");
  });

  it("rejects deep nesting with an error", () => {
    for (const text of [
      "[".repeat(1_000_000),
      "- ".repeat(1_000_000),
      "{a: ".repeat(20_000),
      `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    ]) {
      expect(() => parseYaml(text)).toThrow("yaml: exceeded max depth of 256");
    }
  });

  it("accepts brackets and dashes in strings", () => {
    const text = `a: |\n  ${"[".repeat(5000)}\n  ${"- ".repeat(5000)}x\nb: "${"{".repeat(5000)}"\n`;
    expect(Object.keys(parseYaml(text).value as object)).toEqual(["a", "b"]);
  });
});

describe("YAML is written with sorted keys and flush lists", () => {
  it("reads back as it was", () => {
    const value = {
      b: [{ y: "yes", x: 1 }, "2001-01-01"],
      a: { t: "true", n: null, e: {}, l: [], s: "two\nlines\n", z: "0123", o: "1:30", big: 12345678901234567890n },
    };
    const text = stringifyYaml(value);
    expect(text).toMatch(/^a:\n {2}big: 12345678901234567890\n {2}e: \{\}\n {2}l: \[\]\n/);
    expect(text).toContain('\nb:\n- x: 1\n  "y": "yes"\n- "2001-01-01"\n');
    expect(parseYaml(text).value).toEqual(value);
  });
});

describe("long texts are broken as Go breaks them", () => {
  const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");

  it("at the first space after column 80", () => {
    expect(stringifyYaml({ list: [{ text: words(20) }] })).toBe(`list:\n- text: ${words(15)}\n    ${words(5)}\n`);
    expect(stringifyYaml({ list: [words(20)] })).toBe(`list:\n- ${words(16)}\n  ${words(4)}\n`);
    expect(stringifyYaml({ text: `it is: ${words(20)}` })).toBe(`text: 'it is: ${words(14)}\n  ${words(6)}'\n`);
  });

  it("not without a space, at two spaces, or in a block scalar", () => {
    const long = "x".repeat(120);
    expect(stringifyYaml({ text: long })).toBe(`text: ${long}\n`);
    expect(stringifyYaml({ text: `${long}  y` })).toBe(`text: ${long}  y\n`);
    expect(stringifyYaml({ text: `${words(30)}\n${words(2)}`, z: 1 })).toBe(
      `text: |-\n  ${words(30)}\n  ${words(2)}\nz: 1\n`,
    );
  });

  it("and parse to the same string", () => {
    const values = [words(50), `'${words(40)}'`, `"${words(40)}" é ${words(20)}`, ` ${words(40)} `, `a\t${words(40)}`];
    expect(parseYaml(stringifyYaml({ values })).value).toEqual({ values });
  });
});

describe("keys", () => {
  const keysOf = (...keys: string[]) =>
    stringifyYaml(Object.fromEntries(keys.map((key) => [key, 1])))
      .split("\n")
      .slice(0, -1)
      .map((line) => line.replace(": 1", ""));

  it("are in the order of the numbers that are in them, letters last", () => {
    expect(keysOf("a10", "a1", "a2", "a", "_x", "a-b", "B", "a01", "a_b", "a100")).toEqual([
      "_x",
      "B",
      "a",
      "a-b",
      "a_b",
      "a1",
      "a01",
      "a2",
      "a10",
      "a100",
    ]);
  });

  it("are written as explicit keys if they are long or have several lines", () => {
    const long = "x".repeat(129);
    expect(stringifyYaml({ [long]: { a: [1] }, "b\nc": [2] })).toBe(`? |-\n  b\n  c\n: - 2\n? ${long}\n: a:\n  - 1\n`);
  });
});

describe("numbers", () => {
  it("that are not whole, or too large, are printed as Go prints floats", () => {
    expect(stringifyYaml([1234567.5, 1e21, 0.00001, 2.5, 2 ** 53, -1e-7])).toBe(
      "- 1.2345675e+06\n- 1e+21\n- 1e-05\n- 2.5\n- 9007199254740992\n- -1e-07\n",
    );
  });
});

describe("quotes", () => {
  const line = (text: string) => stringifyYaml({ k: text }).slice("k: ".length, -1);

  it.each([
    ["it's", "it's"],
    ["a'b: c", "'a''b: c'"],
    ["'q'", "'''q'''"],
    ["---x", "'---x'"],
    ["...", "'...'"],
    ["a #b", "'a #b'"],
    ["-a", "-a"],
    ["tab\tx", String.raw`"tab\tx"`],
    ["tab\t\nx", String.raw`"tab\t\nx"`],
    ["😀", String.raw`"\U0001F600"`],
    ["0o7", '"0o7"'],
    ["e1", "e1"],
    [".e1", ".e1"],
    ["+", "+"],
    ["1e3", '"1e3"'],
    ["2020-02-30", "2020-02-30"],
    ["2020-2-3 4:5:6", '"2020-2-3 4:5:6"'],
    ["<<", "<<"],
    ["\x01\x1b\xa0\u2029", String.raw`"\x01\e` + "\xa0" + String.raw`\P"`],
    [" a\nb", "|2-\n   a\n  b"],
    ["\n", "|2+\n"],
    ["a\n\n", "|+\n  a\n"],
    ["a\n", "|\n  a"],
  ])("are those of Go around %j", (text, printed) => {
    expect(line(text)).toBe(printed);
  });
});

describe("where libyaml and newer readers of YAML disagree, libyaml is followed", () => {
  it.each([
    ["{a: 1, b:}", { a: 1, "b:": null }],
    ["a: {b: c}\n...\nd: e", { a: { b: "c" } }],
    ['a: "b\\\n\n  c"', { a: "b\nc" }],
    ["a: 'b\n\n  c'", { a: "b\nc" }],
    ["[a: b, c]", [{ a: "b" }, "c"]],
    ["- ? a\n  : b\n-\n- - c", [{ a: "b" }, null, ["c"]]],
    ["%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 5", { a: "5" }],
    ["a: !<tag:yaml.org,2002:str> 5\nb: !!st%72 6", { a: "5", b: "6" }],
    ["a: |2-\n   b\n  c\n\n", { a: " b\nc" }],
    ["a: >+\n  b\n  c\n\n   d\n\n", { a: "b c\n\n d\n\n" }],
    ["a: b\u2028 c\r\nd: e\x85f: g", { a: "b\u2028c", d: "e", f: "g" }],
    ["--- a\n", "a"],
    ["a: b#c #d", { a: "b#c" }],
    ["-a: b", { "-a": "b" }],
    ["a:\n- b\n- c\nd: e", { a: ["b", "c"], d: "e" }],
    ['"a" : b', { a: "b" }],
    ["&a a: &b b\nc: *b", { a: "b", c: "b" }],
    ["a: &x\nb: *x", { a: null, b: null }],
    ["? a", { a: null }],
    ["!!merge <<: {a: 1}", { a: 1 }],
  ])("%j", (text, value) => {
    expect(parseYaml(text).value).toEqual(value);
  });

  it.each([
    ['{"a": 1', "yaml: line 1: did not find expected ',' or '}'"],
    [": a", "yaml: did not find expected key"],
    ["a: !x!y b", "yaml: found undefined tag handle"],
    ["a: |0\n b", "yaml: found an indentation indicator equal to 0"],
    ["a: |\n\tb", "yaml: line 2: found a tab character where an indentation space is expected"],
    ["a: 'b\n---\nc'", "yaml: line 2: found unexpected document indicator"],
    ["%TAG x y\n---\n", "yaml: did not find expected '!'"],
    ["%YAML 1.1\n%YAML 1.1\n---\n", "yaml: line 1: found duplicate %YAML directive"],
    ["%YAML 111.1\n---\n", "yaml: found extremely long version number"],
    ["a: !%zz b", "yaml: did not find URI escaped octet"],
    ['a: "\\ud83d\\ude00"', "yaml: found invalid Unicode character escape code"],
    [`${"a".repeat(2000)}: b`, "yaml: mapping values are not allowed in this context"],
    ["a: ? b", "yaml: mapping keys are not allowed in this context"],
  ])("%j", (text, message) => {
    expect(() => parseYaml(text)).toThrow(message);
  });
});
