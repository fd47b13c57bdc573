import { RE2JS } from "re2js";
import { closest } from "../../runtime/lib/did-you-mean.ts";
import { FORMATS } from "../crds/formats.ts";
import type { Markers, TypeExpr } from "../model/contract.ts";
import type { Model } from "../model/model.ts";
import { findType, isRef, unalias } from "../model/type-walk.ts";
import type { CheckContext } from "./check-context.ts";
import { valueSites } from "./value-sites.ts";

/** Checks that limits allow at least one value and that the server can evaluate the patterns. */
export function checkLimits({ model, diagnostics }: CheckContext): void {
  for (const { type, markers, at, owner } of valueSites(model)) {
    const pairs = [
      [markers.minimum, markers.maximum],
      [markers.minLength, markers.maxLength],
      [markers.minItems, markers.maxItems],
      [markers.minProperties, markers.maxProperties],
    ];
    for (const [low, high] of pairs) {
      if (low !== undefined && high !== undefined && low > high) diagnostics.report("range-empty", at, { low, high });
    }
    for (const [property, value] of COUNTS.map((name) => [name, markers[name]] as const)) {
      if (value === undefined || (Number.isInteger(value) && value >= 0)) continue;
      const parameters = { marker: markerOf(property), value, expected: "a whole number that is not negative" };
      diagnostics.report("limit-value", at, parameters);
    }
    if (unalias(model, type) === "int32") {
      for (const property of ["minimum", "maximum"] as const) {
        const value = markers[property];
        if (value === undefined || Math.abs(value) <= 2 ** 31) continue;
        diagnostics.report("limit-value", at, {
          marker: markerOf(property),
          value,
          expected: "a number of 32 bits, or Int64",
        });
      }
    }
    if (markers.format !== undefined && !Object.hasOwn(FORMATS, markers.format)) {
      const known = Object.keys(FORMATS);
      const parameters = { format: JSON.stringify(markers.format), expected: `one of ${known.join(", ")}` };
      diagnostics.report("format-unknown", at, parameters, closest(markers.format, known));
    }
    const repeated = markers.enum?.find((value, index, all) => all.indexOf(value) !== index);
    if (repeated !== undefined) diagnostics.report("marker-twice", at, { marker: JSON.stringify(repeated) });
    const problem = markers.pattern === undefined ? undefined : patternProblem(markers.pattern);
    if (problem !== undefined) diagnostics.report("pattern-invalid", at, { problem });
    if (type !== owner.ref)
      for (const parameters of replacedLimits(model, type, markers))
        diagnostics.report("marker-replaced", at, parameters);
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;

function markerOf(property: string): string {
  return `${property.charAt(0).toUpperCase()}${property.slice(1)}`;
}

/** For each limit, whether `own` allows values that `ofType` does not. Patterns and formats do if they differ. */
const LIMITS: { readonly [marker in keyof Markers]?: (own: never, ofType: never) => boolean } = {
  minimum: (own: number, ofType: number) => own < ofType,
  maximum: (own: number, ofType: number) => own > ofType,
  minLength: (own: number, ofType: number) => own < ofType,
  maxLength: (own: number, ofType: number) => own > ofType,
  minItems: (own: number, ofType: number) => own < ofType,
  maxItems: (own: number, ofType: number) => own > ofType,
  minProperties: (own: number, ofType: number) => own < ofType,
  maxProperties: (own: number, ofType: number) => own > ofType,
  pattern: (own: string, ofType: string) => own !== ofType,
  format: (own: string, ofType: string) => own !== ofType,
};

/** Returns the limits of a field or entry that replace a stricter limit of its type, so that values could be invalid for the type. */
function replacedLimits(
  model: Model,
  type: TypeExpr,
  markers: Markers,
): { marker: string; type: string; limit: string }[] {
  const named = isRef(type) ? findType(model, type) : undefined;
  if (named === undefined) return [];
  const here = Object.entries(LIMITS).flatMap(([property, isWider]) => {
    const [own, ofType] = [markers, named.markers].map((all) => all[property as keyof Markers]);
    if (own === undefined || ofType === undefined || !isWider(own as never, ofType as never)) return [];
    const marker = markerOf(property);
    return [{ marker, type: named.name, limit: `${marker}<${JSON.stringify(ofType)}>` }];
  });
  return [...here, ...(named.form === "alias" ? replacedLimits(model, named.is, markers) : [])];
}
