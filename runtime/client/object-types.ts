import type { Held, listKeys, scope } from "../../api-definitions/marker-vocabulary.ts";
import type { ObjectMeta } from "../../api-definitions/meta/v1/object-meta.ts";
import type { KindDeclaration } from "../../api-definitions/vocabulary.ts";
import type { ResourceToken } from "../contract/resource-token.ts";

/** A result of `kind<T>()`, or a token of a kind from `generated/resources/`. */
export type KindOf<T extends object> = (KindDeclaration & { readonly schema?: T }) | ResourceToken<T>;

type ScopeOf<T> = typeof scope extends keyof T ? NonNullable<T[typeof scope]> : "Namespaced";

/** The namespace field of a kind's metadata. A kind whose interface extends `ClusterScoped` has none. Untyped objects may have one. */
type NamespaceOf<T> = {
  Cluster: { readonly namespace?: undefined };
  Namespaced: { readonly namespace: string };
}[ScopeOf<T> & ("Cluster" | "Namespaced")];

/** Identifies one object. The `metadata` of an object that the server returned is also a key. */
export type Key<T> = ({ readonly name: string } & NamespaceOf<T>) | ("Cluster" extends ScopeOf<T> ? string : never);

/** An object of a kind that is known only at run time. */
export interface UntypedObject {
  readonly [scope]?: "Cluster" | "Namespaced";
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  [field: string]: unknown;
}

/** Metadata of an object that the server returned. */
export type StoredMeta<T> = Omit<ObjectMeta, "name" | "uid" | "resourceVersion" | "creationTimestamp" | "namespace"> & {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
} & NamespaceOf<T>;

/** An object that the server returned: its name, UID and resourceVersion are always set. */
export type Stored<T extends object> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  apiVersion: string;
  kind: string;
  metadata: StoredMeta<T>;
};

/** An object reduced to its metadata, as a metadata-only informer keeps it. */
export type StoredMetadata<T extends object> = { apiVersion: string; kind: string; metadata: StoredMeta<T> };

type NewMeta<T> = Omit<ObjectMeta, "name" | "generateName" | "namespace"> &
  ({ name: string; generateName?: string } | { name?: undefined; generateName: string }) &
  NamespaceOf<T>;

/** An object to create. It needs a name or generateName, and a namespace if the kind is namespaced. */
export type New<T extends object> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  apiVersion?: string;
  kind?: string;
  metadata: NewMeta<T>;
};

type NamedMeta<T> = Omit<ObjectMeta, "name" | "namespace"> & {
  name: string;
} & NamespaceOf<T>;

/** An object for an update. With a `resourceVersion`, the update fails if the object has changed since. */
export type Replacement<T extends object> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  apiVersion?: string;
  kind?: string;
  metadata: NamedMeta<T>;
};

type AppliedMeta<T> = Pick<ObjectMeta, "labels" | "annotations" | "finalizers" | "ownerReferences"> & {
  name: string;
  /** UID that the existing object must have: otherwise the apply fails. */
  uid?: string;
  /** resourceVersion that the existing object must have: otherwise the apply fails. */
  resourceVersion?: string;
} & NamespaceOf<T>;

/**
 * The fields that may be applied to an object: any of them, except the status and fields that the server sets. Items of lists that are identified by
 * keys must contain their keys.
 */
export type Applicable<T extends object> = {
  [F in FieldOf<T> as F extends "apiVersion" | "kind" | "metadata" | "status" ? never : F]?: Part<T[F]>;
} & { apiVersion?: string; kind?: string; metadata: AppliedMeta<T> };

/** The fields that may be applied to the status of an object. */
export type ApplicableStatus<T extends object> = (T extends { status?: infer S }
  ? { status: Part<NonNullable<S>> }
  : { status?: undefined }) & { apiVersion?: string; kind?: string; metadata: AppliedMeta<T> };

type FieldOf<V> = keyof V & string;

type Scalar = string | number | bigint | boolean | null | undefined;

/** A value of which any field may be missing, at each level. */
export type Part<V> = unknown extends V
  ? V
  : V extends Scalar
    ? V
    : V extends readonly (infer Item)[]
      ? PartItem<V, Item>[]
      : V extends object
        ? string extends keyof V
          ? { [F in keyof V]: Part<V[F]> }
          : { [F in FieldOf<V>]?: Part<V[F]> }
        : V;

/** An item of a list: its keys, if there are any, are required; other fields may be missing. */
type PartItem<List, Item> = Item extends Scalar
  ? Item
  : List extends { readonly [listKeys]?: Held<readonly [infer A, infer B, infer C]> }
    ? Part<Item> & Required<Pick<Item, (A | B | C) & keyof Item>>
    : Part<Item>;

/** A merge patch: any part of the object; `null` removes a field. Lists are replaced as a whole. */
export type MergePatch<V> = unknown extends V
  ? V
  : V extends Scalar
    ? V | null
    : V extends readonly unknown[]
      ? V | null
      : V extends object
        ? { [F in FieldOf<V>]?: MergePatch<V[F]> } | null
        : V | null;

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };
