/**
 * How markers hang on types, and the check that they fit. A marker is an optional property that no value ever has, and that is the same
 * for every marker: values of fields with different markers can be assigned to each other. The generator reads markers from the source.
 */
export declare const marker: unique symbol;

/** The markers whose arguments the compiler also checks. */
export declare const defaultValue: unique symbol;
export declare const mergeKey: unique symbol;
export declare const listKeys: unique symbol;

/** Carries a type that `infer` finds and assignments ignore, because no member depends on it. */
export interface Held<_T> {
  readonly held?: unknown;
}

/**
 * The scope of a kind, for the compiler only: clients ask for a namespace where a kind has one. No value ever has this property, and
 * the generator does not read it.
 */
export declare const scope: unique symbol;

/** A marker without constraints, which fits any type. */
export type Note<_N> = { readonly [marker]?: unknown };
/** A base type carrying a note for the generator. Plain values of the base type are assignable to it. */
export type Marked<Base, N> = Base & Note<N>;

/**
 * Paths of the fields of T whose markers cannot be true of them: a minimum on text, a list length on a struct, a default that is not
 * a value of the field, a merge key the items do not have. Looks nine levels deep: what lies deeper is met from a nearer kind.
 */
type Misfits<T, Depth extends unknown[] = []> = Depth["length"] extends 9
  ? never
  : { [F in keyof T & string]-?: Misfit<F, NonNullable<T[F]>, T, Depth> }[keyof T & string];

type Misfit<Path extends string, V, Parent, Depth extends unknown[]> = [V] extends [never]
  ? Path
  : unknown extends V
    ? never
    : NotesFit<V> extends false
      ? Path
      : V extends string | number | boolean
        ? Exclude<keyof V, keyof string | keyof number | keyof boolean | MarkerName> extends never
          ? never
          : Path
        : V extends readonly (infer Item)[]
          ? Misfit<Path, NonNullable<Item>, Parent, Depth>
          : string extends keyof V
            ? V extends Record<string, never>
              ? never
              : Misfit<Path, NonNullable<V[keyof V & string]>, Parent, Depth>
            : [keyof V, keyof Parent] extends [keyof Parent, keyof V]
              ? never // a type within itself
              : `${Path}.${Misfits<V, [...Depth, unknown]>}`;

type MarkerName = typeof marker | typeof defaultValue | typeof mergeKey | typeof listKeys;

/** Whether the notes on V agree with V: its default is one of its values, its merge key a field of its items. */
type NotesFit<V> = V extends { readonly [defaultValue]?: Held<infer D> }
  ? unknown extends D
    ? MergeKeyFits<V>
    : [D] extends [V]
      ? true
      : false
  : MergeKeyFits<V>;

type MergeKeyFits<V> = V extends { readonly [mergeKey]?: Held<infer Key> }
  ? unknown extends Key
    ? true
    : [Key] extends [V extends readonly (infer Item)[] ? keyof Item : never]
      ? true
      : false
  : true;

/** The declaration of T, or a type nothing fits that names the fields to look at. */
export type Declaring<T, Declaration> = [Misfits<T>] extends [never]
  ? Declaration
  : { readonly "a marker does not fit its field": Misfits<T> };
