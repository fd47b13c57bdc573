import { expect, it } from "vitest";
import { readMetadata } from "../../../runtime/resource/access/read-metadata.ts";

const owners = [{ manager: "m", fieldsV1: { "f:data": {} } }];

it("readMetadata reads metadata without managedFields", () => {
  const object = { kind: "ConfigMap", metadata: { name: "a", uid: "7", managedFields: owners }, data: { a: "b" } };
  expect(readMetadata(Buffer.from(JSON.stringify(object)))).toEqual({ name: "a", uid: "7" });
});

it("readMetadata returns undefined if managedFields is not the last key of metadata", () => {
  const metadata = { generation: 1, managedFields: owners, name: "a", ownerReferences: [], uid: "7" };
  expect(readMetadata(Buffer.from(JSON.stringify({ kind: "Pear", metadata })))).toBeUndefined();
});

it("readMetadata ignores managedFields of nested metadata", () => {
  const template = { metadata: { managedFields: owners } };
  const object = { kind: "Thing", metadata: { name: "a", uid: "7" }, template };
  expect(readMetadata(Buffer.from(JSON.stringify(object)))).toBeUndefined();
});
