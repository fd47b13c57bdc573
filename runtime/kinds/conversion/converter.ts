import type { ApiObject } from "../../contract/api-object.ts";
import { parseApiVersion } from "../../contract/group-version.ts";
import { carryNotes } from "../../go/source-notes.ts";
import { cloneJson } from "../../lib/clone-json.ts";
import type { TypeSchema } from "../../schema/type-schema.ts";
import { withUnvalidated } from "../broken-rules.ts";
import { type CarriedDomains, CarryAnnotation, differences, restore } from "./carried-fields.ts";
import { compileRenames, invertRenames, type Renames, renamedPath } from "./rename-fields.ts";

/** One version of a kind. */
export interface ConversionSide {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: TypeSchema<ApiObject>;
}

/** Differences between two versions, as declared in a group's `conversions.ts`. */
export interface ConversionRule {
  readonly rename?: Renames | undefined;
  readonly toHub?: ((from: never, hub: never) => void) | undefined;
  readonly fromHub?: ((hub: never, to: never) => void) | undefined;
  /** Dotted paths of lists of the stored version whose order has no meaning. */
  readonly unordered?: readonly string[] | undefined;
  /** Dotted paths of fields that are not carried, because their values are repeated elsewhere. */
  readonly repeated?: readonly string[] | undefined;
  /** Whether the versions differ in names only, so that conversion never loses anything. */
  readonly exact?: boolean | undefined;
}

/** Converts objects between one version and the stored version. Neither function changes its argument. */
export interface Converter {
  toHub(object: ApiObject): ApiObject;
  fromHub(object: ApiObject): ApiObject;
  /** Returns the path in this version of a field of the stored version, as far as renames declare it. */
  fieldFromHub(path: string): string;
}

/**
 * Creates the converter of a version whose shape differs from the stored version. Fields that are not converted by equal names, renames or
 * functions are kept in the annotation `conversion.<domain>/carried`. Converting back restores them unless they were changed in the meantime
 * (docs/versioning.md, "Conversion").
 */
export function createConverter(
  from: ConversionSide,
  hub: ConversionSide,
  rule: ConversionRule,
  domains: CarriedDomains,
): Converter {
  const annotation = new CarryAnnotation(domains);
  const renames = rule.rename ?? {};
  const toHub = plainConversion(from, hub, compileRenames(renames), rule.toHub);
  const inverse = invertRenames(renames);
  const fromHub = plainConversion(hub, from, compileRenames(inverse), rule.fromHub);
  const fieldFromHub = (path: string) => renamedPath(path, inverse);
  if (rule.exact === true) return { toHub, fromHub, fieldFromHub };
  const unordered = new Set(rule.unordered);
  const repeated = new Set(rule.repeated);
  return {
    toHub: carrying({ source: from, target: hub, convert: toHub, invert: fromHub, annotation, unordered, repeated }),
    fromHub: carrying({ source: hub, target: from, convert: fromHub, invert: toHub, annotation, unordered, repeated }),
    fieldFromHub,
  };
}

type Conversion = (object: ApiObject) => ApiObject;

/** Converts by equal names, renames and the declared function. Drops fields that the target does not have. */
function plainConversion(
  source: ConversionSide,
  target: ConversionSide,
  rename: (from: object, draft: object) => void,
  complete: ((from: never, to: never) => void) | undefined,
): Conversion {
  const { group } = parseApiVersion(source.apiVersion);
  const version = { group, kind: source.kind, schema: source.schema };
  return (object) => {
    const copy = cloneJson(object, carryNotes);
    const draft = { ...copy, kind: target.kind, apiVersion: target.apiVersion } as ApiObject;
    carryNotes(copy, draft);
    rename(object, draft);
    if (complete !== undefined) withUnvalidated(version, object, () => complete(object as never, draft as never));
    return canonical(target, draft);
  };
}

interface CarryingParts {
  readonly source: ConversionSide;
  readonly target: ConversionSide;
  readonly convert: Conversion;
  readonly invert: Conversion;
  readonly annotation: CarryAnnotation;
  readonly unordered: ReadonlySet<string>;
  readonly repeated: ReadonlySet<string>;
}

function carrying({ source, target, convert, invert, annotation, unordered, repeated }: CarryingParts): Conversion {
  return (object) => {
    const original = canonical(source, object);
    const carried = annotation.take(original, target.apiVersion);
    let converted = convert(original);
    if (carried.length > 0) converted = restored(converted, carried, target);
    const lost = differences(original, invert(converted), unordered).filter(
      ({ path }) => !repeated.has(path.join(".")),
    );
    if (lost.length === 0) return converted;
    annotation.put(converted, source.apiVersion, lost);
    return canonical(target, converted);
  };
}

/** Returns the object with its carried fields, or the object itself if they do not match its type. */
function restored(object: ApiObject, carried: Parameters<typeof restore>[1], side: ConversionSide): ApiObject {
  const complete = cloneJson(object);
  restore(complete, carried);
  try {
    return canonical(side, complete);
  } catch {
    return object;
  }
}

function canonical(side: ConversionSide, object: ApiObject): ApiObject {
  const decoded = side.schema.canonicalize(object, { given: true });
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = decoded;
  const whole = { kind: side.kind, apiVersion: side.apiVersion, ...rest } as ApiObject;
  carryNotes(decoded, whole);
  return whole;
}
