import { describe, expect, it } from "vitest";
import { createFieldManager, type FieldManager } from "../../runtime/apply/managed-fields/field-manager.ts";
import { getObject, getString, type JsonObject, type JsonObjectDraft } from "../../runtime/lib/json-object.ts";
import { ownersOf } from "./fixtures/steps.ts";
import { listMap, NUMBER, SPEC_FIELDS, STRING, struct, thingType } from "./fixtures/thing.ts";

/** In v2, `text` is called `title`. v3 is no longer served. Objects are stored in v1. */
const { text: _text, ...others } = SPEC_FIELDS;
const types = new Map([
  ["example.com/v1", thingType()],
  ["example.com/v2", thingType({ ...others, title: STRING })],
]);

function convert(object: JsonObject, apiVersion: string): JsonObject {
  const [from, to] = apiVersion === "example.com/v2" ? ["text", "title"] : ["title", "text"];
  const spec: JsonObjectDraft = { ...getObject(object, "spec") };
  const value = spec[from];
  delete spec[from];
  if (value !== undefined) spec[to] = value;
  return { ...object, apiVersion, ...(object.spec === undefined ? {} : { spec }) };
}

function managerIn(version: string): FieldManager {
  return createFieldManager({
    apiVersion: `example.com/${version}`,
    kind: "Thing",
    now: () => new Date(0),
    schemaFor: (apiVersion) => types.get(apiVersion),
    convert,
  });
}

const thing = (version: string, spec: JsonObject): JsonObject => ({
  apiVersion: `example.com/${version}`,
  kind: "Thing",
  metadata: { name: "one" },
  spec,
});

function apply(
  live: JsonObject | undefined,
  version: string,
  manager: string,
  spec: JsonObject,
  force = false,
): JsonObject {
  const result = managerIn(version).apply(live, thing(version, spec), manager, force);
  return { ...result, metadata: { uid: "u", ...getObject(result, "metadata") } };
}

describe("managers that use different versions", () => {
  it("get the object in the version of the live object", () => {
    const live = apply(undefined, "v1", "alpha", { number: 1 });
    const result = apply(live, "v2", "beta", { title: "t" });
    expect([getString(result, "apiVersion"), result.spec]).toEqual(["example.com/v1", { number: 1, text: "t" }]);
    expect(ownersOf(result)).toEqual({ alpha: [".spec.number"], "beta@v2": [".spec.title"] });
  });

  it("see each other's fields under the names of their own version", () => {
    const live = apply(undefined, "v1", "alpha", { text: "t" });
    expect(() => apply(live, "v2", "beta", { title: "u" })).toThrow('conflict with "alpha": .spec.text');
    const forced = apply(live, "v2", "beta", { title: "u" }, true);
    expect(forced.spec).toEqual({ text: "u" });
    expect(ownersOf(forced)).toEqual({ "beta@v2": [".spec.title"] });
    expect(() => apply(forced, "v1", "alpha", { text: "t" })).toThrow('conflict with "beta": .spec.title');
  });

  it("share a field under two names", () => {
    const live = apply(apply(undefined, "v1", "alpha", { text: "t" }), "v2", "beta", { title: "t" });
    expect(ownersOf(live)).toEqual({ alpha: [".spec.text"], "beta@v2": [".spec.title"] });
    const left = apply(live, "v1", "alpha", {});
    expect([left.spec, ownersOf(left)]).toEqual([{ text: "t" }, { alpha: [".spec"], "beta@v2": [".spec.title"] }]);
  });

  it("remove fields that they applied in another version and now omit", () => {
    const live = apply(undefined, "v1", "alpha", { text: "t", number: 1 });
    const result = apply(live, "v2", "alpha", { number: 1 });
    expect(result.spec).toEqual({ number: 1 });
    expect(ownersOf(result)).toEqual({ "alpha@v2": [".spec.number"] });
  });

  it("keep a field that every object of its type has, of an entry that another manager owns, as Kubernetes does", () => {
    const written = listMap(
      struct({ name: STRING, value: { type: STRING, alwaysPresent: true }, count: NUMBER }),
      "name",
    );
    const manager = (version: string) =>
      createFieldManager({
        apiVersion: `example.com/${version}`,
        kind: "Thing",
        now: () => new Date(0),
        schemaFor: () => thingType({ ...SPEC_FIELDS, written }),
        convert: (object, apiVersion) => ({ ...object, apiVersion }),
      });
    const step = (live: JsonObject | undefined, version: string, who: string, spec: JsonObject): JsonObject => {
      const result = manager(version).apply(live, thing(version, spec), who, true);
      const metadata = { uid: "u", ...getObject(result, "metadata") };
      return { ...result, metadata, spec: getObject(result, "spec") ?? {} };
    };
    const mine = step(undefined, "v1", "alpha", { written: [{ name: "a", value: "x", count: 1 }] });
    const shared = step(mine, "v1", "beta", { written: [{ name: "a", count: 2 }] });
    expect(step(shared, "v1", "alpha", { number: 1 }).spec).toEqual({ number: 1, written: [{ name: "a", count: 2 }] });
    expect(step(shared, "v2", "alpha", { number: 1 }).spec).toEqual({
      number: 1,
      written: [{ name: "a", value: "x", count: 2 }],
    });
  });

  it("keep a renamed field that the applier still applies", () => {
    const live = apply(undefined, "v1", "alpha", { text: "t", number: 1 });
    const result = apply(live, "v2", "alpha", { title: "t" });
    expect(result.spec).toEqual({ text: "t" });
    expect(ownersOf(result)).toEqual({ "alpha@v2": [".spec.title"] });
  });

  it("change owners on updates, with field names of the updater's version", () => {
    const live = apply(undefined, "v1", "alpha", { text: "t", number: 1 });
    const next = { ...live, spec: { text: "u", number: 1 } };
    const updated = managerIn("v2").update(live, next, "beta");
    expect(ownersOf(updated)).toEqual({ alpha: [".spec.number"], "beta*@v2": [".spec.title"] });
  });

  it("are dropped if their version is no longer served", () => {
    const live = apply(undefined, "v1", "alpha", { text: "t" });
    const old = {
      ...live,
      metadata: {
        ...getObject(live, "metadata"),
        managedFields: [
          {
            manager: "old",
            operation: "Apply",
            apiVersion: "example.com/v3",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:spec": { "f:text": {} } },
          },
        ],
      },
    } as JsonObject;
    expect(ownersOf(apply(old, "v1", "beta", { text: "x" }))).toEqual({ beta: [".spec.text"] });
    expect(ownersOf(managerIn("v1").update(old, { ...old, spec: { text: "y" } }, "gamma"))).toEqual({
      "gamma*": [".spec.text"],
    });
  });
});
