import { describe, expect, it } from "vitest";
import { DYN } from "../../runtime/cel/cel.ts";
import type { CelSchema } from "../../runtime/cel/schema/cel-schema.ts";
import { escapeName } from "../../runtime/cel/schema/escaping.ts";
import { typeOfSchema } from "../../runtime/cel/schema/schema-type.ts";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { noteGivenFloat } from "../../runtime/go/source-notes.ts";
import { evaluate, evaluateOn, issuesOf, typeOf } from "./evaluate.ts";

const string: StructuralSchema = { type: "string" };
const integer: StructuralSchema = { type: "integer" };
const object = (properties: Record<string, StructuralSchema>): StructuralSchema => ({ type: "object", properties });
const set: StructuralSchema = { type: "array", items: string, "x-kubernetes-list-type": "set" };
const listMap: StructuralSchema = {
  type: "array",
  items: object({ k: string, v: integer }),
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
};

describe("a whole number that was written as a float", () => {
  const schema = object({ n: integer, size: { type: "number" }, inner: object({ n: integer }) });

  it("is no integer to rules", () => {
    const value = { n: 2, size: 3, inner: { n: 4 } };
    noteGivenFloat(value, "n");
    noteGivenFloat(value.inner, "n");
    const refused = "invalid data, expected int, got float64";
    expect(evaluateOn(schema, value, "self.n < 3")).toBe(refused);
    expect(evaluateOn(schema, value, "self.inner.n < 5")).toBe(refused);
    expect(evaluateOn(schema, value, "has(self.n) && self.size < 3.5")).toBe(true);
  });

  it("is a number to rules about a number", () => {
    const value = { size: 3 };
    noteGivenFloat(value, "size");
    expect(evaluateOn(schema, value, "self.size == 3.0")).toBe(true);
  });
});

describe("names", () => {
  it.each([
    ["namespace", "__namespace__"],
    ["my-field", "my__dash__field"],
    ["a.b/c", "a__dot__b__slash__c"],
    ["with__two", "with__underscores__two"],
    ["plain_name", "plain_name"],
  ])("%s is written %s", (property, escaped) => {
    expect(escapeName(property)).toBe(escaped);
  });

  it("that cannot be escaped are not accessible", () => {
    expect(["1st", "ü", "a b", ""].map(escapeName)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("are looked up escaped in JSON objects", () => {
    const schema = object({ namespace: string, "my-field": integer });
    const value = { namespace: "n", "my-field": 3 };
    expect(evaluateOn(schema, value, "self.__namespace__ == 'n' && self.my__dash__field == 3")).toBe(true);
  });

  it("such as toString are fields only if the object has them", () => {
    const schema = object({ constructor: string, toString: string });
    expect(evaluateOn(schema, {}, "has(self.constructor) || has(self.toString)")).toBe(false);
    expect(evaluateOn(schema, { constructor: "c" }, "self.constructor")).toBe("c");
    expect(evaluate("has(self.__proto__) || 'toString' in self", { self: {} }, { variables: { self: DYN } })).toBe(
      false,
    );
  });
});

describe("values of a schema", () => {
  it("are converted according to their format when they are read", () => {
    const schema = object({
      at: { type: "string", format: "date-time" },
      on: { type: "string", format: "date" },
      every: { type: "string", format: "duration" },
      data: { type: "string", format: "byte" },
      times: { type: "array", items: { type: "string", format: "date-time" } },
    });
    const value = {
      at: "2024-05-06T07:08:09Z",
      on: "2024-05-06",
      every: "90m",
      data: "aGVsbG8=",
      times: ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"],
    };
    expect(evaluateOn(schema, value, "self.at - self.on == duration('7h8m9s')")).toBe(true);
    expect(evaluateOn(schema, value, "self.every.getMinutes() == 90 && self.data == b'hello'")).toBe(true);
    expect(evaluateOn(schema, value, "self.times[0] == self.times[1] && self.times.all(t, t < self.at)")).toBe(true);
    expect(
      evaluateOn(schema, value, "dyn(self).at == self.at && type(dyn(self).every) == google.protobuf.Duration"),
    ).toBe(true);
    expect(evaluateOn(schema, { at: "soon" }, "self.at == self.at")).toBe("Invalid date-time formatted string soon");
  });

  it("of the format duration may be written with unit names", () => {
    const schema = object({ every: { type: "string", format: "duration" } });
    const hours = (every: string) => evaluateOn(schema, { every }, "self.every.getHours()");
    expect(["1h", "1 day", "2 weeks, 3 hours", "1d12h"].map(hours)).toEqual([1, 24, 339, 36]);
    expect(hours("soon")).toBe("Invalid duration soon: unable to parse soon as duration");
  });

  it("of the format byte are read in the alphabet for URLs, as Kubernetes reads them", () => {
    const schema = object({ data: { type: "string", format: "byte" } });
    expect(evaluateOn(schema, { data: "aGk=" }, "self.data == b'hi'")).toBe(true);
    expect(evaluateOn(schema, { data: "ab+/" }, "self.data == b'hi'")).toBe(
      "Invalid byte formatted string ab+/: illegal base64 data at input byte 2",
    );
  });

  it("may be int or string", () => {
    const schema = object({ port: { "x-kubernetes-int-or-string": true } });
    const rule = "type(self.port) == int ? self.port < 100 : self.port.endsWith('%')";
    expect(evaluateOn(schema, { port: 80 }, rule)).toBe(true);
    expect(evaluateOn(schema, { port: "50%" }, rule)).toBe(true);
    expect(evaluateOn(schema, { port: "50" }, rule)).toBe(false);
    expect(evaluateOn(schema, { port: true }, "self.port.startsWith('x')")).toBe("no such overload");
  });

  it("have the declared number type, even if the JSON number could be either", () => {
    const schema = object({ ratio: { type: "number" }, count: integer });
    expect(evaluateOn(schema, { ratio: 1, count: 1 }, "type(self.ratio) == double && self.ratio / 2.0 == 0.5")).toBe(
      true,
    );
    expect(evaluateOn(schema, { ratio: 1, count: 1 }, "[self.ratio].map(r, type(r)) == [double]")).toBe(true);
    expect(evaluateOn(schema, { count: 9223372036854775807n }, "self.count == 9223372036854775807")).toBe(true);
    expect(evaluateOn(schema, { count: 9223372036854775807n }, "self.count + 1 > 0")).toBe("integer overflow");
  });

  it("hide fields without a schema, and always have apiVersion, kind and metadata", () => {
    const schema = object({ free: { "x-kubernetes-preserve-unknown-fields": true }, spec: object({ a: integer }) });
    expect(issuesOf("self.free == 1", { variables: { self: typeOf(schema) } })).toContain("undefined field 'free'");
    const root = { variables: { self: typeOf(schema, true) } };
    const self = { kind: "K", metadata: { name: "n" }, spec: { a: 1 } };
    expect(evaluate("self.kind == 'K' && self.metadata.name == 'n'", { self }, root)).toBe(true);
    expect(issuesOf("self.metadata.labels.size() > 0", root)).toContain("undefined field 'labels'");
  });

  it("show embedded resources as resources", () => {
    const schema = object({ template: { ...object({}), "x-kubernetes-embedded-resource": true } });
    expect(evaluateOn(schema, { template: { kind: "Pod" } }, "self.template.kind")).toBe("Pod");
  });

  it("that are missing are errors, which && and || may absorb", () => {
    const schema = object({ n: integer });
    expect(evaluateOn(schema, {}, "self.n > 0")).toBe("no such key: n");
    expect(evaluateOn(schema, {}, "self.n > 0 || true")).toBe(true);
    expect(evaluateOn(schema, {}, "false && self.n > 0")).toBe(false);
    expect(evaluateOn(schema, {}, "self.n > 0 && true")).toBe("no such key: n");
  });

  it("that do not match their schema are errors, not crashes", () => {
    const schema = object({ s: string, l: { type: "array", items: string } });
    expect(evaluateOn(schema, { s: 5 }, "self.s.startsWith('x')")).toBe("no such overload");
    expect(evaluateOn(schema, { l: { a: 1 } }, "self.l.all(x, x == '')")).toBe(true);
  });

  it("may have recursive schemas", () => {
    const tree: CelSchema = {
      kind: "object",
      name: "Tree",
      property: (name) =>
        name === "value" ? { kind: "integer" } : name === "children" ? { kind: "list", items: tree } : undefined,
      propertyNames: () => ["value", "children"],
    };
    const self = { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] };
    const variables = { self: typeOfSchema(tree)! };
    expect(evaluate("self.children[0].children[0].value", { self }, { variables })).toBe(3);
    expect(evaluate("self.children == self.children", { self }, { variables })).toBe(true);
  });
});

describe("lists of a schema", () => {
  it("that are sets are compared without order, and + appends only new items", () => {
    const schema = object({ a: set, b: set });
    const value = { a: ["x", "y"], b: ["y", "x"] };
    expect(evaluateOn(schema, value, "self.a == self.b && self.a == ['y', 'x']")).toBe(true);
    expect(evaluateOn(schema, value, "(self.a + ['y', 'z']) == ['z', 'y', 'x']")).toBe(true);
    expect(evaluateOn(schema, value, "self.a + ['y', 'z']")).toEqual(["x", "y", "z"]);
  });

  it("that are maps are compared and merged by key", () => {
    const schema = object({ a: listMap, b: listMap });
    const value = {
      a: [
        { k: "1", v: 1 },
        { k: "2", v: 2 },
      ],
      b: [
        { k: "2", v: 2 },
        { k: "1", v: 1 },
      ],
    };
    expect(evaluateOn(schema, value, "self.a == self.b")).toBe(true);
    expect(evaluateOn(schema, { ...value, b: [{ k: "2", v: 3 }] }, "self.a + self.b")).toEqual([
      { k: "1", v: 1 },
      { k: "2", v: 3 },
    ]);
  });

  it("are compared by list type at any depth", () => {
    const schema = object({ a: object({ s: set }), b: object({ s: set }) });
    expect(evaluateOn(schema, { a: { s: ["x", "y"] }, b: { s: ["y", "x"] } }, "self.a.s == self.b.s")).toBe(true);
    const pair = { type: "array", items: object({ s: set }) };
    expect(
      evaluateOn(object({ l: pair }), { l: [{ s: ["x", "y"] }, { s: ["y", "x"] }] }, "self.l[0] == self.l[1]"),
    ).toBe(true);
  });
});
