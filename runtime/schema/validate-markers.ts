import { createRequire } from "node:module";
import type { FieldError } from "../contract/field-error.ts";
import type { Markers } from "../contract/type-table.ts";
import { isJsonObject } from "../lib/json-object.ts";
import { invalidField, invalidFields, tooLongField, tooManyField, unsupportedField } from "../values/field-errors.ts";
import { lazy, type Shape } from "./shape.ts";
import { formatCheck } from "./validate-format.ts";

type Check = (value: unknown, old: unknown, errors: FieldError[]) => void;

/** Returns the checks that markers declare for a value itself, not for its contents. Absent values are not checked. */
export function markerChecks(shape: Shape, markers: Markers): Check[] {
  switch (shape.kind) {
    case "scalar":
      if (shape.scalar === "rawObject") return mapChecks(markers).map(onObject);
      return [...textChecks(markers), ...numberChecks(markers)];
    case "list":
      return listChecks(markers);
    case "map":
    case "struct":
      return mapChecks(markers);
  }
}

function textChecks(markers: Markers): Check[] {
  const checks: Check[] = [];
  const { closed, minLength, maxLength, pattern, format } = markers;
  if (closed && markers.enum !== undefined) checks.push(enumCheck(markers.enum));
  if (minLength !== undefined) {
    checks.push(
      onText((text, errors) => {
        if ([...text].length >= minLength) return;
        errors.push(invalidField("", text, `must be at least ${minLength} characters long`));
      }),
    );
  }
  if (maxLength !== undefined) {
    checks.push(
      onText((text, errors) => {
        // A string has at least as many UTF-16 units as characters.
        if (text.length <= maxLength || [...text].length <= maxLength) return;
        errors.push({
          ...tooLongField("", maxLength),
          message: `Too long: may not be more than ${maxLength} characters`,
        });
      }),
    );
  }
  if (pattern !== undefined) checks.push(patternCheck(pattern));
  if (format !== undefined) {
    const check = formatCheck(format);
    if (check !== undefined)
      checks.push(onText((text, errors) => void errors.push(...invalidFields("", text, check(text)))));
  }
  return checks;
}

function enumCheck(values: readonly string[]): Check {
  const supported = [...values].sort();
  const known = new Set<unknown>(values);
  return onText((text, errors) => {
    if (!known.has(text)) errors.push(unsupportedField("", text, supported));
  });
}

/** Loaded with the first pattern: few types have one, and loading it would slow down every start. */
const re2 = lazy(() => createRequire(import.meta.url)("re2js") as typeof import("re2js"));

/** Uses RE2 for linear time: patterns come from definitions, strings from any client. */
function patternCheck(pattern: string): Check {
  const compiled = lazy(() => re2().RE2JS.compile(pattern));
  return onText((text, errors) => {
    if (!compiled().matcher(text).find())
      errors.push(invalidField("", text, `must match the regular expression '${pattern}'`));
  });
}

function onText(check: (text: string, errors: FieldError[]) => void): Check {
  return (value, _old, errors) => {
    if (typeof value === "string") check(value, errors);
  };
}

function onObject(check: Check): Check {
  return (value, old, errors) => {
    if (isJsonObject(value)) check(value, old, errors);
  };
}

function numberChecks({ minimum, maximum }: Markers): Check[] {
  const checks: Check[] = [];
  const isNumber = (value: unknown): value is number | bigint => typeof value === "number" || typeof value === "bigint";
  if (minimum !== undefined) {
    checks.push((value, _old, errors) => {
      if (isNumber(value) && value < minimum) {
        errors.push(invalidField("", value, `must be greater than or equal to ${minimum}`));
      }
    });
  }
  if (maximum !== undefined) {
    checks.push((value, _old, errors) => {
      if (isNumber(value) && value > maximum) {
        errors.push(invalidField("", value, `must be less than or equal to ${maximum}`));
      }
    });
  }
  return checks;
}

function listChecks({ minItems, maxItems }: Markers): Check[] {
  const checks: Check[] = [];
  if (minItems !== undefined) {
    checks.push((value, _old, errors) => {
      const count = (value as readonly unknown[]).length;
      if (count < minItems) errors.push(invalidField("", count, `must have at least ${minItems} items`));
    });
  }
  if (maxItems !== undefined) {
    checks.push((value, _old, errors) => {
      const count = (value as readonly unknown[]).length;
      if (count > maxItems) errors.push(tooManyField("", count, maxItems));
    });
  }
  return checks;
}

function mapChecks({ minProperties, maxProperties }: Markers): Check[] {
  const checks: Check[] = [];
  if (minProperties !== undefined) {
    checks.push((value, _old, errors) => {
      const count = Object.keys(value as object).length;
      if (count < minProperties) errors.push(invalidField("", count, `must have at least ${minProperties} entries`));
    });
  }
  if (maxProperties !== undefined) {
    checks.push((value, _old, errors) => {
      const count = Object.keys(value as object).length;
      if (count > maxProperties) errors.push(tooManyField("", count, maxProperties));
    });
  }
  return checks;
}
