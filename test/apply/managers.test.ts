import { describe, expect, it } from "vitest";
import { managerFromRequest, validateFieldManager } from "../../runtime/values/manager-name.ts";
import {
  apply,
  check,
  entriesOf,
  force,
  owners,
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

  it("that apply have one entry for all versions", () => {
    steps(
      apply("alpha", { text: "1" }),
      apply("alpha", { number: 1 }, { apiVersion: "example.com/v2" }),
      spec({ number: 1 }),
      owners({ "alpha@v2": [".spec.number"] }),
    );
  });

  it("keep their time if a request changes nothing", () => {
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

  it("have no time if they never changed a value", () => {
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

  it("without a name are called unknown", () => {
    steps(update("", { text: "1" }), owners({ "unknown*": [".spec", ".spec.text"] }));
  });

  it("never own fields that the server sets", () => {
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

describe("a schema whose list or map type changed", () => {
  const content = { entries: [{ name: "a", value: "1" }], labels: { a: "1" }, struct: { a: "1" }, set: ["x"] };
  const whole = thingType({
    ...SPEC_FIELDS,
    entries: atomicList(struct({ name: STRING, value: STRING })),
    labels: mapOf(STRING, "atomic"),
    struct: struct({ a: STRING }, "atomic"),
    set: atomicList(STRING),
  });
  const all = [".spec.entries", ".spec.labels", ".spec.set", ".spec.struct"];

  it("to atomic makes owners of parts owners of the whole", () => {
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

  it("to granular keeps the owner of the field, and its parts have no owner", () => {
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

  it("from one list key to another keeps entries that use the old key", () => {
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
