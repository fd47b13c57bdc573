import { types } from "node:util";
import type { ApiObject, ObjectMeta } from "../../contract/api-object.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { CachedObject } from "../../watch/cached-object.ts";

/**
 * The object of a row. Hooks read its stored version, paths of columns the served one. Each is created when it is first read, so that an
 * object is parsed at most once and converted at most once.
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

  /** For one of many objects: the parsed object is not cached. */
  static ofCached(resource: ServedResource, cached: CachedObject): RowObject {
    return new RowObject(resource, undefined, undefined, cached.objectOnce as unknown as ApiObject);
  }

  /** Like `ofCached`, for a row that needs few members. If the stored version is served, members are parsed when they are read. */
  static ofCells(resource: ServedResource, cached: CachedObject): RowObject {
    return new RowObject(resource, cached);
  }

  static ofStored(resource: ServedResource, stored: ApiObject): RowObject {
    return new RowObject(resource, undefined, undefined, stored);
  }

  /** `stored` is the same object in its stored version, if available. */
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
   * Calls a hook with the stored version. A hook that copies or changes its argument fails with an object whose members are parsed lazily,
   * and is then called again with the parsed object.
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

  /** Metadata, whose names and times are the same in all versions. */
  get metadata(): ObjectMeta {
    return (this.#served ?? this.stored).metadata;
  }
}
