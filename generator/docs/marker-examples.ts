import type { JsonValue } from "../model/contract.ts";
import type { CONTAINERS, MarkerWord } from "../model/vocabulary.ts";

/** An example of a word of the vocabulary and its effect. */
export interface MarkerExample {
  /** Fields of an interface that use the word. */
  readonly fields: string;
  /** Other types that the fields use. */
  readonly types?: string;
  /** Base interface of the example. */
  readonly extends?: string;
  /** Effect of the word in the server. */
  readonly effect: string;
  /** A value that the server rejects, its old value if there is one, and the error message. */
  readonly rejected?: { readonly value: JsonValue; readonly old?: JsonValue; readonly message: string };
}

export type DocumentedWord = MarkerWord | (typeof CONTAINERS)[number] | "AtomicStruct" | "With";

const CHAPTER = `/** A chapter of a book. */
export interface Chapter {
  /** Title of the chapter. */
  title: string;
  /** First page of the chapter. */
  page?: Int32;
}`;

/** One example for each word, in the order of the pages. */
export const MARKER_EXAMPLES: { readonly [Word in DocumentedWord]: MarkerExample } = {
  Default: {
    fields: `/** Number of copies that the library owns. */
copies?: Int32 & Default<1>;`,
    effect:
      "The server sets the default when it reads a request or a stored object in which the field is absent and its parent is present. Clients see the value in responses and in OpenAPI. A default that depends on other fields is a hook.",
  },
  Published: {
    fields: `/** Language of the book. */
language?: string & Default<"en"> & Published;`,
    effect:
      "Groups with `kubernetes: true` do not publish their defaults, as Kubernetes does not; this marker makes an exception for one field. Other groups publish all of their rules and do not need it.",
  },
  Minimum: {
    fields: `/** Number of its pages. */
pages?: Int32 & Minimum<1>;`,
    effect: "A smaller number is rejected with status 422.",
    rejected: { value: { pages: 0 }, message: "spec.pages: Invalid value: 0: must be greater than or equal to 1" },
  },
  Maximum: {
    fields: `/** Rating of the readers, in stars. */
stars?: Int32 & Maximum<5>;`,
    effect: "A larger number is rejected with status 422.",
    rejected: { value: { stars: 6 }, message: "spec.stars: Invalid value: 6: must be less than or equal to 5" },
  },
  MinLength: {
    fields: `/** Title as printed on the cover. */
title: string & MinLength<1>;`,
    effect: "A shorter string is rejected with status 422. Characters are counted, not bytes.",
    rejected: { value: { title: "" }, message: 'spec.title: Invalid value: "": must be at least 1 characters long' },
  },
  MaxLength: {
    fields: `/** Code on the spine. */
shelfMark?: string & MaxLength<8>;`,
    effect: "A longer string is rejected with status 422. Characters are counted, not bytes.",
    rejected: {
      value: { shelfMark: "QA76.9.C65" },
      message: "spec.shelfMark: Too long: may not be more than 8 characters",
    },
  },
  Pattern: {
    fields: `/** International Standard Book Number, without hyphens. */
isbn?: string & Pattern<"^[0-9]{13}$">;`,
    effect:
      "A string that does not match is rejected with status 422. The syntax is that of RE2, whose matching time is linear in the length of the string. Anchor the expression with `^` and `$`.",
    rejected: {
      value: { isbn: "3-16-148410-0" },
      message: "spec.isbn: Invalid value: \"3-16-148410-0\": must match the regular expression '^[0-9]{13}$'",
    },
  },
  Format: {
    fields: `/** Address of the publisher's site. */
site?: string & Format<"uri">;`,
    effect:
      "A string that does not have the format is rejected with status 422. `FormatName` in the vocabulary lists the formats.",
    rejected: { value: { site: "not a URI" }, message: 'spec.site: Invalid value: "not a URI": must be a valid URI' },
  },
  MinItems: {
    fields: `/** Authors, main author first. */
authors: ListAtomic<string> & MinItems<1>;`,
    effect: "A list with fewer entries is rejected with status 422.",
    rejected: { value: { authors: [] }, message: "spec.authors: Required value" },
  },
  MaxItems: {
    fields: `/** Words by which readers find the book. */
keywords?: ListSet<string> & MaxItems<2>;`,
    effect: "A list with more entries is rejected with status 422.",
    rejected: {
      value: { keywords: ["sea", "ship", "whale"] },
      message: "spec.keywords: Too many: 3: must have at most 2 items",
    },
  },
  MaxProperties: {
    fields: `/** Notes of readers by page. */
notes?: MapGranular<string> & MaxProperties<1>;`,
    effect: "A map with more entries is rejected with status 422.",
    rejected: {
      value: { notes: { p1: "stain", p2: "torn" } },
      message: "spec.notes: Too many: 2: must have at most 1 items",
    },
  },
  Immutable: {
    fields: `/** Title as printed on the cover. */
title: string & Immutable;`,
    effect: "An update that changes the value is rejected with status 422. Setting it at creation is allowed.",
    rejected: {
      value: { title: "The Whale" },
      old: { title: "Moby-Dick" },
      message: 'spec.title: Invalid value: "The Whale": field is immutable',
    },
  },
  Rule: {
    fields: `/** Loan period in days. */
days?: Int32 & Rule<"self % 7 == 0", "must be whole weeks">;`,
    effect:
      "A CEL expression over `self` that must be true; on updates `oldSelf` is the stored value. A rule on a struct can compare its fields. The generator type-checks expressions and estimates their cost.",
    rejected: { value: { days: 10 }, message: 'spec.days: Invalid value: "integer": must be whole weeks' },
  },
  Open: {
    fields: `/** Binding of the book. */
binding?: Open<"Hardcover" | "Paperback">;`,
    effect:
      'Documents well-known values; other strings are accepted. A plain union such as `"Hardcover" | "Paperback"` is closed: other strings are rejected.',
  },
  Deprecated: {
    fields: `/** Name of the only author. */
author?: string & Deprecated<"use \`authors\`">;`,
    effect:
      "The description begins with the advice. The field keeps working; remove it only as the deprecation policy allows.",
  },
  Gated: {
    fields: `/** Position of the book in the storage robot. */
robotSlot?: string & Gated<"WatchList">;`,
    effect:
      "While the feature gate is off, the server drops the field from new objects. A value that is already stored is kept on update. Gates are declared in `api-definitions/feature-gates.ts`.",
  },
  Since: {
    fields: `/** Language of the book. */
language?: string & Since<"1.4">;`,
    effect:
      "A server at an older release (`--release 1.3`) does not have the field: it is not in OpenAPI, an unknown field in requests, and not in responses. A field of a feature gate needs no `Since`: it is introduced with the first stage of the gate.",
  },
  ListMap: {
    fields: `/** Chapters in the order in which they are printed. */
chapters?: ListMap<Chapter, "title">;`,
    types: CHAPTER,
    effect:
      "Server-side apply merges the list by its keys: each entry and each of its fields can have its own field manager. Two entries with the same keys are rejected. The compiler checks that the keys are fields of the item.",
    rejected: {
      value: { chapters: [{ title: "Loomings" }, { title: "Loomings" }] },
      message: 'spec.chapters[1]: Duplicate value: {"title":"Loomings"}',
    },
  },
  OptionalKeys: {
    fields: `/** Chapters; those without a title count as one. */
chapters?: ListMap<Chapter, "title"> & OptionalKeys;`,
    types: `/** A chapter of a book. */
export interface Chapter {
  /** Title of the chapter. */
  title?: string & OmitZero;
}`,
    effect:
      "Entries may leave out their keys, which then count as empty. Kubernetes released a few such lists; only its own groups may use the marker. In other groups a list key is required or has a `Default`.",
  },
  ListSet: {
    fields: `/** Words by which readers find the book. */
keywords?: ListSet<string>;`,
    effect:
      "Server-side apply merges the list entry by entry; each entry can have its own field manager. A repeated entry is rejected.",
    rejected: { value: { keywords: ["sea", "sea"] }, message: 'spec.keywords[1]: Duplicate value: "sea"' },
  },
  ListAtomic: {
    fields: `/** Authors, main author first. */
authors?: ListAtomic<string>;`,
    effect: "Server-side apply replaces the list as a whole; it has one field manager.",
  },
  MapAtomic: {
    fields: `/** Prices of the book by currency. */
prices?: MapAtomic<Quantity>;`,
    effect: "Server-side apply replaces the map as a whole; it has one field manager.",
  },
  MapGranular: {
    fields: `/** Notes of readers by page. */
notes?: MapGranular<string>;`,
    effect:
      "Server-side apply merges the map entry by entry; each entry can have its own field manager. This is also the behaviour of a map without a marker.",
  },
  StructAtomic: {
    fields: `/** Where the foreword is. */
foreword?: StructAtomic<Chapter>;`,
    types: CHAPTER,
    effect: "Server-side apply replaces the struct as a whole in this place; it has one field manager.",
  },
  StructGranular: {
    fields: `/** Where the book stands. */
place?: StructGranular<Place>;`,
    types: `/** A place in the library, always given as a whole. */
export interface Place extends AtomicStruct {
  /** Number of the room. */
  room?: Int32;
  /** Number of the shelf. */
  shelf?: Int32;
}`,
    effect: "Server-side apply merges the struct field by field in this place, although its type is atomic elsewhere.",
  },
  AtomicStruct: {
    extends: "AtomicStruct",
    fields: `/** Number of the room. */
room?: Int32;
/** Number of the shelf. */
shelf?: Int32;`,
    effect: "Server-side apply replaces the struct as a whole wherever it is used; it has one field manager.",
  },
  MinProperties: {
    fields: `/** Number of copies by shelf. */
copies?: { [shelf: string]: Int32 } & MinProperties<1>;`,
    effect:
      "Objects whose map has fewer entries, or whose struct has fewer fields, are rejected. An empty map counts as unset.",
  },
  Schema: {
    fields: `/** Number of the volume, from 1. */
volume?: Int32 & Schema<{ multipleOf: 2 }>;`,
    effect:
      "The keywords are validated as they are in a CustomResourceDefinition, and published in OpenAPI. Use it for what no other marker states: `oneOf`, `anyOf`, `not`, `multipleOf`, `exclusiveMinimum`, `nullable`, values that are not strings, or formats.",
    rejected: {
      value: { volume: 3 },
      message: "spec.volume: Invalid value: 3: should be a multiple of 2",
    },
  },
  With: {
    extends: 'With<Rule<"self.first <= self.last", "must not end before it begins">>',
    fields: `/** First page of the chapter. */
first: Int32;
/** Last page of the chapter. */
last: Int32;`,
    effect:
      "The markers hold for the struct wherever it is used: for fields of its type, for items of lists and entries of maps, and for a kind as a whole.",
    rejected: { value: { first: 3, last: 2 }, message: 'spec: Invalid value: "object": must not end before it begins' },
  },
  AtomicLabel: {
    fields: `/** Selects books by their labels. */
selector?: Chapter & AtomicLabel;`,
    types: CHAPTER,
    effect:
      "OpenAPI shows `x-kubernetes-list-type: atomic` on a field that is not a list. A few fields of Kubernetes are published so; new kinds do not need it.",
  },
  PatchMerge: {
    fields: `/** Chapters in the order in which they are printed. */
chapters?: ListMap<Chapter, "title"> & PatchMerge<"title">;`,
    types: CHAPTER,
    effect:
      "A strategic merge patch merges the list by this key instead of replacing it; `kubectl apply` and `kubectl patch` use that for built-in kinds. Without a key, lists of scalars merge by value. Where no list type is given, it also implies one.",
  },
  PatchReplace: {
    fields: `/** Where the foreword is. */
foreword?: Chapter & PatchReplace;`,
    types: CHAPTER,
    effect: "A strategic merge patch replaces the value as a whole.",
  },
  PatchRetainKeys: {
    fields: `/** How the book is lent. */
lending?: Chapter & PatchRetainKeys;`,
    types: CHAPTER,
    effect:
      "A strategic merge patch with `$retainKeys` removes the fields that it does not name: used where one of several members is set.",
  },
  Discriminator: {
    fields: `/** Names the member that is set. */
type?: string & Discriminator;
/** Set for a printed book. */
print?: Chapter;
/** Set for an electronic book. */
file?: Chapter;`,
    types: CHAPTER,
    effect: "OpenAPI describes the struct as a union: this field names which of the optional fields beside it is set.",
  },
  OmitZero: {
    fields: `/** Subtitle of the book. */
subtitle?: string & OmitZero;`,
    effect:
      'The zero value (`""`, `0`, `false`) means unset and is left out of JSON. Without the marker `name?: string` keeps an explicit empty string.',
  },
  Always: {
    fields: `/** Observed state of the book. */
status?: Chapter & Always;`,
    types: CHAPTER,
    effect:
      "JSON contains the field even when it is unset: `{}` for a struct, `null` for a list, map or time, zero for a scalar.",
  },
  Nullable: {
    fields: `/** When the book was returned. */
returnedAt?: Time & Nullable;`,
    effect: "Unset differs from zero, and JSON shows an unset field as `null`.",
  },
  PreserveUnknown: {
    fields: `/** Record of the catalogue, in its own format. */
record?: Json & PreserveUnknown;`,
    effect:
      "Unknown fields below it are stored and returned. Elsewhere they are dropped, with a warning or an error as `fieldValidation` asks.",
  },
  EmbeddedObject: {
    fields: `/** Object that is created for each loan. */
loanTemplate?: RawObject & EmbeddedObject;`,
    effect: "The value is a complete API object: `apiVersion`, `kind` and `metadata` are validated.",
  },
  Message: {
    fields: `/** Lists of values by name. */
values?: { [name: string]: Values };`,
    types: "export type Values = Message<string[]>;",
    effect:
      "In protobuf the list is a message of its own with `repeated items = 1`. Maps of lists need that, because a map entry cannot be a list there; give the list a name of its own. JSON does not change.",
  },
};
