import type { Markers, TypeExpr } from "../model/contract.ts";
import { describeType, isRef, unalias } from "../model/type-walk.ts";
import { MARKERS, type MarkerWord, type Target } from "../model/vocabulary.ts";
import type { CheckContext } from "./check-context.ts";
import { valueSites } from "./value-sites.ts";

/** Marker that sets each property of the model, for markers that are restricted to certain types. */
const LEFT_BY: { readonly [property in keyof Markers]?: MarkerWord } = {
  minimum: "Minimum",
  maximum: "Maximum",
  minLength: "MinLength",
  maxLength: "MaxLength",
  pattern: "Pattern",
  format: "Format",
  minItems: "MinItems",
  maxItems: "MaxItems",
  minProperties: "MinProperties",
  maxProperties: "MaxProperties",
  patchMergeKey: "PatchMerge",
  discriminator: "Discriminator",
};

const EXPECTED: { readonly [target in Target]: string } = {
  number: "a number: Int32, Int64 or Double",
  string: "a string",
  list: "a list",
  map: "a map",
  struct: "a struct",
  object: "a map or a struct",
  any: "anything",
};

/** Checks that markers are used on types that they apply to: a minimum on numbers, a length on strings. */
export function checkMarkerTargets({ model, diagnostics }: CheckContext): void {
  for (const { type, markers, at } of valueSites(model)) {
    const real = unalias(model, type);
    for (const [property, word] of Object.entries(LEFT_BY)) {
      if (markers[property as keyof Markers] === undefined) continue;
      const { target } = MARKERS[word];
      if (!fits(real, target)) {
        diagnostics.report("marker-target", at, { marker: word, type: describeType(type), expected: EXPECTED[target] });
      }
    }
    for (const [property, word] of Object.entries(OF_OBJECTS)) {
      if (markers[property as keyof Markers] === undefined || holdsFields(real)) continue;
      const expected = EXPECTED.object;
      diagnostics.report("marker-target", at, { marker: word, type: describeType(type), expected });
    }
  }
}

/** Markers that apply only to values with fields or entries. */
const OF_OBJECTS: { readonly [property in keyof Markers]?: string } = {
  mapType: "an atomic or granular marker",
  preserveUnknown: "PreserveUnknown",
  embeddedObject: "EmbeddedObject",
};

function holdsFields(type: TypeExpr): boolean {
  return fits(type, "object") || type === "json" || type === "fieldsV1";
}

const NUMBERS = new Set<TypeExpr>(["int32", "int64", "double", "intOrString"]);
const TEXTS = new Set<TypeExpr>(["string", "bytes", "duration", "quantity", "time", "microTime", "intOrString"]);

function fits(type: TypeExpr, target: Target): boolean {
  switch (target) {
    case "number":
      return NUMBERS.has(type);
    case "string":
      return TEXTS.has(type);
    case "list":
      return typeof type === "object" && "list" in type;
    case "map":
      return typeof type === "object" && "map" in type;
    case "struct":
      return isRef(type);
    case "object":
      return isRef(type) || type === "rawObject" || (typeof type === "object" && "map" in type);
    case "any":
      return true;
  }
}
