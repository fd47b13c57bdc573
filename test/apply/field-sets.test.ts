import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FieldSet } from "../../runtime/apply/fieldpath/field-set.ts";
import { fieldsV1ToSet, setToFieldsV1 } from "../../runtime/apply/fieldpath/fields-v1.ts";
import { internWhole } from "../../runtime/apply/fieldpath/intern-set.ts";
import { fieldPath, type Path, printPath } from "../../runtime/apply/fieldpath/path.ts";
import {
  canonicalElement,
  fieldElement,
  indexElement,
  keyElement,
  PathElementError,
  valueElement,
} from "../../runtime/apply/fieldpath/path-element.ts";
import type { JsonObject } from "../../runtime/lib/json-object.ts";

const element = fc.oneof(
  fc.constantFrom("a", "b", "c", "__proto__", "constructor", "x.y/z", "é", "😀", "\uffff").map(fieldElement),
  fc.record({ name: fc.constantFrom("a", "b<", '"'), port: fc.integer({ min: -2, max: 2 }) }).map(({ name, port }) =>
    keyElement([
      { name: "name", value: name },
      { name: "port", value: port },
    ]),
  ),
  fc
    .oneof(fc.constantFrom("v", "w"), fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constant(null))
    .map(valueElement),
  fc.nat(2).map(indexElement),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const fieldSet = fc.array(path, { maxLength: 12 }).map((paths) => FieldSet.of(...paths));

const members = (set: FieldSet) => new Set([...set.paths()].map((one) => one.join("\n")));
const sorted = (set: Set<string>) => [...set].sort();

describe("field sets", () => {
  it("are sets of paths", () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        expect(sorted(members(a.union(b)))).toEqual(sorted(members(a).union(members(b))));
        expect(sorted(members(a.intersection(b)))).toEqual(sorted(members(a).intersection(members(b))));
        expect(sorted(members(a.difference(b)))).toEqual(sorted(members(a).difference(members(b))));
        expect(a.size).toBe(members(a).size);
        for (const one of a.paths()) expect([a.has(one), a.union(b).has(one)]).toEqual([true, true]);
      }),
    );
  });

  it("have the same union in both directions, if one is much larger than the other", () => {
    const long = FieldSet.of(
      fieldPath("a"),
      ...Array.from({ length: 2000 }, (_, index) => fieldPath("data", `k${index}`)),
    );
    const short = FieldSet.of(fieldPath("data"), fieldPath("data", "k7"), fieldPath("data", "k7", "x"), fieldPath("b"));
    expect(short.union(long).equals(long.union(short))).toBe(true);
    expect(short.union(long).size).toBe(long.size + 3);
    expect(long.has(fieldPath("data"))).toBe(false);
  });

  it("obey the laws of union, intersection and difference", () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, fieldSet, (a, b, c) => {
        expect(a.union(b).equals(b.union(a))).toBe(true);
        expect(
          a
            .union(b)
            .union(c)
            .equals(a.union(b.union(c))),
        ).toBe(true);
        expect(a.intersection(b).equals(b.intersection(a))).toBe(true);
        expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
        expect(a.difference(b).intersection(b).isEmpty).toBe(true);
        expect(a.isSubsetOf(b)).toBe(a.difference(b).isEmpty);
        expect(a.isSubsetOf(a.union(b))).toBe(true);
        expect(a.difference(b.union(c)).equals(a.difference(b).difference(c))).toBe(true);
      }),
    );
  });

  it("return the same instance if an operation changes nothing", () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        expect(a.union(a.intersection(b))).toBe(a);
        expect(a.difference(b.difference(a))).toBe(a);
        expect(a.union(FieldSet.EMPTY)).toBe(a);
      }),
    );
  });

  it("print the same after they were interned", () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        const met = internWhole(set);
        expect(met.equals(set)).toBe(true);
        expect(setToFieldsV1(met)).toEqual(setToFieldsV1(set));
      }),
    );
  });

  it("are the same instance if an equal set was interned before", () => {
    const again = () => internWhole(FieldSet.of([fieldElement("spec"), fieldElement("a")], [fieldElement("data")]));
    // All are forgotten from time to time, though not twice in a row.
    const [first, second, third] = [again(), again(), again()];
    expect(first === second || second === third).toBe(true);
  });

  it("lose all paths below a path that a recursive difference removes", () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        const cut = [...b.paths()];
        const below = (one: Path) => cut.some((root) => root.every((step, index) => one[index] === step));
        const expected = new Set([...a.paths()].filter((one) => !below(one)).map((one) => one.join("\n")));
        expect(sorted(members(a.recursiveDifference(b)))).toEqual(sorted(expected));
      }),
    );
  });

  it("have the paths without children as leaves", () => {
    fc.assert(
      fc.property(fieldSet, (a) => {
        const all = [...a.paths()];
        const isLeaf = (one: Path) =>
          !all.some((other) => other.length > one.length && one.every((step, i) => step === other[i]));
        expect(sorted(members(a.leaves()))).toEqual(sorted(new Set(all.filter(isLeaf).map((one) => one.join("\n")))));
      }),
    );
  });
});

describe("FieldsV1", () => {
  it("is parsed to the set that was printed", () => {
    fc.assert(
      fc.property(fieldSet, (a) => {
        const text = JSON.stringify(setToFieldsV1(a));
        const again = fieldsV1ToSet(JSON.parse(text) as JsonObject);
        expect(again.equals(a)).toBe(true);
        expect(JSON.stringify(setToFieldsV1(FieldSet.of(...again.paths())))).toBe(text);
      }),
    );
  });

  it("is printed the same, however the set was built", () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 10 }), (paths) => {
        expect(JSON.stringify(setToFieldsV1(FieldSet.of(...paths)))).toBe(
          JSON.stringify(setToFieldsV1(FieldSet.of(...paths.toReversed()))),
        );
      }),
    );
  });

  it.each([
    '{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:replicas":{}}}',
    '{"f:spec":{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}},"k:{\\"port\\":443,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}}}}}',
    '{"f:a":{},"k:{\\"name\\":\\"b\\"}":{},"v:1":{},"v:2":{},"v:\\"x\\"":{},"v:true":{},"i:0":{},"i:10":{}}',
    '{"f:z":{"f:Z":{},"f:_":{},"f:z":{}},"f:é":{}}',
    '{"f:k":{"k:{\\"id\\":9007199254740993}":{}}}',
    "{}",
  ])("keeps the order and form of %s", (text) => {
    const set = fieldsV1ToSet(JSON.parse(text) as JsonObject);
    expect(JSON.stringify(setToFieldsV1(FieldSet.of(...set.paths())))).toBe(text);
  });

  it("is converted to canonical form", () => {
    expect(canonicalElement('k:{"port":1,"name":"a"}')).toBe('k:{"name":"a","port":1}');
    const set = fieldsV1ToSet({ 'k:{"b":1, "a":"<"}': {}, "i:+1": {}, 'v: "x"': {} });
    expect(Object.keys(setToFieldsV1(FieldSet.of(...set.paths())))).toEqual([
      'k:{"a":"\\u003c","b":1}',
      'v:"x"',
      "i:1",
    ]);
  });

  it("writes all control characters but line ends and tabs as numbers", () => {
    expect(valueElement("\b\f\n\r\t\u0001\\b")).toBe(String.raw`v:"\u0008\u000c\n\r\t\u0001\\b"`);
    expect(canonicalElement(String.raw`k:{"name":"\b"}`)).toBe(String.raw`k:{"name":"\u0008"}`);
  });

  it("ignores path elements of unknown types and rejects malformed ones", () => {
    expect(fieldsV1ToSet({ "q:new": {}, "f:a": {} }).size).toBe(1);
    for (const key of ["x", "xyz", "k:{", "k:[]", "v:", "i:a", ""])
      expect(() => canonicalElement(key)).toThrow(PathElementError);
    expect(() => fieldsV1ToSet({ "f:a": "b" })).toThrow(PathElementError);
  });

  it("prints paths in a readable form", () => {
    const path = [
      fieldElement("spec"),
      fieldElement("ports"),
      keyElement([
        { name: "port", value: 80 },
        { name: "protocol", value: "T\n" },
      ]),
      valueElement("a"),
      indexElement(3),
    ];
    expect(printPath(path)).toBe('.spec.ports[port=80,protocol="T\\n"][="a"][3]');
  });
});
