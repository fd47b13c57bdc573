import { expect, it } from "vitest";
import { readMetadata } from "../../runtime/compose/read-metadata.ts";

const owners = [{ manager: "m", fieldsV1: { "f:data": {} } }];

it("reads metadata up to the owners of fields", () => {
  const object = { kind: "ConfigMap", metadata: { name: "a", uid: "7", managedFields: owners }, data: { a: "b" } };
  expect(readMetadata(Buffer.from(JSON.stringify(object)))).toEqual({ name: "a", uid: "7" });
});

it("leaves an object with sorted keys, whose owners of fields are not last, to be read whole", () => {
  const metadata = { generation: 1, managedFields: owners, name: "a", ownerReferences: [], uid: "7" };
  expect(readMetadata(Buffer.from(JSON.stringify({ kind: "Pear", metadata })))).toBeUndefined();
});

it("is not taken in by owners of fields of something inside the object", () => {
  const template = { metadata: { managedFields: owners } };
  const object = { kind: "Thing", metadata: { name: "a", uid: "7" }, template };
  expect(readMetadata(Buffer.from(JSON.stringify(object)))).toBeUndefined();
});
