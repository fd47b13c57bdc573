import { describe, expect, it } from "vitest";
import { BOOK, definition, diagnose, generateFrom, openApiOf } from "./fixture.ts";

const TYPES = `export interface Item { name: string; size?: Int32 & Minimum<1> }
export type Size = Int32 & Minimum<1>;
export type Even = Int32 & Rule<"self % 2 == 0", "must be even">;
export type Color = "Red" | "Blue";`;

function said(field: string): string {
  return diagnose(`${TYPES}\nexport interface Spec { ${field} }`).join("\n");
}

describe("a default that the server would refuse", () => {
  it.each([
    ["size?: Int32 & Default<3000000000>", "expected an integer of 32 bits, got 3000000000"],
    ["size?: Int64 & Default<9007199254740993>", "9007199254740993, which JavaScript reads as 9007199254740992"],
    ["size?: Int64 & Minimum<9007199254740993>", "9007199254740993, which JavaScript reads as 9007199254740992"],
    ["size?: Size & Default<0>", "must be greater than or equal to 1"],
    ["size?: Even & Default<1>", "must be even"],
    ['memory?: Quantity & Default<"one gig">', 'expected a quantity such as 500m or 2Gi, got "one gig"'],
    ['memory?: Quantity & Default<"1000m">', 'it is stored as "1"'],
    ['since?: Time & Default<"tomorrow">', "expected a time such as"],
    ['data?: Bytes & Default<"%">', "expected a string in base64"],
    ["item?: Item & Default<{}>", "name: Required value"],
    ['item?: Item & Default<{ name: "a"; size: 0 }>', "size: Invalid value: 0: must be greater than or equal to 1"],
    ['tags?: ListSet<string> & Default<["a", "a"]>', '[1]: Duplicate value: "a"'],
    ['items?: ListMap<Item, "name"> & Default<[{ name: "a" }, { name: "a" }]>', "[1]: Duplicate value"],
    ['colors?: ListAtomic<Color> & Default<["Pink"]>', '[0]: Unsupported value: "Pink"'],
    ['labels?: MapAtomic<string> & MaxProperties<1> & Default<{ a: "1"; b: "2" }>', "must have at most 1 items"],
  ])("is reported: %s", (field, problem) => {
    expect(said(field)).toContain(problem);
  });
});

it.each([
  "size?: Size & Default<1>",
  'memory?: Quantity & Default<"2Gi">',
  'item?: Item & Default<{ name: "a" }>',
  'items?: ListMap<Item, "name"> & Default<[{ name: "a" }]>',
  'text?: string & Rule<"self == oldSelf"> & Immutable & Default<"a">',
  'text?: string & OmitZero & Default<"a">',
  "on?: boolean & Default<false>",
  "names?: string[] & Default<[]>",
])("a default that the server would accept is none: %s", (field) => {
  expect(said(field)).toBe("");
});

describe("the default of a named type", () => {
  const text = `export interface Book extends Namespaced { spec?: Spec }
export interface Spec { ports?: ListMap<Port, "protocol"> }
export type Protocol = string & Default<"TCP">;
export type Transport = Protocol;
/** A port of it. */
export interface Port {
  /** Protocol of the port. */
  protocol?: Transport;
}
export const book = kind<Book>({ plural: "books" });`;

  it("lets a key of a list be unset", () => {
    expect(diagnose(text)).toEqual([]);
  });

  it("is published, as it is set", () => {
    const document = openApiOf(generateFrom({ [BOOK]: definition(text) }), "v3/apis/library.example.com/v1");
    const { schemas } = (document as unknown as { components: { schemas: { [name: string]: object } } }).components;
    expect(schemas["com.example.library.v1.Port"]).toMatchObject({
      properties: { protocol: { default: "TCP", description: "Protocol of the port. Defaults to `TCP`." } },
    });
  });
});
