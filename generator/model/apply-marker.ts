import type { Literal } from "../reader/syntax.ts";
import type { JsonValue, Markers, TypeExpr, ValidationRule } from "./contract.ts";
import type { Presence, ValueDescriptions } from "./model.ts";
import type { MarkerWord } from "./vocabulary.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A type whose markers are being collected. */
export interface Draft {
  type?: TypeExpr;
  markers: Writable<Markers>;
  presence?: Presence;
  message?: true;
  published?: true;
  optionalKeys?: true;
  valueDescriptions?: ValueDescriptions;
  readonly given: Set<string>;
}

type Apply = (
  draft: Draft,
  first: Literal | undefined,
  second: Literal | undefined,
  third: Literal | undefined,
) => void;

/** Writes one marker into the draft. Its arguments are already checked against the vocabulary. */
export const APPLY_MARKER: { readonly [Word in MarkerWord]: Apply } = {
  Default: ({ markers }, value) => {
    markers.default = value as JsonValue;
  },
  Published: (draft) => {
    draft.published = true;
  },
  OptionalKeys: (draft) => {
    draft.optionalKeys = true;
  },
  Minimum: set("minimum"),
  Maximum: set("maximum"),
  MinLength: set("minLength"),
  MaxLength: set("maxLength"),
  Pattern: set("pattern"),
  Format: set("format"),
  MinItems: set("minItems"),
  MaxItems: set("maxItems"),
  MinProperties: set("minProperties"),
  MaxProperties: set("maxProperties"),
  Schema: ({ markers }, keywords) => {
    const { default: standard, ...others } = keywords as { readonly [keyword: string]: JsonValue };
    if (standard !== undefined && standard !== null) markers.default = standard;
    else if (standard === null) Object.assign(others, { default: null });
    if (Object.keys(others).length > 0) markers.schema = { ...markers.schema, ...others };
  },
  AtomicLabel: ({ markers }) => {
    markers.listType = "atomic";
  },
  Immutable: flag("immutable"),
  Rule: ({ markers }, rule, message, options) => {
    const said = message === undefined ? {} : { message: message as string };
    const added = { rule: rule as string, ...said, ...(options as Omit<ValidationRule, "rule"> | undefined) };
    markers.rules = [...(markers.rules ?? []), added];
  },
  PatchMerge: ({ markers }, key) => {
    markers.patchStrategy = ["merge", ...(markers.patchStrategy ?? [])];
    if (key !== undefined) markers.patchMergeKey = key as string;
  },
  PatchRetainKeys: ({ markers }) => {
    markers.patchStrategy = [...(markers.patchStrategy ?? []), "retainKeys"];
  },
  PatchReplace: ({ markers }) => {
    markers.patchStrategy = ["replace"];
  },
  OmitZero: (draft) => {
    draft.presence = "omitZero";
  },
  Always: (draft) => {
    draft.presence = "always";
  },
  Nullable: (draft) => {
    draft.presence = "nullable";
  },
  Deprecated: ({ markers }, advice) => {
    markers.deprecated = (advice as string | undefined) ?? true;
  },
  Gated: set("gate"),
  Since: set("since"),
  PreserveUnknown: flag("preserveUnknown"),
  Discriminator: flag("discriminator"),
  EmbeddedObject: flag("embeddedObject"),
};

type KeysOf<Value> = { [K in keyof Markers]-?: Value extends Markers[K] ? K : never }[keyof Markers];

function set(key: KeysOf<number> | "pattern" | "format" | "gate" | "since"): Apply {
  return ({ markers }, value) => {
    Object.assign(markers, { [key]: value });
  };
}

function flag(key: "immutable" | "preserveUnknown" | "discriminator" | "embeddedObject"): Apply {
  return ({ markers }) => {
    markers[key] = true;
  };
}
