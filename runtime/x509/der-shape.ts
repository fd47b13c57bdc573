/**
 * What an element of DER is to be. A field may have a tag of its own, and may be left out. `name` is what Go calls the type, for
 * messages.
 */
export type DerShape =
  | { readonly kind: "sequence"; readonly name: string; readonly fields: readonly DerField[] }
  | { readonly kind: "many"; readonly name: string; readonly isSet?: boolean; readonly element: DerShape }
  | { readonly kind: "identifier" | "bits" | "integer" | "octets" | "boolean" }
  /** Any element at all, taken as it is. */
  | { readonly kind: "raw" }
  /** Any element at all, of which those of known types have to make sense. */
  | { readonly kind: "any" };

export interface DerField {
  readonly shape: DerShape;
  readonly tag?: number;
  readonly optional?: true;
}

/** The first byte and the length of an element, as Go shows them. */
export interface DerHeader {
  readonly class: number;
  readonly tag: number;
  readonly length: number;
  readonly isCompound: boolean;
}

/** The universal tag of a shape, and whether there are elements inside it. */
export function expectedHeader(shape: DerShape): { readonly tag: number; readonly isCompound: boolean } | undefined {
  switch (shape.kind) {
    case "sequence":
      return { tag: 16, isCompound: true };
    case "many":
      return { tag: shape.isSet ? 17 : 16, isCompound: true };
    case "identifier":
      return { tag: 6, isCompound: false };
    case "bits":
      return { tag: 3, isCompound: false };
    case "integer":
      return { tag: 2, isCompound: false };
    case "octets":
      return { tag: 4, isCompound: false };
    case "boolean":
      return { tag: 1, isCompound: false };
    case "raw":
    case "any":
      return undefined;
  }
}

const NAMES: Readonly<Partial<Record<DerShape["kind"], string>>> = {
  identifier: "ObjectIdentifier",
  bits: "BitString",
  integer: "int",
  boolean: "bool",
};

export function shapeName(shape: DerShape): string {
  return "name" in shape ? shape.name : (NAMES[shape.kind] ?? "");
}
