import { describe, it } from "vitest";
import { createFieldManager } from "../../runtime/apply/managed-fields/field-manager.ts";
import { schemas } from "../kinds/conversions/converters.ts";
import { expectLinear } from "./growth.ts";

const schema = schemas.of("core/v1.ConfigMap");
const manager = createFieldManager({
  apiVersion: "v1",
  kind: "ConfigMap",
  now: () => new Date(0),
  schemaFor: () => schema.mergeType,
  convert: (object) => object,
});
const head = { apiVersion: "v1", kind: "ConfigMap" };

function entry(name: string, operation: "Apply" | "Update", key: string) {
  const time = "2024-01-01T00:00:00Z";
  const fieldsV1 = { "f:data": { [`f:${key}`]: {} } };
  return { manager: name, operation, apiVersion: "v1", time, fieldsType: "FieldsV1", fieldsV1 };
}

const dataOf = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, prefix]));

/** Returns an object in which each key was applied by a different manager. */
function appliedByMany(size: number) {
  const others = Array.from({ length: size }, (_, index) => entry(`m${index}`, "Apply", `k${index}`));
  const managedFields = [entry("own", "Apply", "own"), ...others];
  return { ...head, metadata: { name: "a", uid: "1", managedFields }, data: { ...dataOf(size, "k"), own: "" } };
}

describe("thousands of managers take linear time", () => {
  it("when an update lists them", async () => {
    const live = { ...head, metadata: { name: "a", uid: "1" } };
    const managedFields = (size: number) =>
      Array.from({ length: size }, (_, index) => entry(`m${index}`, "Update", `a${index}`));
    await expectLinear(
      (size) => ({ ...live, metadata: { ...live.metadata, managedFields: managedFields(size) } }),
      (next) => manager.update(live, next, "m"),
      { size: 500 },
    );
  });

  it("when an apply omits what it had applied before", async () => {
    const config = { ...head, metadata: { name: "a" }, data: { other: "" } };
    await expectLinear(appliedByMany, (live) => manager.apply(live, config, "own", true), { size: 2000 });
  });

  it("when an apply conflicts with all of them and adds as many fields", async () => {
    await expectLinear(
      (size) => ({ live: appliedByMany(size), data: { ...dataOf(size, "k"), ...dataOf(size, "z") } }),
      ({ live, data }) => {
        const changed = Object.fromEntries(Object.keys(data).map((key) => [key, "changed"]));
        return manager.apply(live, { ...head, metadata: { name: "a" }, data: changed }, "new", false);
      },
      { size: 2000 },
    );
  });
});
