import type { TypeExpr, TypeRef, TypeSource } from "../../runtime/contract/type-table.ts";
import { definitionOf, fieldsOf } from "../fixtures/type-fields.ts";
import { type Random, RandomObjects } from "../kinds/conversions/random-objects.ts";
import { type FieldPath, getAt, setAt } from "./field-paths.ts";

/** Puts this number of entries into a list or map of an object: copies of its first entry, or of a random one of the right type. */
export function setEntries(
  types: TypeSource,
  object: Record<string, unknown>,
  { steps, is, of }: FieldPath,
  random: Random,
  indexes: readonly (number | undefined)[],
): void {
  const first = getAt(object, [...steps, is === "list" ? "[]" : "{}"]) ?? new RandomObjects(types, random).value(of);
  const entries = indexes.map((index) => (index === undefined ? first : distinct(types, of, first, index)));
  setAt(
    object,
    steps,
    is === "list" ? entries : Object.fromEntries(entries.map((value, index) => [`key-${index}`, value])),
  );
}

/** Returns a copy of the same type that differs for each index, by itself or in its scalars. */
function distinct(types: TypeSource, type: TypeExpr, value: unknown, index: number): unknown {
  const plain = withoutAlias(types, type);
  if (typeof plain === "object") return value;
  if (!plain.includes(".")) return distinctScalar(plain, value, index);
  const copy = { ...(value as Record<string, unknown>) };
  for (const { name, type: of } of fieldsOf(types, plain as TypeRef)) {
    const scalar = withoutAlias(types, of);
    if (name in copy && typeof scalar === "string") copy[name] = distinctScalar(scalar, copy[name], index);
  }
  return copy;
}

/** Resolves aliases: returns a scalar, struct, list or map. */
function withoutAlias(types: TypeSource, type: TypeExpr): TypeExpr {
  if (typeof type === "object" || !type.includes(".")) return type;
  const definition = definitionOf(types, type as TypeRef);
  return "fields" in definition ? type : withoutAlias(types, definition.is);
}

function distinctScalar(scalar: string, value: unknown, index: number): unknown {
  return SCALARS[scalar]?.(value, index) ?? value;
}

const SCALARS: Readonly<Record<string, (value: unknown, index: number) => unknown>> = {
  string: (value, index) => `${value}${index}`,
  int32: (_, index) => index,
  int64: (_, index) => index,
  double: (_, index) => index,
  intOrString: (_, index) => index,
  quantity: (_, index) => String(index),
  duration: (_, index) => `${index}s`,
  bytes: (_, index) => Buffer.from(String(index)).toString("base64"),
  time: (_, index) => timeAt(index).replace(".000Z", "Z"),
  microTime: (_, index) => timeAt(index).replace("Z", "000Z"),
};

const timeAt = (index: number): string => new Date(Date.UTC(2020, 0, 1) + index * 1000).toISOString();
