/**
 * How a version of a kind becomes the stored one and back. Fields of the same name and type need no declaration, renamed and moved ones
 * are declared, and the rest is a pair of small functions. A version whose shape equals the stored one's needs no conversion. Values that
 * none of these convert are kept in an annotation and restored from it (docs/versioning.md, "Conversion").
 */
export interface ConversionDeclaration<From extends object, Hub extends object> {
  /**
   * Fields that changed their name or place: `{ "spec.title": "spec.name" }`, from this version to the stored one. `[]` stands for every
   * entry of a list or map: `{ "spec.parts[].id": "spec.parts[].name" }`.
   */
  readonly rename?: { readonly [from: string]: string };
  /**
   * Nothing but `apiVersion` changes, as with the strategy `None` of a CustomResourceDefinition, so that a cluster needs no conversion
   * webhook. Excludes the other members.
   */
  readonly relabels?: true;
  /** Completes `hub`, which already holds what equal names and renames give. Fields that the stored version lacks are left out. */
  readonly toHub?: (from: From, hub: Hub) => void;
  /** Completes `to`, which already holds what equal names and renames give. Fields that this version lacks are left out. */
  readonly fromHub?: (hub: Hub, to: From) => void;
  /** Lists of the stored version in which order means nothing: a change of their order is not a loss. */
  readonly unordered?: readonly string[];
  /** Fields of either version that repeat what others have: what a conversion changes in them is not carried. */
  readonly repeated?: readonly string[];
}

/** Declares the conversion of one version: `export const bookV1beta1 = conversion<BookV1beta1, Book>({ … })`. */
export function conversion<From extends object, Hub extends object>(
  declaration: ConversionDeclaration<From, Hub>,
): ConversionDeclaration<From, Hub> {
  return declaration;
}
