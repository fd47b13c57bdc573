import { expect, it } from "vitest";
import { goFloat } from "../../runtime/go/float.ts";

it.each([
  [0, "0"],
  [-0, "-0"],
  [1, "1"],
  [-1.5, "-1.5"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [0.00009999999999999999, "9.999999999999999e-05"],
  [999_999, "999999"],
  [999_999.9, "999999.9"],
  [1_000_000, "1e+06"],
  [-1_234_567.5, "-1.2345675e+06"],
  [1e21, "1e+21"],
  [5e-324, "5e-324"],
  [1.7976931348623157e308, "1.7976931348623157e+308"],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "+Inf"],
  [Number.NEGATIVE_INFINITY, "-Inf"],
])("prints %d as Go does: %s", (value, text) => {
  expect(goFloat(value)).toBe(text);
});
