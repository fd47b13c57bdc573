import { describe, expect, it } from "vitest";
import { BadApplyRequestError } from "../../runtime/apply/managed-fields/apply-errors.ts";
import { ManagedFieldsError } from "../../runtime/apply/managed-fields/managed.ts";
import type { JsonObject } from "../../runtime/lib/json-object.ts";
import { apply, check, entriesOf, owners, patch, spec, steps, update, type World } from "./fixtures/steps.ts";

describe("an object without managedFields", () => {
  const bare = (world: World) => {
    world.object = {
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "one", uid: "u" },
      spec: { text: "1", number: 1 },
    };
  };

  it("has no managedFields after updates either", () => {
    steps(
      bare,
      update("alpha", { text: "2" }),
      owners({}),
      check(({ live }) => expect(live.metadata).not.toHaveProperty("managedFields")),
    );
  });

  it("gets an owner for its existing fields at its first apply", () => {
    steps(
      bare,
      apply("alpha", { text: "1", flag: true }),
      owners({
        alpha: [".spec.flag", ".spec.text"],
        "before-first-apply*": [".spec", ".spec.number", ".spec.text"],
      }),
      spec({ text: "1", number: 1, flag: true }),
    );
  });

  it("conflicts at its first apply if the values differ", () => {
    steps(bare, apply("alpha", { text: "2" }, { conflicts: ["before-first-apply*: .spec.text"] }), owners({}));
  });
});

describe("writing managedFields", () => {
  const entry = {
    manager: "gamma",
    operation: "Apply",
    apiVersion: "example.com/v1",
    time: "2020-01-02T03:04:05Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:text": {} } },
  };
  const write = (managedFields: unknown) => patch("omega", { metadata: { managedFields } } as JsonObject);

  it("resets them with one empty entry", () => {
    steps(apply("alpha", { text: "1" }), write([{}]), owners({}), spec({ text: "1" }));
  });

  it("resets them together with other changes, which have no owner then", () => {
    steps(
      apply("alpha", { text: "1" }),
      patch("omega", { metadata: { managedFields: [{}] }, spec: { flag: true } }),
      owners({}),
      spec({ text: "1", flag: true }),
    );
  });

  it("resets them with an empty list, not without one", () => {
    steps(apply("alpha", { text: "1" }), write(null), owners({ alpha: [".spec.text"] }), write([]), owners({}));
  });

  it("stores fields in canonical form, in whatever order and form they are written", () => {
    const written = {
      "f:spec": { "f:text": { ".": {} }, "f:flag": {} },
      "f:metadata": { "f:labels": { "f:a": {}, ".": {} } },
    };
    const printed = '{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:flag":{},"f:text":{}}}';
    steps(
      apply("alpha", { text: "1" }),
      write([{ ...entry, fieldsV1: written }]),
      check(({ live }) => expect(JSON.stringify(entriesOf(live).map((one) => one.fieldsV1))).toBe(`[${printed}]`)),
    );
  });

  it("stores valid entries as they are written", () => {
    steps(
      apply("alpha", { text: "1" }),
      write([entry]),
      check(({ live }) => expect(entriesOf(live)).toEqual([entry])),
      apply("alpha", { text: "2" }, { conflicts: ["gamma: .spec.text"] }),
    );
  });

  it.each([
    ["no operation", { ...entry, operation: "" }],
    ["an unknown operation", { ...entry, operation: "Own" }],
    ["no version", { ...entry, apiVersion: "" }],
    ["no type of fields", { ...entry, fieldsType: "" }],
    ["an unknown type of fields", { ...entry, fieldsType: "FieldsV2" }],
    ["fields that are none", { ...entry, fieldsV1: { x: {} } }],
    ["broken keys", { ...entry, fieldsV1: { "k:{": {} } }],
    ["nothing but a name", { manager: "g" }],
  ])("keeps the old entries if the new ones have %s", (_name, broken) => {
    steps(apply("alpha", { text: "1" }), write([broken]), owners({ alpha: [".spec.text"] }));
  });

  it("is not possible through a subresource", () => {
    steps(
      apply("alpha", { text: "1" }),
      patch("omega", { metadata: { managedFields: [{}] } }, { subresource: "status" }),
      owners({ alpha: [".spec.text"] }),
    );
  });

  it("is not possible in a configuration", () => {
    for (const managedFields of [[], [{}], [entry]]) {
      const attempt = () =>
        steps(apply("alpha", { text: "1" }, { with: { metadata: { managedFields } } as JsonObject }));
      expect(attempt).toThrow(new BadApplyRequestError("metadata.managedFields must be nil"));
    }
    steps(apply("alpha", { text: "1" }, { with: { metadata: { managedFields: null } } }));
  });

  it("fails the next apply if the stored entries are malformed", () => {
    const broken = (world: World) => {
      world.object = {
        ...world.live,
        metadata: { ...(world.live.metadata as JsonObject), managedFields: [{ manager: "x" }] },
      };
    };
    expect(() => steps(apply("alpha", { text: "1" }), broken, apply("alpha", { text: "1" }))).toThrow(
      ManagedFieldsError,
    );
    steps(apply("alpha", { text: "1" }), broken, update("beta", { text: "2" }), owners({}));
  });
});
