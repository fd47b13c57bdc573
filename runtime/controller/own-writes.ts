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

/** A write that a cache does not show yet. */
export interface OwnWrite {
  readonly source: CachedSource;
  readonly object: ObjectKey;
  /** The written resourceVersion; undefined if the object was removed. */
  readonly version?: string;
  /** UID of the removed object, if the cache contained it. */
  readonly removed?: string | undefined;
  readonly at: number;
}

/**
 * Writes of each reconcile that the caches do not show yet. The next reconcile is delayed until its cache shows its own last writes, so that it
 * neither repeats nor reverts them.
 */
export class OwnWrites {
  readonly #sources: readonly CachedSource[];
  readonly #now: () => number;
  /** By the key of the reconcile, then by object. */
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

  /** Returns a write that the cache does not show yet; undefined if there is none. */
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

  /** Keys of reconciles with writes that a cache may not show yet. */
  get keys(): string[] {
    return [...this.#writes.keys()];
  }

  /** Compares the cached object with the server. If they are equal, the write is no longer expected. */
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

  /**
   * Returns the sources that will show a write. A source with a selector counts only if it already contains the object: otherwise it may never show
   * it.
   */
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

/** Compares resourceVersions as growing decimal numbers, as all known servers assign them. Others match only if they are equal. */
function isAtLeast(version: string | undefined, other: string): boolean {
  if (version === undefined || version === "") return false;
  if (version === other) return true;
  if (!/^\d+$/.test(version) || !/^\d+$/.test(other)) return false;
  return version.length === other.length ? version > other : version.length > other.length;
}
