import type { marker, scope } from "../../api-definitions/marker-vocabulary.ts";
import type { ObjectMeta } from "../../api-definitions/meta/v1/object-meta.ts";
import type { KindDeclaration } from "../../api-definitions/vocabulary.ts";
import type { ResourceToken } from "../contract/resource-token.ts";

/** What `kind<T>()` returned, or the token of a kind from `generated/resources/`. */
export type KindOf<T extends object> = (KindDeclaration & { readonly schema?: T }) | ResourceToken<T>;

type ScopeOf<T> = typeof scope extends keyof T ? NonNullable<T[typeof scope]> : "Namespaced";

/** The namespace of objects of a kind: there is none if its interface extends `ClusterScoped`. Untyped objects may have one. */
type NamespaceOf<T> = {
  Cluster: { readonly namespace?: undefined };
  Namespaced: { readonly namespace: string };
}[ScopeOf<T> & ("Cluster" | "Namespaced")];

/** Names one object. `object.metadata` of anything the server returned is one, too. */
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

/** An object that the server returned: it has a name, a UID and a version. */
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

/** An object to create: with a name or a prefix for one, and a namespace if the kind has them. */
export type New<T extends object> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  apiVersion?: string;
  kind?: string;
  metadata: NewMeta<T>;
};

type NamedMeta<T> = Omit<ObjectMeta, "name" | "namespace"> & {
  name: string;
} & NamespaceOf<T>;

/** An object to replace another with. With a `resourceVersion` the update fails if the object has changed since. */
export type Replacement<T extends object> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  apiVersion?: string;
  kind?: string;
  metadata: NamedMeta<T>;
};

type AppliedMeta<T> = Pick<ObjectMeta, "labels" | "annotations" | "finalizers" | "ownerReferences"> & {
  name: string;
  /** The object must be this one: the apply fails if there is another of the same name. */
  uid?: string;
  /** The apply fails if the object has changed since. */
  resourceVersion?: string;
} & NamespaceOf<T>;

/**
 * What may be applied to an object itself: any part of it, except what the server records and the status. Items of lists that are
 * identified by keys need their keys.
 */
export type Applicable<T extends object> = {
  [F in FieldOf<T> as F extends "apiVersion" | "kind" | "metadata" | "status" ? never : F]?: Part<T[F]>;
} & { apiVersion?: string; kind?: string; metadata: AppliedMeta<T> };

/** What may be applied to the status of an object. */
export type ApplicableStatus<T extends object> = (T extends { status?: infer S }
  ? { status: Part<NonNullable<S>> }
  : { status?: undefined }) & { apiVersion?: string; kind?: string; metadata: AppliedMeta<T> };

type FieldOf<V> = keyof V & string;

type Scalar = string | number | bigint | boolean | null | undefined;

/** Any part of a value: fields may be missing at each level. */
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

/** An item of a list: whole keys, if it has any, and any part of the rest. */
type PartItem<List, Item> = Item extends Scalar
  ? Item
  : List extends { readonly [marker]?: { readonly keys: readonly [infer A, infer B, infer C] } }
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
