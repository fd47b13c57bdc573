import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DYN, INT, listOf, STRING } from "../../runtime/cel/cel.ts";
import { compile } from "./evaluate.ts";

/** A CEL expression with JavaScript code that computes the same. Undefined stands for an error. */
interface Pair<T> {
  readonly cel: string;
  readonly compute: () => T | undefined;
}

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);
const inRange = (value: bigint): bigint | undefined => (value > MAX || value < MIN ? undefined : value);
const lift =
  <A, B, R>(apply: (a: A, b: B) => R | undefined) =>
  (a: A | undefined, b: B | undefined): R | undefined =>
    a === undefined || b === undefined ? undefined : apply(a, b);

const OPERATORS: readonly [string, (a: bigint, b: bigint) => bigint | undefined][] = [
  ["+", (a, b) => inRange(a + b)],
  ["-", (a, b) => inRange(a - b)],
  ["*", (a, b) => inRange(a * b)],
  ["/", (a, b) => (b === 0n ? undefined : inRange(a / b))],
  ["%", (a, b) => (b === 0n || (a === MIN && b === -1n) ? undefined : a % b)],
];

const literal = (value: bigint): Pair<bigint> => ({ cel: `(${value})`, compute: () => value });
const anyInt = fc.oneof(
  fc.bigInt({ min: -100n, max: 100n }),
  fc.bigInt({ min: MIN, max: MAX }),
  fc.constantFrom(MAX, MIN, 2n ** 53n, 2n ** 53n - 1n, -(2n ** 53n)),
);

const { arithmetic } = fc.letrec<{ arithmetic: Pair<bigint> }>((tie) => ({
  arithmetic: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    anyInt.map(literal),
    fc.tuple(fc.constantFrom(...OPERATORS), tie("arithmetic"), tie("arithmetic")).map(([[symbol, apply], a, b]) => ({
      cel: `(${a.cel} ${symbol} ${b.cel})`,
      compute: () => lift(apply)(a.compute(), b.compute()),
    })),
    fc
      .tuple(fc.constantFrom("<", "<=", ">", "=="), tie("arithmetic"), tie("arithmetic"), tie("arithmetic"))
      .map(([symbol, a, b, c]) => ({
        cel: `(${a.cel} ${symbol} ${b.cel} ? ${c.cel} : ${a.cel})`,
        compute: () => {
          const holds = lift((x: bigint, y: bigint) => compareWith(symbol, x, y))(a.compute(), b.compute());
          return holds === undefined ? undefined : holds ? c.compute() : a.compute();
        },
      })),
  ),
}));

function compareWith(symbol: string, a: bigint, b: bigint): boolean {
  return symbol === "<" ? a < b : symbol === "<=" ? a <= b : symbol === ">" ? a > b : a === b;
}

function expectSame<T>({ cel, compute }: Pair<T>, read: (value: unknown) => unknown = (value) => value): void {
  const result = compile(cel).evaluate({}, { budget: Number.POSITIVE_INFINITY });
  expect([cel, result.ok ? read(result.value) : undefined]).toEqual([cel, compute()]);
}

describe("random expressions agree with JavaScript", () => {
  it("in arithmetic of 64 bits, overflow and division by zero included", () => {
    fc.assert(
      fc.property(arithmetic, (pair) => expectSame(pair, (value) => BigInt(value as number))),
      { numRuns: 300 },
    );
  });

  it("in the handling of strings, whatever characters they hold", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 8 });
    fc.assert(
      fc.property(text, text, fc.nat(8), (a, b, i) => {
        const bindings = { a, b, i };
        const variables = { a: STRING, b: STRING, i: INT };
        const value = (expression: string) => {
          const result = compile(expression, { variables }).evaluate(bindings);
          return result.ok ? result.value : undefined;
        };
        const points = [...a];
        expect(value("size(a) + size(b) == size(a + b)")).toBe(true);
        expect(value("size(a)")).toBe(points.length);
        expect(value("a.contains(b)")).toBe(a.includes(b));
        expect(value("(a + b).startsWith(a) && (a + b).endsWith(b)")).toBe(true);
        expect(value("a.substring(i)")).toBe(i > points.length ? undefined : points.slice(i).join(""));
        expect(value("a.split('')")).toEqual(points);
        expect(value("a.split(b).join(b) == a || b == ''")).toBe(true);
        expect(value("b == '' || a.replace(b, '').size() <= a.size()")).toBe(true);
        expect(value("a < b")).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0);
        expect(value("a == string(bytes(a))")).toBe(a.isWellFormed());
      }),
      { numRuns: 200 },
    );
  });

  it("in loops over lists", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 12 }),
        fc.integer({ min: -20, max: 20 }),
        (l, n) => {
          const variables = { l: listOf(INT), n: INT };
          const value = (expression: string) => {
            const result = compile(expression, { variables }).evaluate({ l, n });
            return result.ok ? result.value : undefined;
          };
          expect(value("l.map(x, x * 2 + n)")).toEqual(l.map((x) => x * 2 + n));
          expect(value("l.filter(x, x > n)")).toEqual(l.filter((x) => x > n));
          expect(value("l.all(x, x >= n)")).toBe(l.every((x) => x >= n));
          expect(value("l.exists(x, x == n)")).toBe(l.includes(n));
          expect(value("l.exists_one(x, x == n)")).toBe(l.filter((x) => x === n).length === 1);
          expect(value("n in l")).toBe(l.includes(n));
          expect(value("l + l == l.map(x, x) + l && size(l + l) == 2 * size(l)")).toBe(true);
          expect(value("l.all(x, n / x >= 0 || true)")).toBe(true);
          expect(value("l.sum()")).toBe(l.reduce((a, b) => a + b, 0));
          expect(value("l[n]")).toBe(n >= 0 ? l[n] : undefined);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("whether the types are known or not", () => {
    fc.assert(
      fc.property(arithmetic, fc.jsonValue({ maxDepth: 3 }), ({ cel }, json) => {
        const typed = compile(cel).evaluate({}, { budget: 1e9 });
        const dynamic = compile(cel.replaceAll(/\((-?\d+)\)/g, "dyn($1)")).evaluate({}, { budget: 1e9 });
        expect(dynamic.ok ? dynamic.value : "error").toEqual(typed.ok ? typed.value : "error");
        const self = compile("self == self && dyn(self) == self", { variables: { self: DYN } });
        expect(self.evaluate({ self: json })).toMatchObject({ ok: true, value: true });
      }),
      { numRuns: 150 },
    );
  });
});

describe("random text", () => {
  it("is refused or compiled, and never breaks the compiler", () => {
    const pieces = fc.constantFrom(
      "self",
      ".",
      "a",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "'x'",
      "1",
      "1u",
      "2.5",
      "&&",
      "||",
      "!",
      "-",
      "?",
      ":",
      ",",
      " in ",
      "==",
      "<",
      "has",
      ".all(x, ",
      "//",
      "\n",
      "`",
      "\\",
      "\u2028",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        try {
          const result = compile(parts.join(""), { variables: { self: DYN } }).evaluate({ self: { a: [1] } });
          expect(result).toHaveProperty("ok");
        } catch (error) {
          expect((error as Error).message).toContain("ERROR: ");
        }
      }),
      { numRuns: 2000 },
    );
  });
});
