import { isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { KnownObject } from "../client/informer/local-store.ts";
import type { Selection } from "../client/options.ts";
import type { ObjectKey } from "../client/request-observer.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import type { AnyInformer, AnyObject } from "./cache.ts";
import { formatKey } from "./keys.ts";

/** An informer of a controller, and what it selects. */
export interface CachedSource {
  readonly resource: ResourceToken<object>;
  readonly selection: Selection;
  readonly informer: AnyInformer;
}

/** A write that a cache is expected to show. */
export interface OwnWrite {
  readonly source: CachedSource;
  readonly object: ObjectKey;
  /** Absent for an object that was removed. */
  readonly version?: string;
  /** UID of the object that was removed, if the cache had it. */
  readonly removed?: string | undefined;
  readonly at: number;
}

/**
 * What each reconcile wrote and the caches do not show yet. A reconcile that would see the world as it was before its own last writes is
 * delayed, so that it neither repeats nor undoes them.
 */
export class OwnWrites {
  readonly #sources: readonly CachedSource[];
  readonly #now: () => number;
  /** By the key of the reconcile, and by the object. */
  readonly #writes = new Map<string, Map<string, OwnWrite>>();

  constructor(sources: readonly CachedSource[], now: () => number) {
    this.#sources = sources;
    this.#now = now;
  }

  written(key: string, token: ResourceToken<object>, { metadata }: KnownObject): void {
    const { name, namespace, resourceVersion: version } = metadata;
    for (const source of this.#showing(token, metadata))
      this.#expect(key, { source, object: { name, namespace }, version, at: this.#now() });
  }

  removed(key: string, token: ResourceToken<object>, object: ObjectKey): void {
    for (const source of this.#showing(token, object)) {
      const uid = source.informer.get(object)?.metadata.uid;
      if (uid !== undefined) this.#expect(key, { source, object, removed: uid, at: this.#now() });
    }
  }

  /** A write that the cache does not show yet; undefined if it shows all. */
  pending(key: string): OwnWrite | undefined {
    const writes = this.#writes.get(key);
    if (writes === undefined) return undefined;
    for (const [id, write] of writes) {
      if (!isShown(write)) return write;
      writes.delete(id);
    }
    this.#writes.delete(key);
    return undefined;
  }

  /** Keys of reconciles that wait for a cache. */
  get keys(): string[] {
    return [...this.#writes.keys()];
  }

  /** Asks the server whether the cache has the object as it is now, and if so expects no more. */
  async confirm(key: string, write: OwnWrite, client: Client): Promise<void> {
    const { source, object } = write;
    const cached = source.informer.get(object)?.metadata.resourceVersion;
    const live = await client
      .of(source.resource)
      .get(object as { name: string; namespace: string })
      .then(
        ({ metadata }) => metadata.resourceVersion,
        (error: unknown) => {
          if (isNotFound(error)) return undefined;
          throw error;
        },
      );
    if (cached === live) this.#writes.get(key)?.delete(idOf(write));
  }

  #expect(key: string, write: OwnWrite): void {
    let writes = this.#writes.get(key);
    if (writes === undefined) this.#writes.set(key, (writes = new Map()));
    writes.set(idOf(write), write);
  }

  /** The sources that will show an object. Of those with selectors only the ones that show it already: the others may never do. */
  #showing({ group, resource }: ResourceToken<object>, object: ObjectKey): CachedSource[] {
    return this.#sources.filter(({ resource: own, selection, informer }) => {
      if (own.group !== group || own.resource !== resource) return false;
      const { namespace, labelSelector, fieldSelector } = selection;
      if (namespace !== undefined && namespace !== object.namespace) return false;
      return (labelSelector === undefined && fieldSelector === undefined) || informer.get(object) !== undefined;
    });
  }
}

function idOf({ source, object }: OwnWrite): string {
  const { group, version, resource } = source.resource;
  return `${group}/${version}/${resource}/${formatKey(object)}`;
}

function isShown({ source: { informer }, object, version, removed }: OwnWrite): boolean {
  const cached: AnyObject | undefined = informer.get(object);
  if (version === undefined)
    return cached?.metadata.uid !== removed || cached?.metadata.deletionTimestamp !== undefined;
  return isAtLeast(cached?.metadata.resourceVersion, version) || isAtLeast(informer.resourceVersion, version);
}

/** Versions are decimal numbers that grow, on every server there is. Others are only compared for being the same. */
function isAtLeast(version: string | undefined, other: string): boolean {
  if (version === undefined || version === "") return false;
  if (version === other) return true;
  if (!/^\d+$/.test(version) || !/^\d+$/.test(other)) return false;
  return version.length === other.length ? version > other : version.length > other.length;
}
