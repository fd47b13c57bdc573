import type { FieldError } from "./field-error.ts";

const places = new Map<string, FieldError>();

/**
 * A place in a list of errors for those of the declared rules of one field, and of what is below it. Declared rules without a place are
 * reported where `declared` stands in the order of checks.
 */
export function declaredRulesOf(field: string): FieldError {
  let known = places.get(field);
  if (known === undefined) {
    known = Object.freeze({ field, reason: "InternalError", message: "declared rules of a field" });
    places.set(field, known);
  }
  return known;
}

export function isPlace(error: FieldError): boolean {
  return places.get(error.field) === error;
}

/** Puts the errors of declared rules into their places. Returns the lists in their order, and the errors that have no place. */
export function placeDeclared(
  lists: readonly (readonly FieldError[])[],
  declared: readonly FieldError[],
): { readonly lists: readonly (readonly FieldError[])[]; readonly others: readonly FieldError[] } {
  if (!lists.some((list) => list.some(isPlace))) return { lists, others: declared };
  const all = lists.flatMap((list) => list.filter(isPlace));
  return {
    lists: lists.map((list) =>
      list.flatMap((error) => (isPlace(error) ? declared.filter((found) => isWithin(found, error)) : [error])),
    ),
    others: declared.filter((error) => !all.some((place) => isWithin(error, place))),
  };
}

function isWithin({ field }: FieldError, { field: outer }: FieldError): boolean {
  return field.startsWith(outer) && [undefined, ".", "["].includes(field[outer.length]);
}
