import { describe, expect, it } from "vitest";
import { CompiledExpression, createEnvironment, DYN, type Evaluation, listOf, STRING } from "../../runtime/cel/cel.ts";
import { toJson } from "../../runtime/cel/values/to-json.ts";
import { threadCpuMs } from "../tools/thread-cpu.ts";
import { expectLinear } from "./growth.ts";

const variables = { s: STRING, t: STRING, list: listOf(STRING), other: listOf(STRING), any: DYN };
const environment = createEnvironment({ variables });

function compile(expression: string): CompiledExpression {
  const compiled = environment.compile(expression);
  if (!(compiled instanceof CompiledExpression)) throw new Error(`${expression} does not compile`);
  return compiled;
}

/** A list that contains another list twice, which contains a third one twice, and so on. Its memory is proportional to its depth. */
const doubled = (leaf: string, depth = 40): string => `[${leaf}]${".map(x, [x, x])".repeat(depth)}`;

describe("a value that holds the same parts many times", () => {
  it.each([
    ["1", "A == A"],
    ["1", "A != A"],
    ["1", "dyn(A) == dyn(A)"],
    ["duration('1s')", "A == A"],
    ["1", "{'a': A} == {'a': A}"],
    ["1", "optional.of(A) == optional.of(A)"],
    ["1", "A in [A]"],
    ["1", "[A].indexOf(A) == 0"],
    ["[]", "[A].indexOf(A) == 0"],
    ["1", "[A].lastIndexOf(A) == 0"],
    ["1", "sets.contains([A], [A])"],
    ["duration('1s')", "sets.equivalent([A], [A])"],
    ["1", "'%s'.format([A]) != ''"],
    ["{}", "'%s'.format([A]) != ''"],
    ["1.0", "type(A) == type([1.0])"],
    ["b'a'", "[dyn(A)] != []"],
  ])("costs what visiting them takes, for lists of %s in %s", (leaf, expression) => {
    const { error, cost } = compile(expression.replaceAll("A", doubled(leaf))).evaluate({}) as Evaluation & {
      ok: false;
    };
    expect(error.code).toBe("cost_exceeded");
    expect(cost).toBeLessThan(3_000_000);
  });

  it("is no JSON", () => {
    const evaluation = compile(doubled("1")).evaluate({});
    expect(() => toJson((evaluation as Evaluation & { ok: true }).value)).toThrow("actual cost limit exceeded");
  });

  it("costs nothing more if it has few parts", () => {
    expect(compile(`${doubled("1", 3)} == ${doubled("1", 3)}`).evaluate({})).toMatchObject({
      ok: true,
      value: true,
      cost: 2 * compile(doubled("1", 3)).evaluate({}).cost + 1,
    });
  });
});

const repeat = (unit: string) => (size: number) => unit.repeat(size);
/** Strings that make a parser backtrack. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  zeros: repeat("0"),
  "digits that do not end well": (size) => `${"1".repeat(size)}!`,
  spaces: (size) => `a${" ".repeat(size)}a`,
  "dots and digits": repeat("1."),
  colons: repeat(":0"),
  slashes: (size) => `//${"/".repeat(size)}`,
  "units of time": repeat("1s"),
  "letters beyond ASCII": repeat("é😀"),
  "percent signs": repeat("%s"),
  quotes: repeat('"\\'),
};

describe("functions of expressions take linear time on any string", () => {
  const expressions = [
    "s.trim()",
    "double(s)",
    "int(s)",
    "uint(s)",
    "duration(s)",
    "timestamp(s)",
    "bytes(s)",
    "string(bytes(s))",
    "bool(s)",
    "s.lowerAscii()",
    "s.upperAscii()",
    "s.split('0')",
    "s.split('')",
    "s.split(',', 1000000)",
    "s.replace('0', 'x')",
    "s.replace('', 'x')",
    "s.replace('', 'x', 1000000)",
    "s.replace('0', 'x', 1000000)",
    "s.indexOf(t)",
    "s.lastIndexOf(t)",
    "s.contains(t)",
    "s.split(t)",
    "s.replace(t, 'x')",
    "s.substring(1)",
    "s.charAt(1)",
    "strings.quote(s)",
    "s.format([])",
    "s.format([s, s])",
    "s.matches('(a*)*b')",
    "s.find('[0-9]+!')",
    "url(s)",
    "isURL(s)",
    "ip(s)",
    "isIP(s)",
    "cidr(s)",
    "isCIDR(s)",
    "quantity(s)",
    "isQuantity(s)",
    "semver(s)",
    "isSemver(s)",
    "format.dns1123Label().validate(s)",
    "format.dns1123Subdomain().validate(s)",
    "format.qualifiedName().validate(s)",
    "format.labelValue().validate(s)",
    "format.uri().validate(s)",
    "format.uuid().validate(s)",
    "format.byte().validate(s)",
    "format.date().validate(s)",
    "format.datetime().validate(s)",
  ];
  it.each(expressions)("%s", async (expression) => {
    const compiled = compile(expression);
    const budget = { budget: Number.MAX_SAFE_INTEGER };
    for (const [shape, make] of Object.entries(SHAPES)) {
      await expectLinear(
        (size) => {
          const s = make(size);
          return { s, t: `${s.slice(0, s.length / 2)}b${s.slice(0, s.length / 2)}`, list: [], other: [], any: null };
        },
        (bindings) => {
          const result = compiled.evaluate(bindings, budget);
          if (!result.ok && result.error.code === "cost_exceeded") expect(shape).toBe("");
        },
        { size: 4000 },
      );
    }
  });

  it.each(["sets.contains(list, other)", "sets.equivalent(list, other)", "sets.intersects(list, other)"])(
    "%s",
    async (expression) => {
      const compiled = compile(expression);
      await expectLinear(
        (size) => {
          const list = Array.from({ length: size }, (_, index) => `n${index}`);
          return { s: "", t: "", list, other: list.toReversed().map((item) => `${item}!`), any: null };
        },
        (bindings) => compiled.evaluate(bindings, { budget: Number.MAX_SAFE_INTEGER }),
        { size: 5000 },
      );
    },
  );
});

describe("an expression that would take too long is stopped before it does", () => {
  const s = "a".repeat(300_000);
  const list = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
  it.each([
    ["a set of 100,000 in another", "sets.contains(list, other)"],
    ["a search for a long string in a longer one", "s.contains(s + 'b' + s)"],
    ["a string that grows by itself", "s.replace('a', s).replace('a', s)"],
    ["a list joined by a long string", "list.join(s)"],
    ["a long string written often", `'${"%s".repeat(500)}'.format([${"s, ".repeat(499)}s])`],
    [
      "a list that grows by itself",
      "[list].map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).size() > 0",
    ],
    ["a list in every place of a list", "list.map(x, list).map(x, list + list + list).size() > 0"],
    ["a string that is put together in a loop", "list.map(x, s + s).size() > 0"],
    ["loops in loops", "list.all(a, list.all(b, list.all(c, a == b || b == c || true)))"],
    ["a pattern in a loop", "list.all(x, s.matches('a*a*a*b') || true)"],
  ])("%s", (_what, expression) => {
    const compiled = compile(expression);
    const start = threadCpuMs();
    const result = compiled.evaluate({ s, t: s, list, other: list, any: null });
    expect(result.ok ? "a value" : result.error.code).toBe("cost_exceeded");
    expect(threadCpuMs() - start).toBeLessThan(5000);
  });
});

describe("reading an expression takes bounded time", () => {
  it.each<[string, (size: number) => string]>([
    ["parentheses", (n) => `${"(".repeat(n)}1${")".repeat(n)}`],
    ["parentheses that stay open", (n) => "(".repeat(n)],
    ["lists in lists", (n) => "[".repeat(n) + "]".repeat(n)],
    ["lists that stay open", (n) => "[".repeat(n)],
    ["maps in maps", (n) => `${"{1:".repeat(n)}1${"}".repeat(n)}`],
    ["conditionals", (n) => `${"true?".repeat(n)}1${":1".repeat(n)}`],
    ["conditionals one after another", (n) => `${"true?1:".repeat(n)}1`],
    ["signs", (n) => `${"-".repeat(n)}1`],
    ["negations", (n) => `${"!".repeat(n)}true`],
    ["sums", (n) => `${"1+".repeat(n)}1`],
    ["ands", (n) => `${"true&&".repeat(n)}true`],
    ["comparisons", (n) => `${"1<".repeat(n)}1`],
    ["members", (n) => `any${".a".repeat(n)}`],
    ["indexes", (n) => `any${"[0]".repeat(n)}`],
    ["calls", (n) => `any${".f()".repeat(n)}`],
    ["calls in calls", (n) => `${"size(".repeat(n)}s${")".repeat(n)}`],
    ["macros in macros", (n) => `${"[1].all(x,".repeat(n)}true${")".repeat(n)}`],
    ["a long string", (n) => `'${"a".repeat(n)}'`],
    ["a string that stays open", (n) => `'${"\\'".repeat(n)}`],
    ["escapes", (n) => `'${"\\n".repeat(n)}'`],
    ["a long number", (n) => "9".repeat(n)],
    ["a long fraction", (n) => `1.${"9".repeat(n)}e9999`],
    ["a long name", (n) => "a".repeat(n)],
    ["blanks", (n) => `${" ".repeat(n)}1`],
    ["comments", (n) => `${"//\n".repeat(n)}1`],
    ["signs that mean nothing", (n) => "@#$".repeat(n)],
    ["commas", (n) => `[${"1,".repeat(n)}]`],
  ])("of %s", async (_what, make) => {
    await expectLinear(make, (text) => environment.compile(text), { size: 2000, boundMs: 5000 });
    const start = threadCpuMs();
    environment.compile(make(2_000_000));
    expect(threadCpuMs() - start).toBeLessThan(1000);
  });
});
