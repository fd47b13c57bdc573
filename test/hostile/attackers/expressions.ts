import type { Random } from "../random.ts";

/** Returns a CEL expression, mostly well-formed, whose calls take long on long strings or many items. */
export function expression(random: Random, root: string, depth = 3): string {
  if (random.chance(0.05)) return random.hostileString(2000);
  const inner = (): string => (depth <= 0 ? atom(random, root) : expression(random, root, depth - 1));
  return random.one(
    () => atom(random, root),
    () => `${inner()} ${random.pick(["==", "!=", "<", "&&", "||", "+", "-", "*", "/", "%", "in"])} ${inner()}`,
    () => `!(${inner()})`,
    () => `(${inner()}) ? (${inner()}) : (${inner()})`,
    () =>
      `${inner()}.${random.pick(["all", "exists", "exists_one", "map", "filter"])}(x, ${expression(random, "x", depth - 1)})`,
    () => `string(${inner()}).${stringCall(random)}`,
    () =>
      `${random.pick(["int", "double", "duration", "timestamp", "bytes", "size", "type", "dyn", "quantity", "ip", "cidr", "url"])}(${inner()})`,
    () => `${inner()}.${stringCall(random)}`,
    () =>
      `[${inner()}, ${inner()}].${random.pick(["sum()", "min()", "isSorted()", "indexOf(1)", "distinct()", "sort()"])}`,
    () => `{"a": ${inner()}, "b": ${inner()}}`,
    () => "(".repeat(random.length(300)) + inner(),
    () => `${inner()}${"+ 1".repeat(random.length(300))}`,
    () => `has(${root}.a) && ${inner()}`,
    () => `cel.bind(y, ${inner()}, y == y)`,
    () => `optional.of(${inner()}).orValue(${inner()})`,
  );
}

function atom(random: Random, root: string): string {
  return random.one(
    () => root,
    () => `${root}.a`,
    () => `${root}.${random.hostileName()}`,
    () => `${root}["${random.hostileName()}"]`,
    () => JSON.stringify(random.hostileString(300)),
    () =>
      random.pick([
        "1",
        "0",
        "-1",
        "9223372036854775807",
        "18446744073709551615u",
        "1.5",
        "1e308",
        "true",
        "null",
        "b'x'",
        "[]",
        "{}",
      ]),
    () => `'${"a".repeat(random.length(5000))}'`,
    () => `r"${pattern(random)}"`,
  );
}

function stringCall(random: Random): string {
  const text = (): string => JSON.stringify(random.hostileString(200));
  return random.one(
    () => random.pick(["trim()", "lowerAscii()", "upperAscii()", "reverse()", "size()", "charAt(0)"]),
    () => `matches(${JSON.stringify(pattern(random))})`,
    () => `find(${JSON.stringify(pattern(random))})`,
    () => `findAll(${JSON.stringify(pattern(random))})`,
    () => `replace(${text()}, ${text()})`,
    () => `split(${text()})`,
    () => `contains(${text()})`,
    () => `startsWith(${text()})`,
    () => `indexOf(${text()})`,
    () => `substring(${random.pick([0, 1, -1, 99])})`,
    () => `format([${text()}])`,
  );
}

/** Returns a regular expression that takes exponential time in a backtracking engine, or one that no engine supports. */
export function pattern(random: Random): string {
  return random.one(
    () =>
      random.pick([
        "^(a+)+$",
        "(a|aa)+$",
        "(a|a?)+b",
        "(.*a){20}",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(x+x+)+y",
        "\\s+$",
        "^[\\s\\u200c]+|[\\s\\u200c]+$",
      ]),
    () =>
      random.pick([
        "a{1000}",
        "(a{100}){100}",
        "(?i)ß",
        "[[:alpha:]]+",
        "\\p{L}+",
        "(?P<n>a)",
        "\\Qx\\E",
        "\\C",
        "\\z",
        "(?s).*",
      ]),
    () =>
      random.pick([
        "(?=a)",
        "(?<!a)b",
        "\\1",
        "(?>a)",
        "a++",
        "[",
        "(",
        "a{2,1}",
        "*",
        "\\",
        "(?",
        "[z-a]",
        "\\x{110000}",
      ]),
    () => `${"(".repeat(random.length(500))}a${")".repeat(random.length(500))}`,
    () => "a?".repeat(random.length(500)) + "a".repeat(random.length(500)),
    () => `[${random.hostileString(200)}]*`,
    () => random.hostileString(500),
  );
}
