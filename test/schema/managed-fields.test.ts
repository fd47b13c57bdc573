import { expect, it } from "vitest";
import { validateMetadata } from "../../runtime/schema/validate-metadata.ts";

const entry = { manager: "gamma", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} };
const problemsOf = (managedFields: readonly object[]) =>
  validateMetadata({ name: "x", managedFields: [...managedFields] }, false, () => []).map(
    ({ field, message }) => `${field}: ${message}`,
  );

it("accepts an entry of managedFields with a subresource of 256 bytes", () => {
  expect(problemsOf([entry, { ...entry, subresource: "s".repeat(256) }])).toEqual([]);
});

it("refuses unknown operations and types of fields, and managers and subresources that are too long", () => {
  const broken = { operation: "Own", fieldsType: "FieldsV2", manager: "x".repeat(129), subresource: "s".repeat(257) };
  expect(problemsOf([entry, { ...entry, ...broken }])).toEqual([
    'metadata.managedFields[1].operation: Invalid value: "Own": must be `Apply` or `Update`',
    'metadata.managedFields[1].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
    "metadata.managedFields[1].manager: Too long: may not be more than 128 bytes",
    "metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes",
  ]);
});

it("refuses managers with characters that cannot be printed", () => {
  expect(problemsOf([{ ...entry, manager: "a\tb" }])).toEqual([
    String.raw`metadata.managedFields[0].manager: Invalid value: "a\tb": invalid character U+0009 (at position 1)`,
  ]);
});
