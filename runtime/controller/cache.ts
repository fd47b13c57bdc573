import type { Informer } from "../client/informer/informer.ts";
import type { KnownObject } from "../client/informer/local-store.ts";
import type { Key, KindOf, Stored, UntypedObject } from "../client/object-types.ts";

/** An object of any kind. */
export type AnyObject = Stored<UntypedObject> & KnownObject;

export type AnyInformer = Informer<AnyObject, string>;

/** Objects of one kind, as held by an informer. They are shared: do not modify them. */
export interface Cached<C extends object> {
  get(key: Key<C>): Stored<C> | undefined;
  /** Returns all objects, or those of a namespace. */
  list(namespace?: string): Stored<C>[];
  /** Returns the objects with this value in one of the controller's `indexes`. */
  byIndex(index: string, value: string): Stored<C>[];
}

/** Access to cached objects of the kinds that a controller reconciles, owns or watches. */
export interface Cache {
  /** Throws a RangeError for other kinds. */
  of<C extends object>(kind: KindOf<C>): Cached<C>;
}

/** Returns the cached objects of an informer. `prefix` separates the indexes of controllers that share the informer. */
export function cachedOf<C extends object>(informer: AnyInformer, prefix: string): Cached<C> {
  const view: Cached<UntypedObject> = {
    get: (key) => informer.get(key as string),
    list: (namespace) => informer.list(namespace),
    byIndex: (index, value) => informer.byIndex(`${prefix}/${index}`, value),
  };
  return view as unknown as Cached<C>;
}
