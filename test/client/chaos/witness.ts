import type { KnownObject } from "../../../runtime/client/informer/local-store.ts";
import type { InformerSource } from "../../../runtime/client/informer/source.ts";
import type { InformerHandler } from "../../../runtime/client.ts";
import type { AckedWrite } from "./writer.ts";

interface Seen {
  readonly versions: number[];
  deleted: boolean;
}

/**
 * Checks the calls of an informer's handler: each object is added once, changed in order and without duplicates, and deleted once. Also
 * checks that acknowledged writes were seen, except those between the last version of the informer and the version of a new list.
 */
export class Witness implements InformerHandler<KnownObject> {
  readonly contradictions: string[] = [];
  events = 0;
  readonly #objects = new Map<string, Seen>();
  /** Versions after `from` and up to `to` were not watched, because the server had compacted them. */
  readonly #gaps: { readonly from: number; readonly to: number }[] = [];
  #last = 0;

  get gaps(): number {
    return this.#gaps.length;
  }

  /** Records the versions that a source sends. */
  observe(source: InformerSource<KnownObject>): InformerSource<KnownObject> {
    const pass = (version: string) => {
      this.#last = Number(version);
    };
    const skip = (version: string) => {
      this.#gaps.push({ from: this.#last, to: Number(version) });
      pass(version);
    };
    return {
      list: async (page) => {
        const read = await source.list(page);
        if (read.continue === "") skip(read.resourceVersion);
        return read;
      },
      watch: (options, take) => {
        let isInitial = options.sendInitialEvents;
        return source.watch(options, (events) => {
          for (const event of events) {
            if (event.type === "BOOKMARK") {
              if (event.initialEventsEnd) skip(event.resourceVersion);
              else if (!isInitial) pass(event.resourceVersion);
              if (event.initialEventsEnd) isInitial = false;
            } else if (!isInitial) pass(event.object.metadata.resourceVersion);
          }
          return take(events);
        });
      },
      release: (object) => source.release?.(object),
    };
  }

  added({ metadata: { name, uid, resourceVersion } }: KnownObject): void {
    this.events++;
    if (this.#objects.has(uid)) this.contradictions.push(`${name} (${uid}) was added twice`);
    this.#objects.set(uid, { versions: [Number(resourceVersion)], deleted: false });
  }

  updated({ metadata: { name, uid, resourceVersion } }: KnownObject, old: KnownObject): void {
    this.events++;
    const seen = this.#objects.get(uid);
    const before = seen?.versions.at(-1) ?? 0;
    if (seen === undefined || seen.deleted)
      this.contradictions.push(`${name} (${uid}) was changed, and does not exist`);
    if (String(before) !== old.metadata.resourceVersion)
      this.contradictions.push(`${name} was changed from ${old.metadata.resourceVersion}, last seen was ${before}`);
    if (before >= Number(resourceVersion))
      this.contradictions.push(`${name} was changed to ${resourceVersion} after ${before}`);
    seen?.versions.push(Number(resourceVersion));
  }

  deleted({ metadata: { name, uid } }: KnownObject): void {
    this.events++;
    const seen = this.#objects.get(uid);
    if (seen === undefined || seen.deleted)
      this.contradictions.push(`${name} (${uid}) was deleted, and does not exist`);
    else seen.deleted = true;
  }

  /** Reports acknowledged writes that should have been seen but were not. */
  check(acked: readonly AckedWrite[]): void {
    const known = new Map([...this.#objects].map(([uid, { versions }]) => [uid, new Set(versions)]));
    for (const { name, uid, version } of acked) {
      if (version === undefined) {
        const seen = this.#objects.get(uid);
        if (seen !== undefined && !seen.deleted)
          this.contradictions.push(`the deletion of ${name} (${uid}) was not seen`);
      } else if (!known.get(uid)?.has(version) && !this.#gaps.some(({ from, to }) => from < version && version <= to))
        this.contradictions.push(`version ${version} of ${name} was not seen`);
    }
  }
}
