import type { Informer } from "../client/informer/informer.ts";
import type { KnownObject } from "../client/informer/local-store.ts";
import type { Key, KindOf, Stored, UntypedObject } from "../client/object-types.ts";

/** An object whose kind does not matter. */
export type AnyObject = Stored<UntypedObject> & KnownObject;

export type AnyInformer = Informer<AnyObject, string>;

/** Objects of one kind as an informer holds them. They are shared: do not change them. */
export interface Cached<C extends object> {
  get(key: Key<C>): Stored<C> | undefined;
  /** All objects, or those of a namespace. */
  list(namespace?: string): Stored<C>[];
  /** By an index of the controller's `indexes`. */
  byIndex(index: string, value: string): Stored<C>[];
}

/** The kinds that a controller is for, owns or watches. */
export interface Cache {
  /** Throws a RangeError for another kind. */
  of<C extends object>(kind: KindOf<C>): Cached<C>;
}

/** `prefix` keeps apart the indexes of controllers that share an informer. */
export function cachedOf<C extends object>(informer: AnyInformer, prefix: string): Cached<C> {
  const view: Cached<UntypedObject> = {
    get: (key) => informer.get(key as string),
    list: (namespace) => informer.list(namespace),
    byIndex: (index, value) => informer.byIndex(`${prefix}/${index}`, value),
  };
  return view as unknown as Cached<C>;
}
