/**
 * The vocabulary of kind definitions. Markers are types: they say what the API is, are read by the generator, and
 * erase to plain types for everybody else (`Int32 & Default<1>` accepts any number). A marker that does not exist,
 * does not fit its target or names a field that is not there is a compile error.
 */

import type { featureGates } from "./feature-gates.ts";
import type { Declaring, defaultValue, Held, listKeys, Marked, marker, mergeKey, Note } from "./marker-vocabulary.ts";
import type { Release } from "./project-vocabulary.ts";

/** A feature gate that is declared in feature-gates.ts. */
export type GateName = keyof typeof featureGates;

// ---------------------------------------------------------------------------------------------------------- scalars

/** An integer of 32 bits. */
export type Int32 = number;
/** An integer of 64 bits; beyond 2^53 it is a bigint at run time. */
export type Int64 = number;
/** A floating point number of 64 bits. */
export type Double = number;
/** An integer of 64 bits whose schema is published without a format, as those of some CustomResourceDefinitions. */
export type Integer = number;
/** A floating point number of 64 bits whose schema is published without a format. */
export type Numeric = number;
/** Bytes, written in JSON as base64. */
export type Bytes = string;
/** A time with a precision of seconds, in RFC 3339 and UTC: `2030-01-01T00:00:00Z`. */
export type Time = string;
/** A time with a precision of microseconds, in RFC 3339 and UTC. */
export type MicroTime = string;
/** A duration in Go's notation (`1h30m`). */
export type Duration = string;
/** A quantity with a suffix (`500m`, `2Gi`), stored in canonical form. */
export type Quantity = string;
/** An integer or a string; the server keeps the type that was sent. */
export type IntOrString = number | string;
/** A whole API object of any kind. */
export type RawObject = { readonly [field: string]: unknown };
/** Any JSON value. */
export type Json = unknown;
/** A struct without fields: only its presence has a meaning. */
export type EmptyStruct = Record<string, never>;
/** A set of owned fields in the notation of managedFields. */
export type FieldsV1 = { readonly [path: string]: unknown };
/** A JSON schema, or a list of them: the `items` of a schema. */
export type SchemaOrArray<Schema extends object> = Schema | Schema[];
/** A JSON schema, or a boolean: `true` allows every value, `false` none. */
export type SchemaOrBool<Schema extends object> = Schema | boolean;
/** A JSON schema, or a list of properties that must be set as well. */
export type SchemaOrStringArray<Schema extends object> = Schema | string[];

// --------------------------------------------------------------------------------------------------------- topology

/** Scalar fields of T: the only ones that can be list keys. */
type ScalarFieldOf<T> = {
  [F in keyof T & string]-?: NonNullable<T[F]> extends string | number | boolean ? F : never;
}[keyof T & string];

/** A list whose items are identified by key fields; each item can have its own field manager (`listType=map`). */
export type ListMap<
  T extends object,
  Key extends ScalarFieldOf<T>,
  Key2 extends ScalarFieldOf<T> = never,
  Key3 extends ScalarFieldOf<T> = never,
> = T[] & { readonly [listKeys]?: Held<[Key, Key2, Key3]> };
/**
 * Items of this ListMap may leave out their keys, which then count as empty. Kubernetes released a few such lists; only its own
 * groups (`kubernetes: true`) may have them. Keys in other groups are required or have a Default.
 */
export type OptionalKeys = Note<{ optionalKeys: true }>;
/** A list of unique scalars; each can have its own field manager (`listType=set`). */
export type ListSet<T extends string | number | boolean> = Marked<T[], { listType: "set" }>;
/** A list that is replaced as a whole and has one field manager (`listType=atomic`). */
export type ListAtomic<T> = Marked<T[], { listType: "atomic" }>;
/** A map that is replaced as a whole and has one field manager (`mapType=atomic`). */
export type MapAtomic<T> = Marked<{ [key: string]: T }, { mapType: "atomic" }>;
/** A map whose entries can have different field managers (`mapType=granular`). */
export type MapGranular<T> = Marked<{ [key: string]: T }, { mapType: "granular" }>;
/** Base of a struct that is replaced as a whole, and has one field manager, wherever it is used (`structType=atomic` on the type). */
export interface AtomicStruct {
  readonly [marker]?: unknown;
}
/** A struct that is replaced as a whole, and has one field manager, in this field (`structType=atomic`). */
export type StructAtomic<T extends object> = Marked<T, { structType: "atomic" }>;
/** A struct whose fields can have different managers in this field, even if its type is atomic (`structType=granular`). */
export type StructGranular<T extends object> = Marked<T, { structGranular: true }>;
/**
 * Strategic merge: lists merge by `Key` (or by value, for scalars, when no key is given). Where no list type is given it
 * also reads as listType=map with that key.
 */
export type PatchMerge<Key extends string = never> = { readonly [mergeKey]?: Held<Key> };
/** Strategic merge: a patch with `$retainKeys` removes the keys that it does not name. Combines with `PatchMerge`. */
export type PatchRetainKeys = Note<{ patchRetainKeys: true }>;
/** Strategic merge: a patch replaces the value as a whole. */
export type PatchReplace = Note<{ patchReplace: true }>;
/** Published as an atomic list although it is not a list, as a few fields of Kubernetes are. */
export type AtomicLabel = Note<{ listType: "atomic" }>;
/** Names the member of a union that is set; the optional fields beside it are the members. */
export type Discriminator = Note<{ discriminator: true }>;

// --------------------------------------------------------------------------------------------------------- presence
//
// How a field that holds nothing is treated. The natural reading of TypeScript needs no marker:
//   name: T    is required: the server refuses an object without it. An empty string is a value (`MinLength<1>` refuses it), an empty list
//              or map is none. Groups of Kubernetes (`kubernetes: true`) write zero instead, and check by hooks;
//   name?: T   is left out when unset; for scalars and structs unset differs from zero (`replicas?: Int32` keeps 0),
//              while an empty list or map is the same as none.

/** The zero value (`""`, `0`, `false`) means unset and is omitted from JSON. */
export type OmitZero = Note<{ presence: "omitZero" }>;
/** JSON contains the field even when it is empty: `{}` for a struct, `null` for a list, map or time, zero for a scalar. */
export type Always = Note<{ presence: "always" }>;
/** Unset differs from zero; JSON shows an unset field as `null`. */
export type Nullable = Note<{ presence: "nullable" }>;

// ------------------------------------------------------------------------------------------------------------ rules

/**
 * The value of a field that is unset while its parent is set (a struct with `Always` is always set). Where zero means unset, zero gets
 * the default, too.
 */
export type Default<V extends string | number | boolean | object> = { readonly [defaultValue]?: Held<V> };
/** The default of this field is shown in OpenAPI even if its group does not publish its rules. */
export type Published = Note<{ published: true }>;
/** Minimum value of a number. */
export type Minimum<N extends number> = Marked<number, { minimum: N }>;
/** Maximum value of a number. */
export type Maximum<N extends number> = Marked<number, { maximum: N }>;
/** Minimum length of a string. */
export type MinLength<N extends number> = Marked<string, { minLength: N }>;
/** Maximum length of a string. */
export type MaxLength<N extends number> = Marked<string, { maxLength: N }>;
/** A regular expression that the string must match (RE2 syntax; anchor it with `^` and `$`). */
export type Pattern<P extends string> = Marked<string, { pattern: P }>;
/** A named format of a string, which the server validates. */
export type Format<F extends FormatName> = Marked<string, { format: F }>;
/** Minimum number of entries of a list. */
export type MinItems<N extends number> = Marked<readonly unknown[], { minItems: N }>;
/** Maximum number of entries of a list. */
export type MaxItems<N extends number> = Marked<readonly unknown[], { maxItems: N }>;
/** Maximum number of entries of a map, or of fields of a struct. */
export type MaxProperties<N extends number> = Marked<object, { maxProperties: N }>;
/** Minimum number of entries of a map, or of fields of a struct. */
export type MinProperties<N extends number> = Marked<object, { minProperties: N }>;
/**
 * Keywords of a schema that have no marker of their own, as OpenAPI and CustomResourceDefinitions write them:
 * `Schema<{ oneOf: [{ required: ["from"] }, { required: ["to"] }] }>`. The server validates them. They are published, and win over those
 * that follow from the type; on `Json` they are the whole schema.
 */
export type Schema<Keywords extends object> = Note<{ schema: Keywords }>;
/** Markers of a struct itself, wherever it is used: `interface Range extends With<Rule<"self.from <= self.to">>`. */
export interface With<_Markers> {
  readonly [marker]?: unknown;
}
/** The field cannot be changed after the object was created. */
export type Immutable = Note<{ immutable: true }>;
/** Options of a rule. */
export interface RuleOptions {
  /** A CEL expression that makes the message; the plain one is used when it fails. */
  messageExpression?: string;
  /** The reason clients see. */
  reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  /** Field that the error names, relative to the value that the rule is written on: `.size`. */
  fieldPath?: string;
  /** `oldSelf` is an optional, and the rule is checked on creation too. */
  optionalOldSelf?: boolean;
}
/** A CEL expression over `self` (and `oldSelf` on updates) that must be true, and the message of the error if it is false. */
export type Rule<
  Expression extends string,
  Message extends string = never,
  Options extends RuleOptions = Record<never, never>,
> = Note<{ rule: [Expression, Message, Options] }>;
/** A string with well-known values that accepts other values, too. A plain union of strings is closed: it rejects other values. */
export type Open<Known extends string> = Known | (string & {});
/** A field that is deprecated, and what to use instead. */
export type Deprecated<Advice extends string = never> = Note<{ deprecated: Advice }>;
/** A field that needs a feature gate. The server drops it while the gate is off. */
export type Gated<Gate extends GateName> = Note<{ gate: Gate }>;
/** The release that introduced the field, if that is not the release of its kind. A server at an older release does not have it. */
export type Since<Release extends `${number}.${number}`> = Release extends string ? unknown : never;
/** The server keeps unknown fields in this value instead of dropping them. */
export type PreserveUnknown = Note<{ preserveUnknown: true }>;
/** The value is a complete API object with `apiVersion`, `kind` and `metadata`. */
export type EmbeddedObject = Note<{ embeddedObject: true }>;
/** A list that is a message of its own in protobuf (`repeated items = 1`). */
export type Message<T extends readonly unknown[]> = Marked<T, { message: true }>;

/** Formats the server knows how to check, by the words Kubernetes uses when it refuses. */
export type FormatName =
  | "dns1123-label"
  | "dns1123-subdomain"
  | "dns1035-label"
  | "qualified-name"
  | "label-value"
  | "config-map-key"
  | "env-var-name"
  | "ip"
  | "ipv4"
  | "ipv6"
  | "cidr"
  | "port-name"
  | "uri"
  | "uuid"
  | "absolute-path";

// ------------------------------------------------------------------------------------------------------------ kinds

export { type ConversionDeclaration, conversion } from "./conversion-vocabulary.ts";
export { defineConfig, type ProjectConfig, type Release } from "./project-vocabulary.ts";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** Releases in which an API element is introduced, deprecated and removed, and its replacement. */
export interface Lifecycle {
  introduced?: Release;
  deprecated?: Release;
  removed?: Release;
  /** `apps/v1 Deployment`: what to use instead. */
  replacement?: string;
}

/** A column of the kind's table. Cells are read from `path`, or made by the kind's hooks when there is none. */
export interface Column {
  name: string;
  type: "string" | "integer" | "number" | "boolean" | "date";
  format?: string;
  /** 0 is always shown; 1 only in wide output. */
  priority?: number;
  description?: string;
  /**
   * Where the cell comes from: `.spec.replicas`. A field that is not set shows as the zero of the column's type. A column of type `date`,
   * and the column `Age` of `.metadata.creationTimestamp`, show the time that passed since then.
   */
  path?: string;
}

/** Subresources of a kind. `status: true` serves the kind itself with get, patch and update. */
export interface Subresources {
  status?: true;
  scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string; kind?: string };
  [name: string]: true | SubresourceDeclaration | Subresources["scale"] | undefined;
}

export interface SubresourceDeclaration {
  /** Kind of its requests and responses. `group/version Kind` if it is not of the group and version of the parent. */
  kind: string;
  verbs: Verb[];
  /** The kind that holds its query parameters, where it is not a connection. */
  options?: string;
  /** HTTP methods of a connection (exec, proxy …) and the kind that holds its query parameters. */
  connect?: { methods: string[]; options: string; path?: boolean };
  /** Served only while this feature gate is on. */
  gate?: GateName;
}

/**
 * A kind of a group-version. Its interface extends `Namespaced` or `ClusterScoped` (meta/v1), which says its scope, or `TypeMeta`
 * when it has no metadata. A kind that can be listed also has a list kind, `<Kind>List`, which is written only where it
 * differs from the usual `ListOf<Kind>`.
 */
export interface KindDeclaration extends Lifecycle {
  /**
   * Text of the `Warning` header while this version is deprecated. By default it names the releases of the lifecycle and the
   * replacement; an empty text names neither.
   */
  deprecationWarning?: string;
  /** Left out only by kinds that are not served. */
  plural?: string;
  singular?: string;
  shortNames?: string[];
  categories?: string[];
  /** Create-only kinds that represent an operation and are never stored. */
  virtual?: boolean;
  /** Part of the API's vocabulary but not a resource of its own (option and list kinds). */
  unserved?: boolean;
  verbs?: Verb[];
  subresources?: Subresources;
  columns?: Column[];
  /** Fields beyond metadata.name and metadata.namespace that field selectors may name. */
  selectableFields?: string[];
  /** Objects are stored in this version, the hub. Defaults to true for the most stable and then newest version. */
  storage?: boolean;
  /** A PUT to a name that does not exist creates the object. */
  createOnUpdate?: boolean;
  /** A deletion returns the object instead of a Status. */
  returnsDeleted?: boolean;
  /** Whether metadata.generation counts changes. Defaults to true for a kind with a spec and a status. */
  generation?: boolean;
  /** An update must name the resourceVersion it is based on. */
  conditionalUpdate?: boolean;
  /** The group that stores the object, for a kind that moved between groups: `apps`, or "" for core. */
  storedIn?: string;
  /** Where the store keeps it, below the root and before the namespace. Defaults to the plural. */
  storedAs?: string;
  /** Served only if `--runtime-config` turns it on: alpha versions, and beta versions whose resource came with 1.22 or later. */
  offByDefault?: boolean;
  /** Served only while this feature gate is on. */
  gate?: GateName;
}

/** Declares a kind of this group-version. The interface T is its schema. */
export function kind<T extends object>(
  declaration: Declaring<T, KindDeclaration>,
): KindDeclaration & { readonly schema?: T } {
  return declaration as KindDeclaration;
}

export interface ConfigKindDeclaration extends Lifecycle {
  /** The group that files name, when it is not that of the folder. */
  group?: string;
  /** Other names that files may use for it, as `group/version Kind`. */
  aliases?: string[];
}

/** Declares a kind that is read from a configuration file of the server rather than served. */
export function configKind<T extends object>(
  declaration: Declaring<T, ConfigKindDeclaration>,
): ConfigKindDeclaration & { readonly schema?: T } {
  return declaration as ConfigKindDeclaration;
}

export interface GroupDeclaration {
  /** `apps`, or with the domain left open: `rbac.authorization.<domain>`. The core group is "". */
  name: string;
  /** Versions in order of preference. */
  versions: string[];
  /** Groups are listed by it, highest first; clients resolve a resource that several groups have by that order. Defaults to 1000. */
  priority?: number;
  /** The priority it had at releases before `until`. */
  formerPriority?: { until: Release; priority: number };
  /** Versions that only earlier releases have: OpenAPI does not list them for kinds that belong to every version, such as DeleteOptions. */
  formerVersions?: string[];
  /**
   * Where the types live below the domain; defaults to `api/<folder>`. OpenAPI definitions are named after it with the domain
   * reversed (`io.k8s.api.rbac`), protobuf packages with the domain as it is (`k8s.io.api.rbac`, dashes as underscores).
   */
  package?: string;
  /**
   * The group is part of Kubernetes itself and keeps its conventions: objects are stored under `/registry/<resource>/` without the
   * group, and OpenAPI documents show only those defaults and limits that are marked `Published`. Leave it out for groups of your own:
   * their objects are stored under `/registry/<group>/<resource>/`, and their rules are published.
   */
  kubernetes?: boolean;
  /**
   * Kubernetes serves the group by a server of its own, whose messages name this place in its sources as the list of what it knows.
   * Such servers show no table of a status.
   */
  scheme?: string;
  /** Holds only configuration-file kinds: nothing of it is served. */
  configuration?: boolean;
  /** The group was imported from CustomResourceDefinitions: descriptions may be missing, and columns may name fields that do not exist. */
  imported?: boolean;
}

export function group(declaration: GroupDeclaration): GroupDeclaration {
  return declaration;
}

/** What the definitions of Kubernetes describe as a whole. A project says in `typeplane.config.ts` what is its own. */
export interface PlatformDeclaration {
  /** The Kubernetes release that the definitions describe. */
  release: Release;
  /** Fills `<domain>` in the names of Kubernetes' groups, signers and well-known labels. */
  domain: string;
  /** Prefix of OpenAPI extensions (`x-<vendor>-…`) and media types (`application/vnd.<vendor>.protobuf`). */
  vendor: string;
}

export function platform(declaration: PlatformDeclaration): PlatformDeclaration {
  return declaration;
}
