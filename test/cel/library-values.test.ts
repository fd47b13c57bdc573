import { describe, expect, it } from "vitest";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { compile, evaluate, evaluateOn, issuesOf, typeOf } from "./evaluate.ts";

describe("a quantity", () => {
  it.each([
    ["1e3", true],
    ["1Ki", true],
    ["922337203685477580", true],
    // Kubernetes holds these with a negative scale, or as decimals of any size.
    ["1000m", false],
    ["1.5Gi", false],
    ["0.5Ki", false],
    ["1Ei", false],
    ["9223372036854775807", false],
  ])("%s is an integer: %s", (text, is) => {
    expect(evaluate(`quantity('${text}').isInteger()`)).toBe(is);
    expect(evaluate(`quantity('${text}').asInteger() > 0`)).toBe(is || "cannot convert value to integer");
  });

  it.each([
    ["quantity('1.5Gi').add(quantity('0.5Gi')).isInteger()", false],
    ["quantity('1500m').add(quantity('500m')).isInteger()", false],
    ["quantity('1500m').add(quantity('500m')) == quantity('2')", true],
    ["quantity('0').add(quantity('1.5Gi')).isInteger()", false],
    ["quantity('0').add(quantity('2Gi')).asInteger() == 2147483648", true],
    ["quantity('1Ki').sub(1).asInteger() == 1023", true],
    ["quantity('500000000000000000').add(9223372036854775807).isInteger()", false],
    ["quantity('1.5Gi').compareTo(quantity('1536Mi')) == 0 && sign(quantity('-1.5')) == -1", true],
  ])("%s is %s", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it.each([
    // The results of add and sub are compared with others, but not others with them.
    ["quantity('1').add(1) == quantity('2')", true],
    ["quantity('2') == quantity('1').add(1)", "no such overload"],
    ["dyn(quantity('2')) == dyn(quantity('1').add(1))", "no such overload"],
    ["quantity('1') != quantity('1').add(0)", true],
    ["quantity('2') == quantity('1').add(1) || true", true],
    ["quantity('2').compareTo(quantity('1').add(1)) == 0", true],
    ["quantity('1') == dyn(1)", "no such overload"],
    ["dyn(1) == quantity('1')", false],
    ["quantity('1') == null", false],
  ])("equals another: %s is %s", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it("is rounded twice to become a double", () => {
    expect(evaluate("quantity('123456789m').asApproximateFloat()")).toBe(123456789 * 1e-3);
    expect(evaluate("quantity('12345678901234567890').asApproximateFloat()")).toBe(Number(12345678901234569216n));
  });
});

describe("a semantic version", () => {
  it.each([
    ["semver('')", "Version string empty"],
    ["semver('1.2')", "No Major.Minor.Patch elements found"],
    ["semver('a.2.3')", 'Invalid character(s) found in major number "a"'],
    ["semver('1.02.3')", 'Minor number must not contain leading zeroes "02"'],
    ["semver('1.2.x3')", 'Invalid character(s) found in patch number "x3"'],
    ["semver('1..3')", 'strconv.ParseUint: parsing "": invalid syntax'],
    ["semver('99999999999999999999.1.1')", 'strconv.ParseUint: parsing "99999999999999999999": value out of range'],
    ["semver('1.2.3-')", "Prerelease is empty"],
    ["semver('1.2.3-01')", 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ["semver('1.2.3-é')", 'Invalid character(s) found in prerelease "é"'],
    ["semver('1.2.3+')", "Build meta data is empty"],
    ["semver('1.2.3-a+b.é')", 'Invalid character(s) found in build meta data "é"'],
    ["semver('1-a', true)", "short version cannot contain PreRelease/Build meta data"],
  ])("that is malformed is refused with the first fault: %s", (expression, message) => {
    expect(evaluate(`${expression}.major()`)).toBe(message);
  });

  it("gets a patch number if it has only a prerelease", () => {
    expect(evaluate("semver('1.2.-rc', true).compareTo(semver('1.2.0-rc')) == 0 && isSemver('1.2.-rc', true)")).toBe(
      true,
    );
  });

  it("has numbers of 64 bits, the largest of which are negative", () => {
    expect(evaluate("semver('18446744073709551615.1.1').major()")).toBe(-1);
  });
});

describe("strings", () => {
  it("are replaced any number of times", () => {
    expect(evaluate("'aaa'.replace('a', 'b', 9223372036854775807)")).toBe("bbb");
    expect(evaluate("'aaa'.replace('a', 'b', 2)")).toBe("bba");
    expect(evaluate("'aaa'.replace('a', 'b', 0)")).toBe("aaa");
  });

  const NO_TEXT =
    'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string';
  it.each([
    ["'%s'.format([b'\\xff\\x00'])", NO_TEXT],
    ["'%s'.format([[b'\\xff']])", NO_TEXT],
    ["'%s %s'.format([b'é', [b'é']])", 'é [b"é"]'],
    ["'%f %.1f'.format([-0.0, -0.04])", "0.000000 -0.0"],
    ["'%s %s'.format([-0.0, [-0.0]])", "-0 [-0.000000]"],
    ["'%.1f %.1f %.3f'.format([0.25, 0.35, 2.0005])", "0.2 0.3 2.001"],
    ["'%.20f %.0f'.format([0.1, -1234567.5])", "0.10000000000000000555 -1,234,568"],
    ["'%f'.format([123456789012345680000.0])", "123,456,789,012,345,683,968.000000"],
    ["'%.1f %f'.format([1e22, double('-inf')])", "10,000,000,000,000,000,000,000.0 -∞"],
    ["'%s'.format([[1e21, -2.5]])", "[1000000000000000000000.000000, -2.500000]"],
    ["'%e %e'.format([1000000.5, -1000001.5])", "1.000000×10⁰⁶ -1.000002×10⁰⁶"],
    ["'%.20e|%e'.format([0.1, 'Infinity'])", "      1.000000×10⁻⁰¹|     ∞"],
  ])("are made of bytes and numbers: %s", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });
});

describe("membership in an empty list", () => {
  it("is false before the expression runs", () => {
    expect(evaluate("1 / 0 in []")).toBe(false);
    expect(compile("[1].map(x, x)[0] in []").evaluate({}).cost).toBe(0);
  });
});

describe("keys of a map that are doubles", () => {
  it("are found beyond 2^53", () => {
    expect(evaluate("{9.007199254740993e15: 1}[9.007199254740993e15] + {1e300: 1}[1e300] + {1.5: 1}[1.5]")).toBe(3);
  });
});

describe("the last index of a string", () => {
  it("is not looked for in an empty string", () => {
    expect(evaluate("''.lastIndexOf('a')")).toBe("index out of range: -1");
    expect(evaluate("''.lastIndexOf('') + 'a'.lastIndexOf('b') + 'aba'.lastIndexOf('a')")).toBe(1);
  });
});

describe("a double made of a string", () => {
  it.each([
    ["1_000", 1000],
    ["1_0.5_0e1_0", 1.05e11],
    ["0x1p-2", 0.25],
    ["-0X_1F.8p1", -63],
    ["+Inf", Number.POSITIVE_INFINITY],
    ["NaN", Number.NaN],
    ["1__0", undefined],
    ["_1", undefined],
    ["1_.5", undefined],
    ["0x10", undefined],
    ["0xp1", undefined],
    ["+NaN", undefined],
    ["1e999", undefined],
  ])("%s is read as Go does: %s", (text, value) => {
    const expected = value ?? "type conversion error from 'string' to 'double'";
    expect(evaluateOn({ type: "object", properties: { s: { type: "string" } } }, { s: text }, "double(self.s)")).toBe(
      expected,
    );
  });
});

describe("what is charged", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: { id: { type: "string" }, m: { type: "object", additionalProperties: { type: "string" } } },
  };
  const variables = { self: typeOf(schema) };
  const self = { id: "123e4567-e89b-12d3-a456-426614174000", m: { b: "y" } };

  it.each([
    ["format.uri().validate(self.id).hasValue()", 1108],
    ["format.uuid().validate('1').hasValue()", 20],
    ["format.byte().validate('1').hasValue()", 23],
    ["format.date().validate('1').hasValue()", 20],
    ["'é😀'.lastIndexOf('a')", 0],
    ["'\\u00e9\\U0001F600ABCD'.lastIndexOf('a')", 1],
    ["matches(self.id, 'abc')", 3],
    ["self.id.matches('abc')", 6],
  ])("for %s is %d", (expression, cost) => {
    expect(compile(expression, { variables }).evaluate({ self }).cost).toBe(cost);
  });

  it("for a quoted string of unknown size is estimated as if it were empty", () => {
    expect(compile("strings.quote(self.m.b) == ''", { variables }).estimatedCost.max).toBeLessThan(2 ** 61);
    expect(compile("bytes(strings.quote(self.m.b)) == b''", { variables }).estimatedCost.max).toBeLessThan(2 ** 61);
  });
});

describe("the format uri", () => {
  it.each([
    ["", 'parse "": empty url'],
    ["a b", 'parse "a b": invalid URI for request'],
    ["http://a:b/", 'parse "http://a:b/": invalid port ":b" after host'],
    ["http://[::1", "parse \"http://[::1\": missing ']' in host"],
  ])("tells what is wrong with '%s'", (text, problem) => {
    expect(evaluate(`format.uri().validate('${text}').value()[0]`)).toBe(problem);
  });
});

describe("the estimated cost", () => {
  const schema: StructuralSchema = { type: "object", properties: { s: { type: "string" } } };

  it.each([
    ["url('/b') == url('/a')", 3, 3],
    ["url('/a') == [url('/a')][?10].orValue(url('bad'))", 16, 16],
    ["[url('/a')][0] == optional.of(url('/a')).value()", 16, 16],
    ["bytes(dyn(1u)['a'])", 2, 3],
    ["string(dyn(1u)['a'])", 2, 3],
  ])("of %s is %d to %d", (expression, min, max) => {
    const self = typeOf(schema);
    const compiled = compile(expression, { variables: { self }, paths: { root: () => self } });
    expect(compiled.estimatedCost).toEqual({ min, max });
  });
});

describe("an element of a list that may be null", () => {
  const item: StructuralSchema = { type: "object", properties: { k: { type: "string" } }, nullable: true };
  const schema: StructuralSchema = { type: "object", properties: { list: { type: "array", items: item } } };

  it("is an argument of a function that takes any value", () => {
    expect(evaluateOn(schema, { list: [null] }, "optional.of(self.list[0]).hasValue()")).toBe(true);
  });
});

describe("an optional that a condition chose", () => {
  it.each([
    ["optional.of(1).optMap(x, ip('::1')).value()", "(netip.Addr)::1"],
    ["optional.of(1).optMap(x, cidr('10.0.0.0/8')).orValue(cidr('::/0'))", "(netip.Prefix)10.0.0.0/8"],
    ["optional.of(1).optFlatMap(x, optional.of(url('HTTPS://a/b'))).value()", "(*url.URL)https://a/b"],
    ["optional.of(1).optMap(x, quantity('1024Mi')).value()", "(*resource.Quantity)1Gi"],
    ["optional.of(1).optMap(x, semver('v1.2.3+b', true)).value()", "(semver.Version)1.2.3+b"],
    ["(1 < 2 ? optional.of(ip('::1')) : optional.none()).value()", "(netip.Addr)::1"],
  ])("cannot have a value of a library: %s", (expression, value) => {
    expect(evaluate(expression)).toBe(`unsupported conversion to ref.Val: ${value}`);
  });

  it("has no optional in it", () => {
    expect(evaluate("dyn(optional.of(1).optMap(x, optional.of(optional.of(2))).value()) == 2")).toBe(true);
    expect(evaluate("dyn(optional.of(1).optMap(x, optional.none()).value()) == null")).toBe(true);
  });

  it("has a value that is not converted if none chose it", () => {
    expect(evaluate("optional.of(ip('::1')).value().family() + optional.none().orValue(ip('::1')).family()")).toBe(12);
  });
});

describe("orValue", () => {
  const item: StructuralSchema = { type: "object", properties: { w: { type: "number" } } };
  const schema: StructuralSchema = { type: "object", properties: { list: { type: "array", items: item } } };

  it("returns a value of a schema whose numbers are doubles, also where its type is dyn", () => {
    const text = "'%s'.format([self.list.last().orValue(dyn('none'))])";
    expect(evaluateOn(schema, { list: [{ w: 1 }] }, text)).toBe('{"w":1.000000}');
  });
});

describe("issues in the target of optMap", () => {
  it.each([
    ["optional.of(duration('x')).optMap(x, x)", "1:22: invalid duration argument"],
    ["optional.of([1, 'a']).optFlatMap(x, optional.of(x))", "1:17: expected type 'int' but found 'string'"],
    ["optional.of(zz).optMap(x, x)", "1:13: undeclared reference to 'zz' (in container '')"],
  ])("are reported twice: %s", (expression, issue) => {
    expect(issuesOf(expression).match(/^ERROR: <input>:(.*)$/gm)).toEqual([
      `ERROR: <input>:${issue}`,
      `ERROR: <input>:${issue}`,
    ]);
  });

  it("name both functions that a target of another type lacks", () => {
    expect(issuesOf("1.5.optMap(x, x)").match(/^ERROR.*$/gm)).toEqual([
      "ERROR: <input>:1:11: found no matching overload for 'hasValue' applied to 'double.()'",
      "ERROR: <input>:1:11: found no matching overload for 'value' applied to 'double.()'",
    ]);
  });
});
