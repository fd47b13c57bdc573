import type { FieldError } from "../contract/field-error.ts";
import type { CheckOrder } from "../contract/kind-hooks.ts";

type Errors = readonly FieldError[];
export type FieldOrder = NonNullable<CheckOrder<never>["fields"]>;

/**
 * Errors of declared rules in the order of a kind: `place` puts those of the listed fields among the errors of a hook, before the first
 * one of the same or a later field of the list; `others` have no place in it.
 */
export function placeDeclared(
  declared: Errors,
  fields: FieldOrder | undefined,
): { readonly place: (own: Errors) => Errors; readonly others: Errors } {
  if (fields === undefined || declared.length === 0) return { place: (own) => own, others: declared };
  const ranked = declared.map((error) => ({ error, rank: rankOf(error.field, fields) }));
  const placed = ranked.filter(({ rank }) => rank !== undefined).sort((a, b) => compareRanks(a.rank, b.rank));
  const place = (own: Errors): Errors => {
    const result: FieldError[] = [];
    let next = 0;
    for (const error of own) {
      const rank = rankOf(error.field, fields);
      while (rank !== undefined && next < placed.length && (placed[next]?.rank?.[0] ?? 0) <= rank[0]) {
        result.push(...placed.slice(next, ++next).map((one) => one.error));
      }
      result.push(error);
    }
    return [...result, ...placed.slice(next).map((one) => one.error)];
  };
  return { place, others: ranked.filter(({ rank }) => rank === undefined).map(({ error }) => error) };
}

/** The place in the list, and within an inner list. */
type Rank = readonly [place: number, inner: number];

/** The rank of the most specific path of the list that contains the field; undefined if none does. */
function rankOf(field: string, fields: FieldOrder): Rank | undefined {
  let longest = -1;
  let rank: Rank | undefined;
  for (const [place, paths] of fields.entries()) {
    for (const [inner, path] of [paths].flat().entries()) {
      if (path.length > longest && isWithin(field, path)) {
        longest = path.length;
        rank = [place, inner];
      }
    }
  }
  return rank;
}

function compareRanks(a: Rank = [0, 0], b: Rank = [0, 0]): number {
  return a[0] - b[0] || a[1] - b[1];
}

function isWithin(field: string, outer: string): boolean {
  return field.startsWith(outer) && [undefined, ".", "["].includes(field[outer.length]);
}
