import { describe, expect, it } from "vitest";
import { fieldPath } from "../../runtime/apply/fieldpath/path.ts";
import { parentManagedFields, scaleManagedFields } from "../../runtime/apply/managed-fields/scale-entries.ts";

const paths = new Map([
  ["apps/v1", fieldPath("spec", "replicas")],
  ["apps/v2", null],
]);
const entry = (manager: string, apiVersion: string, fieldsV1: object, more: object = {}) => ({
  manager,
  operation: "Apply",
  apiVersion,
  time: "2020-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1,
  ...more,
});
const both = { "f:spec": { "f:replicas": {}, "f:text": {} } };
const replicas = { "f:spec": { "f:replicas": {} } };

describe("the managedFields of a scale", () => {
  const parent = [
    entry("alpha", "apps/v1", both),
    entry("beta", "apps/v2", replicas),
    entry("gamma", "apps/v9", replicas),
  ];

  it("are those of the owners of replicas", () => {
    expect(scaleManagedFields(parent as never, paths)).toEqual([entry("alpha", "autoscaling/v1", replicas)]);
  });

  it("are written back to the parent object, without entries of unknown versions", () => {
    const scale = [entry("alpha", "autoscaling/v1", replicas)];
    expect(parentManagedFields(parent as never, scale as never, paths, "apps/v1")).toEqual(parent.slice(0, 2));
  });

  it("remove replicas from the old owner and add it to the new one", () => {
    const scaler = entry("scaler", "autoscaling/v1", replicas, { operation: "Update", subresource: "scale" });
    const { time: _time, ...untimed } = entry("scaler", "apps/v1", replicas, {
      operation: "Update",
      subresource: "scale",
    });
    expect(
      parentManagedFields([entry("alpha", "apps/v1", both)] as never, [scaler] as never, paths, "apps/v1"),
    ).toEqual([entry("alpha", "apps/v1", { "f:spec": { "f:text": {} } }), untimed]);
    expect(
      parentManagedFields([entry("alpha", "apps/v1", replicas)] as never, [scaler] as never, paths, "apps/v1"),
    ).toEqual([untimed]);
  });
});
