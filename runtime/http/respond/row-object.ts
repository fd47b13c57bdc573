import { types } from "node:util";
import type { ApiObject, ObjectMeta } from "../../contract/api-object.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { CachedObject } from "../../watch/cached-object.ts";

/**
 * The object of a row. Hooks read its stored version, paths of columns the served one: each is made when it is first read, so that
 * an object is parsed at most once, and converted at most once.
 */
export class RowObject {
  readonly #resource: ServedResource;
  readonly #cached: CachedObject | undefined;
  #stored: ApiObject | undefined;
  #served: ApiObject | undefined;

  private constructor(
    resource: ServedResource,
    from: CachedObject | undefined,
    served?: ApiObject,
    stored?: ApiObject,
  ) {
    this.#resource = resource;
    this.#cached = from;
    this.#served = served;
    this.#stored = stored;
  }

  /** For one of many objects: nothing that is read of it is remembered. */
  static ofCached(resource: ServedResource, cached: CachedObject): RowObject {
    return new RowObject(resource, undefined, undefined, cached.objectOnce as unknown as ApiObject);
  }

  /** The same for a row of which little is read: members of what is served as it is stored are parsed when they are read. */
  static ofCells(resource: ServedResource, cached: CachedObject): RowObject {
    return new RowObject(resource, cached);
  }

  static ofStored(resource: ServedResource, stored: ApiObject): RowObject {
    return new RowObject(resource, undefined, undefined, stored);
  }

  /** `stored` is the same object in its stored version, where it is at hand. */
  static ofServed(resource: ServedResource, served: ApiObject, stored?: ApiObject): RowObject {
    return new RowObject(resource, undefined, served, stored);
  }

  get stored(): ApiObject {
    this.#stored ??=
      this.#cached === undefined
        ? this.#resource.toStored(this.#served as ApiObject)
        : ((this.#resource.isStoredVersion
            ? this.#cached.objectView
            : this.#cached.objectOnce) as unknown as ApiObject);
    return this.#stored;
  }

  /**
   * What a hook makes of the stored version. One that copies or changes what it is given fails with an object whose members are parsed when
   * they are read, and is called again with the parsed object.
   */
  read<T>(hook: (stored: ApiObject) => T): T {
    try {
      return hook(this.stored);
    } catch (error) {
      if (this.#cached === undefined || !types.isProxy(this.#stored)) throw error;
      this.#stored = this.#cached.parse() as unknown as ApiObject;
      return hook(this.#stored);
    }
  }

  get served(): ApiObject {
    this.#served ??= this.#resource.fromStored(this.stored);
    return this.#served;
  }

  /** Names and times, which no version changes. */
  get metadata(): ObjectMeta {
    return (this.#served ?? this.stored).metadata;
  }
}
