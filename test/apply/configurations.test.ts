import { describe, expect, it } from "vitest";
import { excludeFields } from "../../runtime/apply/fieldpath/field-filter.ts";
import { fieldPath } from "../../runtime/apply/fieldpath/path.ts";
import { BadApplyRequestError, UntypableObjectError } from "../../runtime/apply/managed-fields/apply-errors.ts";
import type { JsonObject } from "../../runtime/lib/json-object.ts";
import { apply, entriesOf, owners, part, spec, steps, unchanged, update, World } from "./fixtures/steps.ts";

describe("an apply configuration", () => {
  const attempt = (content: JsonObject) => () => steps(apply("alpha", content));
  const prefix = "failed to create typed patch object (/one; example.com/v1, Kind=Thing): ";

  it.each<[string, JsonObject, string]>([
    ["a list for a map", { labels: [] }, ".spec.labels: expected map, got &{[]}"],
    ["a map for a list", { entries: { name: "a" } }, ".spec.entries: expected list, got &{map[name:a]}"],
    ["text for a list", { set: "a" }, ".spec.set: expected list, got &{a}"],
    ["text for a number", { number: "1" }, ".spec.number: expected numeric (int or float), got string"],
    ["a number for text", { text: 1 }, ".spec.text: expected string, got &value.valueUnstructured{Value:1}"],
    ["text for a boolean", { flag: "yes" }, ".spec.flag: expected boolean, got &{yes}"],
    ["a map for a scalar", { either: { a: 1 } }, ".spec.either: expected any scalar, got &{map[a:1]}"],
    ["a field that is not there", { colour: "red" }, ".spec.colour: field not declared in schema"],
    [
      "an entry twice",
      { entries: [{ name: "a" }, { name: "a" }] },
      '.spec.entries: duplicate entries for key [name="a"]',
    ],
    ["a member twice", { set: ["a", "a"] }, '.spec.set: duplicate entries for key [="a"]'],
    ["numbers twice", { numbers: [1, 1] }, ".spec.numbers: duplicate entries for key [=1]"],
    [
      "a default key twice",
      { ports: [{ port: 1 }, { port: 1, protocol: "TCP" }] },
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
    [
      "no key",
      { entries: [{ value: "1" }] },
      '.spec.entries: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [
      "a null entry",
      { entries: [null] },
      ".spec.entries: element 0: associative list with keys may not have a null element",
    ],
    [
      "an entry that is no map",
      { entries: ["a"] },
      ".spec.entries: element 0: associative list with keys may not have non-map elements",
    ],
    [
      "a null member",
      { set: [null] },
      ".spec.set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      "a map as a member",
      { set: [{}] },
      ".spec.set: element 0: associative list without keys has an element that's a map type",
    ],
    [
      "a list as a member",
      { set: [[]] },
      ".spec.set: element 0: not supported: associative list with lists as elements",
    ],
    [
      "a wrong type deep down",
      { tree: { children: [{ name: "c", value: 1 }] } },
      '.spec.tree.children[name="c"].value: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      "two things",
      { text: 1, number: "1" },
      "errors:\n  .spec.number: expected numeric (int or float), got string\n  .spec.text: expected string, got &value.valueUnstructured{Value:1}",
    ],
  ])("is refused with %s", (_name, content, message) => {
    expect(attempt(content)).toThrow(new UntypableObjectError(prefix + message));
  });

  it("is refused in another version or kind than that of the request", () => {
    const manager = new World().manager();
    expect(() => manager.apply(undefined, { apiVersion: "v1", kind: "Thing" }, "alpha", false)).toThrow(
      new BadApplyRequestError("invalid object type: /v1, Kind=Thing"),
    );
    expect(() => manager.apply(undefined, { apiVersion: "example.com/v1", kind: "Other" }, "alpha", false)).toThrow(
      new BadApplyRequestError("invalid object type: example.com/v1, Kind=Other"),
    );
  });

  it("creates the object if it does not exist", () => {
    steps(apply("alpha", { text: "1" }), spec({ text: "1" }), part("kind", "Thing"), owners({ alpha: [".spec.text"] }));
  });

  it("may be empty", () => {
    steps(apply("alpha", {}), owners({}), apply("alpha", { text: "1" }), apply("alpha", {}), owners({}));
  });
});

describe("defaults", () => {
  it("return when the owner of a field omits it", () => {
    steps(
      { defaults: { number: 1 } },
      apply("alpha", { number: 5, text: "a" }),
      apply("alpha", { text: "a" }),
      spec({ number: 1, text: "a" }),
      owners({ alpha: [".spec.text"] }),
    );
  });

  it("are not owned, and can be taken over", () => {
    steps(
      { defaults: { number: 1 } },
      apply("alpha", { text: "a" }),
      apply("beta", { number: 7 }),
      spec({ number: 7, text: "a" }),
      unchanged(apply("alpha", { text: "a" })),
    );
  });
});

describe("fields that a request cannot change", () => {
  const resetFields = () => excludeFields(fieldPath("status"));

  it("get no owner through it", () => {
    steps(
      { resetFields },
      update("alpha", { text: "1" }, { with: { status: { phase: "x" } } }),
      owners({ "alpha*": [".spec", ".spec.text"] }),
      apply("beta", { text: "1" }, { with: { status: { phase: "y" } } }),
      owners({ "alpha*": [".spec", ".spec.text"], beta: [".spec.text"] }),
    );
  });

  it("cause no conflicts through it", () => {
    const world = steps(update("status", { text: "1" }, { subresource: "status", with: { status: { phase: "x" } } }));
    world.options = { resetFields };
    apply("beta", { number: 1 }, { with: { status: { phase: "y" } } })(world);
    expect(entriesOf(world.live).map((entry) => entry.manager)).toEqual(["beta", "status"]);
  });
});
