import { describe, expect, it } from "vitest";
import { readSelection } from "../../runtime/handlers/selection.ts";
import type { ServedResource } from "../../runtime/kinds/served-resource.ts";
import { parseFieldSelector } from "../../runtime/values/field-selector.ts";
import { compileLabelSelector, parseLabelSelector } from "../../runtime/values/label-selector.ts";
import type { CachedObject } from "../../runtime/watch/cached-object.ts";

const matches = (selector: string, labels: Record<string, string>) =>
  compileLabelSelector(parseLabelSelector(selector))(labels);

describe("a label selector", () => {
  it.each([
    ["", {}, true],
    ["a=1", { a: "1" }, true],
    ["a==1", { a: "2" }, false],
    ["a!=1", {}, true],
    ["a", { a: "" }, true],
    ["!a", { a: "" }, false],
    ["a in (1, 2)", { a: "2" }, true],
    ["a notin (1)", {}, true],
    ["a in ()", { a: "" }, true],
    ["a>5,a<9", { a: "7" }, true],
    ["a>5", { a: "x" }, false],
    ["a = b , c in ( d , e )", { a: "b", c: "e" }, true],
    ["toString", {}, false],
  ] as [string, Record<string, string>, boolean][])("%s on the labels %j matches: %s", (selector, labels, expected) => {
    expect(matches(selector, labels)).toBe(expected);
  });

  it.each([
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["=b", "found '=', expected: !, identifier, or 'end of string'"],
    ["a in b", "unable to parse requirement: found 'b' expected: '('"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ["a in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ["a in (b,", "unable to parse requirement: found '', expected: ',', or identifier"],
    ["a in (b", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["a=b=c", "found '=', expected: ',' or 'end of string'"],
    ["a,,b", "found ',', expected: identifier after ','"],
    [
      "a<x",
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])("%s is rejected", (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(message);
  });
});

describe("a field selector", () => {
  it("is a list of equalities", () => {
    expect(parseFieldSelector("metadata.name=a\\,b,status.phase!=Running,x==1")).toEqual([
      { field: "metadata.name", equal: true, value: "a,b" },
      { field: "status.phase", equal: false, value: "Running" },
      { field: "x", equal: true, value: "1" },
    ]);
    expect(parseFieldSelector("=,!=,")).toEqual([]);
    expect(parseFieldSelector("=x")).toEqual([{ field: "", equal: true, value: "x" }]);
  });

  it.each([
    ["a", "invalid selector: 'a'; can't understand 'a'"],
    ["x=1,a", "invalid selector: 'x=1,a'; can't understand 'a'"],
    ["b,a", "invalid selector: 'b,a'; can't understand 'a'"],
    ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
    ["a=b\\c", "invalid field selector: invalid escape sequence: \\c"],
    ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ])("%s is rejected", (selector, message) => {
    expect(() => parseFieldSelector(selector)).toThrow(message);
  });
});

it("each field of an object is looked up once, however many terms of a field selector name it", () => {
  const resource = {
    descriptor: {},
    hooks: {},
    stored: { selectableFields: new Set(["metadata.name", "metadata.namespace"]), namespaced: true, hooks: {} },
    isStoredVersion: true,
  } as unknown as ServedResource;
  const lookUps: string[] = [];
  const object = {
    field: (name: string) => {
      lookUps.push(`read ${name}`);
      return "a";
    },
    readsField: (name: string) => {
      lookUps.push(`ask for ${name}`);
      return false;
    },
  } as unknown as CachedObject;
  const terms = Array.from({ length: 100 }, (_, number) => `metadata.name!=${number}`);
  const requirements = parseFieldSelector(terms.join());
  const selector = readSelection({ fieldSelector: { requirements } }, resource);
  expect(selector?.reads?.(object)).toBe(false);
  expect(selector?.matches(object)).toBe(true);
  expect(lookUps).toEqual(["ask for metadata.name", "read metadata.name"]);
});

it("a field selector may use the former name of a field", () => {
  const resource = {
    descriptor: {},
    hooks: { compatibility: { formerFields: { "spec.host": "spec.nodeName" } } },
    stored: { selectableFields: new Set(["metadata.name", "metadata.namespace", "spec.nodeName"]), hooks: {} },
    isStoredVersion: true,
  } as unknown as ServedResource;
  const object = { field: (name: string) => ({ "spec.nodeName": "a" })[name] } as unknown as CachedObject;
  const select = (text: string) =>
    readSelection({ fieldSelector: { requirements: parseFieldSelector(text) } }, resource);
  expect(select("spec.host=a")?.matches(object)).toBe(true);
  expect(select("spec.host=b")?.matches(object)).toBe(false);
  expect(select("spec.host=a,spec.nodeName!=a")?.matches(object)).toBe(false);
  expect(() => select("spec.hosts=a")).toThrow("field label not supported: spec.hosts");
});
