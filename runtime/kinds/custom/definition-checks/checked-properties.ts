import type { Steps } from "../../../lib/in-turns.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";

const SCALARS: ReadonlySet<unknown> = new Set(["boolean", "integer", "number", "string"]);
const SCALAR_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
]);

/** Whether a schema describes a scalar without defaults, patterns, alternatives and extensions, as most schemas do. Such a schema is structural. */
function isPlainScalar(schema: CustomSchema): boolean {
  if (!SCALARS.has(schema.type)) return false;
  for (const keyword in schema) if (!SCALAR_KEYWORDS.has(keyword)) return false;
  return true;
}

type Properties = Readonly<Record<string, CustomSchema>>;

const known = new WeakMap<Properties, readonly [string, CustomSchema][]>();
const NONE: readonly [string, CustomSchema][] = [];

/** Number of properties that are checked in one step. */
const STEP = 1000;

/** Returns the properties of a schema that can have errors: all except plain scalars. The result is cached and shared by all checks. */
export function* checkedProperties({ properties }: CustomSchema): Steps<readonly [string, CustomSchema][]> {
  if (properties === undefined) return NONE;
  const former = known.get(properties);
  if (former !== undefined) return former;
  const found: [string, CustomSchema][] = [];
  let seen = 0;
  for (const name in properties) {
    if (++seen % STEP === 0) yield;
    const property = properties[name] as CustomSchema;
    if (!isPlainScalar(property)) found.push([name, property]);
  }
  known.set(properties, found);
  return found;
}
