import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";

/** A field of a generated interface: its TypeScript type, and valid and invalid values. */
export interface MadeField {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
  readonly good: (random: Random) => unknown;
  readonly bad: (random: Random) => unknown;
  /** Whether every stored object has the field. If it is unset, columns of a cluster are empty, and zero here. */
  readonly isAlwaysSet: boolean;
  /** Type of a column that can show the field. */
  readonly column?: "string" | "integer" | "number" | "boolean";
  readonly canBeSelected?: boolean;
}

/** Declarations of a file, and the fields of each interface in it. */
export interface MadeTypes {
  readonly texts: string[];
  readonly interfaces: Map<string, readonly MadeField[]>;
}

type Values = Pick<MadeField, "good" | "bad"> & Partial<Pick<MadeField, "column" | "canBeSelected">>;
interface Made extends Values {
  readonly type: string;
  readonly defaults?: readonly (string | number | boolean)[];
}

const of = (good: readonly unknown[], bad: readonly unknown[]): Values => ({
  good: (random) => random.pick(good),
  bad: (random) => random.pick(bad),
});
const text = { column: "string", canBeSelected: true } as const;
const count = { column: "integer", canBeSelected: true } as const;

/**
 * Excludes values that both servers intentionally treat differently (docs/guides/kubernetes.md): null; empty lists, maps and strings that
 * mean unset; integers out of range; and times, durations and quantities that are not canonical.
 */
const SCALARS: readonly Made[] = [
  { type: "string", ...of(["a", "", "ä b", "x".repeat(40)], [1, true, ["a"], { a: 1 }]), ...text, defaults: ["d", ""] },
  { type: "string & MinLength<2> & MaxLength<4>", ...of(["ab", "äöü", "abcd"], ["a", "abcde", "äöüßx"]), ...text },
  {
    type: 'string & Pattern<"^[a-z]+[0-9]*$">',
    ...of(["a", "abc9"], ["A", "", "9", "a-b"]),
    ...text,
    defaults: ["p1"],
  },
  { type: 'string & Format<"dns1123-label">', ...of(["a", "a-b"], ["A", "-a", "a".repeat(64)]), ...text },
  { type: 'string & Format<"uuid">', ...of(["00000000-0000-4000-8000-000000000000"], ["x", ""]) },
  {
    type: '"Red" | "Green" | "Blue"',
    ...of(["Red", "Green", "Blue"], ["Black", "", "red", 1]),
    ...text,
    defaults: ["Red"],
  },
  { type: 'Open<"Fast" | "Slow">', ...of(["Fast", "other", ""], [1, {}]), ...text, defaults: ["Slow"] },
  {
    type: "boolean",
    ...of([true, false], ["true", 1, {}]),
    column: "boolean",
    canBeSelected: true,
    defaults: [true, false],
  },
  { type: "Int32", ...of([0, 5, -3, 2_147_483_647], ["1", 1.5, true]), ...count, defaults: [0, 7] },
  { type: "Int32 & Minimum<1> & Maximum<10>", ...of([1, 10, 4], [0, 11, -1, "4"]), ...count, defaults: [3] },
  { type: "Int64", ...of([0, 2 ** 40, -9], ["1", 0.5]), ...count, defaults: [1] },
  { type: "Integer & Minimum<0>", ...of([0, 9], [-1, 0.5]), ...count },
  { type: "Double & Maximum<1.5>", ...of([0.5, 1, -2.25, 1.5], [1.75, "0.5"]), column: "number", defaults: [0.25] },
  { type: "Numeric", ...of([3, 2.5], ["x", true]), column: "number" },
  { type: "Schema<{ multipleOf: 3 }> & Int32", ...of([3, -6, 0], [1, 4]), ...count },
  { type: "Bytes", ...of(["eA==", "AAEC"], ["%", 5]) },
  { type: "Time", ...of(["2030-01-01T00:00:00Z"], ["yesterday", "", 5]) },
  { type: "Duration", ...of(["1h0m0s", "0s", "5s"], ["1 day", 5]) },
  { type: "IntOrString", ...of([80, "http", "10%"], [true, 1.5, ["a"]]), defaults: [80, "25%"] },
  { type: "RawObject", ...of([{ a: 1 }, { a: { b: [1, null] } }], ["a", 5, ["a"]]) },
  { type: "Json", ...of([{ a: [1] }, 5, "a", [true], false], []) },
  { type: 'string & MaxLength<9> & Rule<"self != \'no\'", "must not be no">', ...of(["yes", ""], ["no"]), ...text },
  {
    type: `Int32 & Rule<"self % 2 == 0", never, { messageExpression: "self > 0 ? 'odd' : 'negative'"; reason: "FieldValueForbidden" }>`,
    ...of([0, 2, -4], [1, 3]),
    ...count,
  },
  { type: 'Int32 & Rule<"self >= oldSelf", "must not go back">', ...of([1, 2, 3], ["1"]), ...count },
  { type: "string & Immutable & MinLength<1>", ...of(["i", "j"], ["", 5]), ...text },
  { type: 'string & Deprecated<"use another">', ...of(["old"], [1]) },
];

const LISTS: readonly Made[] = [
  { type: "string[]", ...of([["a"], ["a", "a"]], [["a", 1], "a", { a: 1 }]) },
  { type: "Int32[] & MaxItems<2> & MinItems<1>", ...of([[1], [2, 1]], [[1, 2, 3], ["1"]]) },
  { type: "ListSet<string>", ...of([["a"], ["b", "a"]], [["a", "a"], [1]]) },
  {
    type: "ListSet<Int32> & MaxItems<3>",
    ...of(
      [[1], [3, 2, 1]],
      [
        [1, 2, 3, 4],
        [1, 1],
      ],
    ),
  },
  { type: "ListAtomic<string>", ...of([["a"], ["b", "b"]], [[{}], 5]) },
  { type: "ListAtomic<Code>", ...of([["ab"], ["abc", "abc"]], [["a"], ["ab", "abcde"]]) },
  { type: "{ [key: string]: string }", ...of([{ a: "b" }, { "x.y/z": "", q: "r" }], [{ a: 1 }, ["a"], "a"]) },
  {
    type: "MapAtomic<Int32> & MaxProperties<2>",
    ...of([{ a: 1 }, { b: 2, c: 3 }], [{ a: "1" }, { a: 1, b: 2, c: 3 }]),
  },
  { type: "MapGranular<Code>", ...of([{ a: "ab" }, { b: "abc", c: "ab" }], [{ a: "a" }]) },
  {
    type: 'ListSet<Code> & Rule<"self.all(x, x.size() < 3)", "too long"> & MaxItems<5>',
    ...of([["ab"], ["ab", "bc"]], [["abc"]]),
  },
];

const MARKED_STRUCTS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name,
  (name) => `StructAtomic<${name}>`,
  (name) => `${name} & PreserveUnknown`,
  (name) => `${name} & Default<{}>`,
];

/** Returns the fields of an interface. Some are lists, maps and structs of further interfaces. */
export function makeFields(random: Random, types: MadeTypes, depth: number): readonly MadeField[] {
  return Array.from({ length: depth === 0 ? 14 : 3 + random.int(3) }, (_, index) => {
    const name = `${random.pick(["size", "label", "mode", "part", "value"])}${index}`;
    return makeField(random, types, name, depth);
  });
}

function makeField(random: Random, types: MadeTypes, name: string, depth: number): MadeField {
  const among = random.next();
  if (depth < 2 && among < 0.25) return structField(random, types, name, depth);
  const isList = among < 0.5;
  const { type, defaults, ...values } = random.pick(isList ? LISTS : SCALARS);
  // A `Default` on a field whose rules hold for transitions only would be set on every update.
  const given = defaults !== undefined && random.chance(0.4) ? random.pick(defaults) : undefined;
  const isOptional = given !== undefined || isList || random.chance(0.7);
  const written = /\|/.test(type) && given !== undefined && !type.startsWith("Open") ? `(${type})` : type;
  return {
    name,
    isOptional,
    type: given === undefined ? type : `${written} & Default<${JSON.stringify(given)}>`,
    isAlwaysSet: given !== undefined || !isOptional,
    ...values,
    ...(type === "Json" && { bad: values.good }),
  };
}

/** Returns a struct, a list of structs with or without keys, or a map of structs. */
function structField(random: Random, types: MadeTypes, name: string, depth: number): MadeField {
  const struct = `Part${types.interfaces.size}`;
  types.interfaces.set(struct, []);
  const form = random.pick(["struct", "struct", "listMap", "twoKeys", "list", "map"]);
  const keys: readonly MadeField[] =
    form === "listMap" || form === "twoKeys"
      ? [
          { ...keyField("name", "string", ["a", "b", "c"]), isOptional: false },
          ...(form === "twoKeys"
            ? [{ ...keyField("protocol", '("TCP" | "UDP") & Default<"TCP">', ["TCP", "UDP"]), isOptional: true }]
            : []),
        ]
      : [];
  const fields = [...keys, ...makeFields(random, types, depth + 1)];
  types.interfaces.set(struct, fields);
  const rules = random.pick(["", "", " extends With<MinProperties<1>>"]);
  types.texts.push(interfaceText(struct, fields, rules));
  const item = (from: Random) => objectOf(from, fields, 1);
  const badItem = (from: Random) => objectOf(from, fields, 0.6);
  const base = { name, isOptional: true, isAlwaysSet: false };
  switch (form) {
    case "listMap":
    case "twoKeys": {
      const type = `ListMap<${struct}, ${form === "listMap" ? '"name"' : '"name", "protocol"'}> & MaxItems<4>`;
      const items = (from: Random) => distinct([item(from), ...from.times(2, () => item(from))]);
      return { ...base, type, good: items, bad: (from) => [item(from), badItem(from), item(from)] };
    }
    case "list":
      return {
        ...base,
        type: `${struct}[] & MaxItems<4>`,
        good: (from) => [item(from)],
        bad: (from) => [item(from), badItem(from)],
      };
    case "map":
      return {
        ...base,
        type: `{ [key: string]: ${struct} } & MaxProperties<4>`,
        good: (from) => ({ [from.pick(["a", "b"])]: item(from), c: item(from) }),
        bad: (from) => ({ a: badItem(from) }),
      };
    default: {
      const hasRequired = fields.some(({ isOptional }) => !isOptional);
      const marked = hasRequired || rules !== "" ? MARKED_STRUCTS.slice(0, 4) : MARKED_STRUCTS;
      return { ...base, type: random.pick(marked)(struct), good: item, bad: badItem };
    }
  }
}

const keyField = (name: string, type: string, values: readonly string[]): Omit<MadeField, "isOptional"> => ({
  name,
  type,
  isAlwaysSet: true,
  good: (random) => random.pick(values),
  bad: () => 5,
});

function distinct(items: readonly Parsed[]): Parsed[] {
  const keyOf = ({ name, protocol = "TCP" }: Parsed) => `${name} ${protocol}`;
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

export function interfaceText(name: string, fields: readonly MadeField[], more = ""): string {
  const members = fields.map(
    ({ name: field, isOptional, type }) => `  /** The ${field} of it. */\n  ${field}${isOptional ? "?" : ""}: ${type};`,
  );
  return `/** A ${name} of what is made. */\nexport interface ${name}${more} {\n${members.join("\n")}\n}\n`;
}

/** Returns an object with these fields, of which the given share is valid. */
export function objectOf(random: Random, fields: readonly MadeField[], good: number): Parsed {
  const object: Parsed = {};
  for (const field of fields) {
    if (random.chance(field.isOptional ? 0.5 : 1 - good * 0.98)) {
      if (field.isOptional || good < 1) continue;
    }
    object[field.name] = random.chance(good) ? field.good(random) : field.bad(random);
  }
  if (random.chance((1 - good) / 2)) object.unknown = random.pick([1, "x", { a: 1 }]);
  if (Object.keys(object).length === 0 && fields[0] !== undefined) object[fields[0].name] = fields[0].good(random);
  return object;
}
