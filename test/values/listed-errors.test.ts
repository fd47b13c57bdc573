import { expect, it } from "vitest";
import { requiredField } from "../../runtime/values/field-errors.ts";
import { invalid } from "../../runtime/values/status-errors.ts";

const subject = { group: "example.com", kind: "Well" };

it("a Status has all errors and causes of an object, in their order", () => {
  const { status } = invalid(subject, "a", [requiredField("spec.a"), requiredField("spec.b"), requiredField("spec.a")]);
  expect(status.message).toBe('Well.example.com "a" is invalid: [spec.a: Required value, spec.b: Required value]');
  expect(status.details?.causes?.map(({ field }) => field)).toEqual(["spec.a", "spec.b", "spec.a"]);
});

it("a Status lists no more errors than fit in a response, and has the number of the others", () => {
  const key = "k".repeat(500_000);
  const errors = Array.from({ length: 100_000 }, (_, index) => requiredField(`spec.${key}[${index}]`));
  const { status } = invalid(subject, "a", errors);
  expect(status.details?.causes).toHaveLength(4);
  expect(status.message?.endsWith(", 99996 more errors are not listed]")).toBe(true);
  expect(invalid(subject, "a", [requiredField("k".repeat(3_000_000))]).status.details?.causes).toHaveLength(1);
});
