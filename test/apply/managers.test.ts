import { describe, expect, it } from "vitest";
import { ANY_ELEMENT, excludeFields, keepFields } from "../../runtime/apply/fieldpath/field-filter.ts";
import { fieldPath } from "../../runtime/apply/fieldpath/path.ts";
import { fieldElement } from "../../runtime/apply/fieldpath/path-element.ts";
import { BadApplyRequestError, UntypableObjectError } from "../../runtime/apply/managed-fields/apply-errors.ts";
import { ManagedFieldsError } from "../../runtime/apply/managed-fields/managed.ts";
import { managerFromRequest, validateFieldManager } from "../../runtime/apply/managed-fields/manager-name.ts";
import { validateManagedFields } from "../../runtime/apply/managed-fields/validate-entries.ts";
import type { JsonObject } from "../../runtime/lib/json-object.ts";
import {
  apply,
  check,
  entriesOf,
  force,
  owners,
  part,
  patch,
  schema,
  spec,
  steps,
  times,
  unchanged,
  update,
  World,
} from "./fixtures/steps.ts";
import { atomicList, listMap, mapOf, SPEC_FIELDS, STRING, setOf, struct, thingType } from "./fixtures/thing.ts";

describe("managers", () => {
  it("are one per name, operation, version and subresource", () => {
    steps(
      update("alpha", { text: "1" }),
      apply("alpha", { number: 1 }),
      update("alpha", { text: "1", number: 1, flag: true }, { apiVersion: "example.com/v2" }),
      update(
        "alpha",
        { text: "1", number: 1, flag: true },
        { subresource: "status", with: { status: { phase: "x" } } },
      ),
      owners({
        alpha: [".spec.number"],
        "alpha*": [".spec", ".spec.text"],
        "alpha*@v2": [".spec.flag"],
        "alpha/status*": [".status", ".status.phase"],
      }),
      times({ alpha: 2, "alpha*": 1, "alpha*@v2": 3, "alpha/status*": 4 }),
    );
  });

  it("that apply are one whichever version they use", () => {
    steps(
      apply("alpha", { text: "1" }),
      apply("alpha", { number: 1 }, { apiVersion: "example.com/v2" }),
      spec({ number: 1 }),
      owners({ "alpha@v2": [".spec.number"] }),
    );
  });

  it("keep their time while they change nothing", () => {
    steps(
      apply("alpha", { text: "1" }),
      update("beta", { text: "1", number: 1 }),
      update("beta", { text: "1", number: 1 }),
      apply("alpha", { text: "1" }),
      times({ alpha: 1, "beta*": 2 }),
      update("beta", { text: "1", number: 2 }),
      times({ alpha: 1, "beta*": 5 }),
    );
  });

  it("have no time if they only ever agreed", () => {
    steps(apply("alpha", { text: "1" }), apply("beta", { text: "1" }), times({ alpha: 1, beta: 0 }));
  });

  it("are dropped when they own nothing", () => {
    steps(
      apply("alpha", { text: "1" }),
      force("beta", { text: "2" }),
      owners({ beta: [".spec.text"] }),
      update("gamma", { text: "3" }),
      owners({ "gamma*": [".spec.text"] }),
      update("gamma", {}),
      owners({}),
    );
  });

  it("without a name are unknown", () => {
    steps(update("", { text: "1" }), owners({ "unknown*": [".spec", ".spec.text"] }));
  });

  it("never own what the server keeps", () => {
    const kept = {
      name: "one",
      namespace: "n",
      uid: "u",
      resourceVersion: "5",
      generation: 2,
      creationTimestamp: null,
    };
    steps(
      update("alpha", { text: "1" }, { with: { metadata: { ...kept, labels: { a: "1" } } } }),
      owners({ "alpha*": [".metadata.labels", ".metadata.labels.a", ".spec", ".spec.text"] }),
      apply("beta", { number: 1 }, { with: { metadata: { ...kept, finalizers: ["example.com/f"] } } }),
      check(({ live }) =>
        expect(entriesOf(live)[0]?.fieldsV1).toEqual({
          "f:metadata": { "f:finalizers": { 'v:"example.com/f"': {} } },
          "f:spec": { "f:number": {} },
        }),
      ),
    );
  });

  it("are listed by operation, time, name, version and subresource", () => {
    const { live } = steps(
      update("zeta", { text: "1" }),
      update("beta", { text: "1", flag: true }),
      apply("omega", { number: 1 }),
      apply("alpha", { number: 1 }),
    );
    expect(entriesOf(live).map((entry) => `${entry.manager} ${entry.operation}`)).toEqual([
      "alpha Apply",
      "omega Apply",
      "zeta Update",
      "beta Update",
    ]);
  });

  it("by updates are at most ten: the oldest are merged", () => {
    const world = new World();
    const labels: Record<string, string> = {};
    for (let i = 0; i < 12; i++) {
      labels[`l${i}`] = "x";
      update(`manager-${i}`, { labels: { ...labels } })(world);
    }
    expect(entriesOf(world.live).map((entry) => entry.manager)).toEqual([
      "ancient-changes",
      ...Array.from({ length: 9 }, (_, i) => `manager-${i + 3}`),
    ]);
    expect(entriesOf(world.live)[0]).toMatchObject({
      time: "1970-01-01T00:00:03Z",
      fieldsV1: { "f:spec": { ".": {}, "f:labels": { ".": {}, "f:l0": {}, "f:l1": {}, "f:l2": {} } } },
    });
  });

  it("by updates are merged version by version", () => {
    const world = new World();
    const labels: Record<string, string> = {};
    for (let i = 0; i < 11; i++) {
      labels[`l${i}`] = "x";
      update(`manager-${i}`, { labels: { ...labels } }, { apiVersion: `example.com/v${i < 1 ? 2 : 1}` })(world);
    }
    expect(
      entriesOf(world.live)
        .map((entry) => `${entry.manager} ${entry.apiVersion}`)
        .slice(0, 2),
    ).toEqual(["manager-0 example.com/v2", "ancient-changes example.com/v1"]);
  });

  it("by apply are not limited", () => {
    const world = new World();
    for (let i = 0; i < 15; i++) apply(`manager-${i}`, { labels: { [`l${i}`]: "x" } })(world);
    expect(entriesOf(world.live)).toHaveLength(15);
  });
});

describe("an object that nobody managed", () => {
  const bare = (world: World) => {
    world.object = {
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "one", uid: "u" },
      spec: { text: "1", number: 1 },
    };
  };

  it("stays unmanaged by updates", () => {
    steps(
      bare,
      update("alpha", { text: "2" }),
      owners({}),
      check(({ live }) => expect(live.metadata).not.toHaveProperty("managedFields")),
    );
  });

  it("gets an owner for what it has when it is first applied", () => {
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

  it("defends what it has at its first apply", () => {
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

  it("resets them even along with other changes, which nobody owns then", () => {
    steps(
      apply("alpha", { text: "1" }),
      patch("omega", { metadata: { managedFields: [{}] }, spec: { flag: true } }),
      owners({}),
      spec({ text: "1", flag: true }),
    );
  });

  it("does not reset them with an empty list", () => {
    steps(apply("alpha", { text: "1" }), write([]), owners({ alpha: [".spec.text"] }));
  });

  it("resets them with an empty list where that is wanted", () => {
    steps({ emptyListResets: true }, apply("alpha", { text: "1" }), write([]), owners({}));
  });

  it("takes entries over as they are written", () => {
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
  ])("keeps the old ones instead of entries with %s", (_name, broken) => {
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

  it("is found out at the next apply if the stored ones are broken", () => {
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

  it("is validated entry by entry", () => {
    expect(
      validateManagedFields([
        entry,
        { ...entry, operation: "Own", fieldsType: "FieldsV2", manager: "x".repeat(129), subresource: "s".repeat(257) },
      ]),
    ).toEqual([
      {
        field: "metadata.managedFields[1].operation",
        reason: "FieldValueInvalid",
        message: 'Invalid value: "Own": must be `Apply` or `Update`',
      },
      {
        field: "metadata.managedFields[1].fieldsType",
        reason: "FieldValueInvalid",
        message: 'Invalid value: "FieldsV2": must be `FieldsV1`',
      },
      {
        field: "metadata.managedFields[1].manager",
        reason: "FieldValueTooLong",
        message: "Too long: may not be more than 128 bytes",
      },
      {
        field: "metadata.managedFields[1].subresource",
        reason: "FieldValueTooLong",
        message: "Too long: may not be more than 256 bytes",
      },
    ]);
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

  it("can be all but some", () => {
    const keep = keepFields([fieldElement("spec"), fieldElement("entries"), ANY_ELEMENT, fieldElement("value")]);
    steps(
      { resetFields: () => keep },
      apply("alpha", { text: "1", entries: [{ name: "a", value: "1", count: 2 }] }),
      owners({ alpha: ['.spec.entries[name="a"]', '.spec.entries[name="a"].value'] }),
    );
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

describe("a schema that changed its topology", () => {
  const content = { entries: [{ name: "a", value: "1" }], labels: { a: "1" }, struct: { a: "1" }, set: ["x"] };
  const whole = thingType({
    ...SPEC_FIELDS,
    entries: atomicList(struct({ name: STRING, value: STRING })),
    labels: mapOf(STRING, "atomic"),
    struct: struct({ a: STRING }, "atomic"),
    set: atomicList(STRING),
  });
  const all = [".spec.entries", ".spec.labels", ".spec.set", ".spec.struct"];

  it("to atomic makes the owners of parts owners of the whole", () => {
    steps(
      apply("alpha", content),
      schema(whole),
      apply("beta", { number: 1 }),
      owners({ alpha: all, beta: [".spec.number"] }),
      apply("beta", { ...content, labels: { b: "2" } }, { conflicts: ["alpha: .spec.labels"] }),
      update("gamma", { ...content, number: 1, set: ["y"] }),
      owners({ alpha: all.filter((path) => path !== ".spec.set"), beta: [".spec.number"], "gamma*": [".spec.set"] }),
    );
  });

  it("to granular leaves the top with its owner and the parts with nobody", () => {
    steps(
      { type: whole },
      apply("alpha", content),
      owners({ alpha: all }),
      schema(thingType()),
      apply("beta", { labels: { a: "2" }, entries: [{ name: "a", value: "2" }] }),
      spec({ ...content, labels: { a: "2" }, entries: [{ name: "a", value: "2" }] }),
      owners({
        alpha: all,
        beta: [
          '.spec.entries[name="a"]',
          '.spec.entries[name="a"].name',
          '.spec.entries[name="a"].value',
          ".spec.labels.a",
        ],
      }),
    );
  });

  it("shares the whole among several owners of parts", () => {
    steps(
      apply("alpha", { labels: { a: "1" } }),
      apply("beta", { labels: { b: "2" } }),
      schema(whole),
      apply("alpha", { labels: { a: "1" } }, { conflicts: ["beta: .spec.labels"] }),
      apply("alpha", { labels: { a: "1", b: "2" } }),
      owners({ alpha: [".spec.labels"], beta: [".spec.labels"] }),
    );
  });

  it("from one key to another forgets nothing that it does not understand", () => {
    const renamed = thingType({
      ...SPEC_FIELDS,
      set: setOf(STRING),
      entries: listMap(struct({ id: STRING, name: STRING }), "id"),
    });
    steps(
      apply("alpha", { set: ["x"], labels: { a: "1" } }),
      schema(renamed),
      unchanged(apply("alpha", { set: ["x"], labels: { a: "1" } })),
    );
  });
});

describe("a configuration", () => {
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
      "errors:\n  .spec.text: expected string, got &value.valueUnstructured{Value:1}\n  .spec.number: expected numeric (int or float), got string",
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

  it("creates the object if there is none", () => {
    steps(apply("alpha", { text: "1" }), spec({ text: "1" }), part("kind", "Thing"), owners({ alpha: [".spec.text"] }));
  });

  it("may say nothing", () => {
    steps(apply("alpha", {}), owners({}), apply("alpha", { text: "1" }), apply("alpha", {}), owners({}));
  });
});

describe("the manager of a request", () => {
  it.each([
    ["kubectl", "curl/8", "kubectl"],
    ["", "kubectl/v1.32.0 (linux/amd64)", "kubectl"],
    [undefined, "Mozilla", "Mozilla"],
    [undefined, undefined, ""],
    [undefined, "a\u0000b\tc/1", "abc"],
    [undefined, `${"é".repeat(100)}/1`, "é".repeat(64)],
  ])("given as %j by %j is %j", (fieldManager, userAgent, expected) => {
    expect(managerFromRequest(fieldManager, userAgent)).toBe(expected);
  });

  it("may have 128 bytes of printable text", () => {
    expect(validateFieldManager("x".repeat(128))).toEqual([]);
    expect(validateFieldManager("with space é a/b")).toEqual([]);
    expect(validateFieldManager("x".repeat(129))).toEqual([
      { field: "fieldManager", reason: "FieldValueTooLong", message: "Too long: may not be more than 128 bytes" },
    ]);
    expect(validateFieldManager("é\u0000")).toEqual([
      {
        field: "fieldManager",
        reason: "FieldValueInvalid",
        message: 'Invalid value: "é\\x00": invalid character U+0000 (at position 2)',
      },
    ]);
  });
});
