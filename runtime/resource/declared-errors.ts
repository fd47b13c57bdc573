import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { CheckOrder, HookContext } from "../contract/kind-hooks.ts";
import type { ServedResource } from "../kinds/served-resource.ts";

/** The kind that a request writes. */
export type ValidatedKind = Pick<ServedResource, "stored" | "ownErrors" | "fieldFromStored">;

/**
 * Errors of the declared validation rules of a kind: of the stored version and, if it has its own rules, of the version of the request. If
 * some rules also exist as handwritten code, both run while the feature gate `DeclarativeValidation` is enabled, and are compared;
 * `DeclarativeValidationTakeover` decides which errors are used.
 */
export function declaredErrors(
  resource: ValidatedKind,
  object: ApiObject,
  old: ApiObject | undefined,
  context: HookContext,
): FieldError[] {
  const { stored: kind, ownErrors } = resource;
  const { hooks, schema } = kind;
  const declared = (): FieldError[] => {
    const errors = inRequest(
      resource,
      old === undefined ? schema.validate(object) : schema.validateUpdate(object, old),
    );
    return ownErrors === undefined ? errors : joined(ownErrors(object, old), errors);
  };
  if (hooks.compatibility?.validateByHand === undefined) return declared();
  const byHand = hooks.compatibility?.validateByHand(object, old);
  const all = declared();
  const isByHand = ({ field }: FieldError) =>
    hooks.compatibility?.fieldsByHand === undefined || hooks.compatibility?.fieldsByHand.includes(field);
  const others = all.filter((error) => !isByHand(error));
  if (!context.featureEnabled("DeclarativeValidation")) return [...byHand, ...others];
  for (const problem of mismatches(byHand, all.filter(isByHand))) {
    context.onMismatch?.(`${kind.gvk.kind} ${object.metadata.name ?? ""}: ${problem}`);
  }
  return context.featureEnabled("DeclarativeValidationTakeover") ? all : [...byHand, ...others];
}

/** Errors of the stored version, with the field names of the request's version. */
export function inRequest<Found extends Errors>(
  { fieldFromStored }: ValidatedKind,
  errors: Found,
): Found | FieldError[] {
  if (fieldFromStored === undefined) return errors;
  return errors.map((error) => ({ ...error, field: fieldFromStored(error.field) }));
}

/** Concatenates both lists without duplicates: most versions declare the same rules. */
function joined(errors: FieldError[], others: readonly FieldError[]): FieldError[] {
  const known = new Set(errors.map(({ field, message }) => `${field}: ${message}`));
  return [...errors, ...others.filter(({ field, message }) => !known.has(`${field}: ${message}`))];
}

/** Describes the errors that only one side reports, regardless of order. */
function mismatches(byHand: readonly FieldError[], declared: readonly FieldError[]): string[] {
  const key = ({ field, reason }: FieldError): string => `${field}: ${reason}`;
  const [hand, rules] = [new Set(byHand.map(key)), new Set(declared.map(key))];
  return [
    ...[...hand].filter((one) => !rules.has(one)).map((one) => `only the code by hand refuses ${one}`),
    ...[...rules].filter((one) => !hand.has(one)).map((one) => `only the declared rules refuse ${one}`),
  ];
}

type Errors = readonly FieldError[];
export type FieldOrder = NonNullable<CheckOrder<never>["fields"]>;

/**
 * Merges errors of declared rules in the order of a kind. `place` inserts those of the listed fields into the errors of a hook, before the
 * first one of the same or a later field in the list. `others` are the errors of fields that are not in the list.
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

/** Position in the list, and within an inner list. */
type Rank = readonly [place: number, inner: number];

/** The rank of the most specific path in the list that contains the field; undefined if there is none. */
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
