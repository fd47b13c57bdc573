/** The fields of an object that an informer needs. */
export interface KnownObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

/** Returns the index values of an object: none, one or several. The result must depend on the object only. */
export type IndexFunction<O> = (object: O) => readonly string[] | string | undefined;

interface Index<O> {
  readonly valuesOf: IndexFunction<O>;
  readonly objects: Map<string, Set<O>>;
}

/** Objects, accessible by namespace and name, and by indexes. */
export class LocalStore<O extends KnownObject> {
  readonly #namespaces = new Map<string, Map<string, O>>();
  readonly #indexes: Map<string, Index<O>>;
  readonly #onError: (error: unknown) => void;
  #size = 0;

  /** `onError` receives the errors of index functions. An object whose index function fails is left out of that index. */
  constructor(indexes: Readonly<Record<string, IndexFunction<O>>>, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#indexes = new Map(
      Object.entries(indexes).map(([name, valuesOf]) => [name, { valuesOf, objects: new Map() }]),
    );
  }

  /** Adds an index of the current and future objects, or replaces one of the same name. */
  addIndex(name: string, valuesOf: IndexFunction<O>): void {
    const index = { valuesOf, objects: new Map() };
    for (const object of this.values()) this.#addTo(index, object);
    this.#indexes.set(name, index);
  }

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): O | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Returns all objects, or those of a namespace. */
  *values(namespace?: string): Generator<O> {
    if (namespace !== undefined) yield* this.#namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  /** Returns the objects for which the index function returned `value`. Throws a RangeError if there is no such index. */
  byIndex(name: string, value: string): O[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new RangeError(`the informer has no index "${name}"`);
    return [...(index.objects.get(value) ?? [])];
  }

  /** Adds an object, or replaces `old`, which must be the current one. */
  set(object: O, old: O | undefined): void {
    const { namespace = "", name } = object.metadata;
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) this.#namespaces.set(namespace, (objects = new Map()));
    objects.set(name, object);
    if (old === undefined) this.#size++;
    for (const index of this.#indexes.values()) {
      if (old !== undefined) removeFrom(index, old);
      this.#addTo(index, object);
    }
  }

  /** Removes an object. Returns it; undefined if there was none. */
  delete(namespace: string, name: string): O | undefined {
    const objects = this.#namespaces.get(namespace);
    const old = objects?.get(name);
    if (objects === undefined || old === undefined) return undefined;
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#size--;
    for (const index of this.#indexes.values()) removeFrom(index, old);
    return old;
  }

  #addTo({ valuesOf, objects }: Index<O>, object: O): void {
    for (const value of valuesIn(valuesOf, object, this.#onError)) {
      const found = objects.get(value);
      if (found === undefined) objects.set(value, new Set([object]));
      else found.add(object);
    }
  }
}

/** Calls an index function. Its error affects only this index: other indexes and handlers still receive the object. */
function valuesIn<O>(valuesOf: IndexFunction<O>, object: O, onError: (error: unknown) => void): readonly string[] {
  try {
    const values = valuesOf(object);
    return typeof values === "string" ? [values] : (values ?? []);
  } catch (error) {
    onError(error);
    return [];
  }
}

function removeFrom<O>({ valuesOf, objects }: Index<O>, object: O): void {
  // The error was already reported when the object was added.
  for (const value of valuesIn(valuesOf, object, () => undefined)) {
    const found = objects.get(value);
    if (found?.delete(object) && found.size === 0) objects.delete(value);
  }
}
