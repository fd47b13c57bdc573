import type { ScalarName } from "./contract.ts";

/** Words of the vocabulary that are complete types. */
export const SCALARS: { readonly [word: string]: ScalarName } = {
  string: "string",
  boolean: "boolean",
  unknown: "json",
  Int32: "int32",
  Int64: "int64",
  Double: "double",
  Integer: "int64",
  Numeric: "double",
  Bytes: "bytes",
  Time: "time",
  MicroTime: "microTime",
  Duration: "duration",
  Quantity: "quantity",
  IntOrString: "intOrString",
  RawObject: "rawObject",
  Json: "json",
  FieldsV1: "fieldsV1",
  SchemaOrArray: "schemaOrArray",
  SchemaOrBool: "schemaOrBool",
  SchemaOrStringArray: "schemaOrStringArray",
};

/** Words that wrap a type and determine how it is merged or encoded. */
export const CONTAINERS = [
  "ListMap",
  "ListSet",
  "ListAtomic",
  "MapAtomic",
  "MapGranular",
  "StructAtomic",
  "StructGranular",
  "Message",
  "Open",
] as const;
export type Container = (typeof CONTAINERS)[number];

/** Types to which a marker applies. */
export type Target = "number" | "string" | "list" | "map" | "struct" | "object" | "any";

/** Markers that are added to a type, with the types to which they apply and their arguments. */
export const MARKERS = {
  Default: { target: "any", arguments: ["value"] },
  Published: { target: "any", arguments: [] },
  Minimum: { target: "number", arguments: ["number"] },
  Maximum: { target: "number", arguments: ["number"] },
  MinLength: { target: "string", arguments: ["number"] },
  MaxLength: { target: "string", arguments: ["number"] },
  Pattern: { target: "string", arguments: ["string"] },
  Format: { target: "string", arguments: ["string"] },
  MinItems: { target: "list", arguments: ["number"] },
  MaxItems: { target: "list", arguments: ["number"] },
  MinProperties: { target: "object", arguments: ["number"] },
  MaxProperties: { target: "object", arguments: ["number"] },
  Schema: { target: "any", arguments: ["object"] },
  AtomicLabel: { target: "any", arguments: [] },
  Immutable: { target: "any", arguments: [] },
  Rule: { target: "any", arguments: ["string", "string?", "object?"] },
  OptionalKeys: { target: "any", arguments: [] },
  PatchMerge: { target: "list", arguments: ["string?"] },
  PatchRetainKeys: { target: "any", arguments: [] },
  PatchReplace: { target: "any", arguments: [] },
  OmitZero: { target: "any", arguments: [] },
  Always: { target: "any", arguments: [] },
  Nullable: { target: "any", arguments: [] },
  Deprecated: { target: "any", arguments: ["string?"] },
  Gated: { target: "any", arguments: ["string"] },
  Since: { target: "any", arguments: ["string"] },
  PreserveUnknown: { target: "any", arguments: [] },
  Discriminator: { target: "string", arguments: [] },
  EmbeddedObject: { target: "any", arguments: [] },
} as const satisfies { [word: string]: { target: Target; arguments: readonly string[] } };
export type MarkerWord = keyof typeof MARKERS;

export const WORDS: readonly string[] = [
  "AtomicStruct",
  "With",
  "EmptyStruct",
  ...Object.keys(SCALARS),
  ...CONTAINERS,
  ...Object.keys(MARKERS),
];

export function isWord(name: string): boolean {
  return WORDS.includes(name);
}

export function isContainer(word: string): word is Container {
  return (CONTAINERS as readonly string[]).includes(word);
}

export function isMarker(word: string): word is MarkerWord {
  return Object.hasOwn(MARKERS, word);
}
