import { it } from "vitest";
import { createFieldManager } from "../../runtime/apply/managed-fields/field-manager.ts";
import { schemas } from "../kinds/conversions/converters.ts";
import { expectLinear } from "./growth.ts";

it("merges thousands of managers that a request lists in linear time", async () => {
  const schema = schemas.of("core/v1.ConfigMap");
  const manager = createFieldManager({
    apiVersion: "v1",
    kind: "ConfigMap",
    now: () => new Date(0),
    schemaFor: () => schema.mergeType,
    convert: (object) => object,
  });
  const entries = (size: number) =>
    Array.from({ length: size }, (_, index) => ({
      manager: `m${index}`,
      operation: "Update",
      apiVersion: "v1",
      time: "2024-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { [`f:a${index}`]: {} } },
    }));
  const live = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", uid: "1" } };
  await expectLinear(
    (size) => ({ ...live, metadata: { ...live.metadata, managedFields: entries(size) } }),
    (next) => manager.update(live, next, "m"),
    { size: 500 },
  );
});
