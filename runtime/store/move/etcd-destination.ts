import { CasFailedError, CompactedError } from "../errors.ts";
import type { EtcdStore } from "../etcd/etcd-store.ts";
import type { MoveDestination } from "./move-destination.ts";
import { MoveError } from "./move-error.ts";
import type { MovedKey, MoveSource } from "./move-source.ts";
import { moveMarkerKey } from "./server-keys.ts";

/** Maximum number of revisions to skip by writes without contents, which takes a few minutes. */
const MAX_FILLED = 1_000_000;
const FILLED_AT_ONCE = 100;
/** Skipped revisions are compacted at this interval, so that the database stays small. */
const COMPACT_EVERY = 50_000;
/** Times to live are rounded up to a multiple of this, so that keys share leases. */
const LEASE_SECONDS = 60;

/** The value of the marker key. It is updated with every object, in the same transaction. */
interface Marker {
  /** Identity of the source's data, base64. */
  readonly source: string;
  readonly revision: number;
  readonly cursor: number;
}

/**
 * Opens an empty prefix of etcd, or one with an unfinished move of the same source. etcd's revision rises by one with every write and
 * cannot be set. Revisions at which no object of the source was changed are therefore skipped by writes of a filler key: in a new etcd,
 * objects keep their resourceVersions.
 */
export async function openEtcdDestination(
  store: EtcdStore,
  keyRoot: string,
  source: MoveSource,
): Promise<MoveDestination> {
  const markerKey = moveMarkerKey(keyRoot);
  const begun = await store.get(markerKey);
  const identity = Buffer.from(source.store.identity).toString("base64");
  const none: Marker = { source: identity, revision: source.revision, cursor: 0 };
  if (begun === undefined) {
    const { entries } = await store.range({ prefix: `${keyRoot}/`, limit: 1 });
    if (entries[0] !== undefined)
      throw new MoveError(
        `etcd already has keys under ${keyRoot}/, such as ${entries[0].key}: use an empty etcd or another --etcd-prefix`,
      );
  }
  const marker = begun === undefined ? none : (JSON.parse(Buffer.from(begun.value).toString()) as Marker);
  if (marker.source !== identity || marker.revision !== source.revision)
    throw new MoveError(
      `etcd has an unfinished move of ${marker.source === identity ? `revision ${marker.revision} of this source, which has changed since` : "another source"}: delete it (etcdctl del --prefix ${keyRoot}/; etcdctl del --prefix ${markerKey}), then move again`,
    );
  const revision = await store.currentRevision();
  return new EtcdDestination(store, keyRoot, { marker, markerRevision: begun?.modRevision ?? 0, revision });
}

interface Position {
  marker: Marker;
  markerRevision: number;
  /** Revision of etcd at the last response. */
  revision: number;
}

class EtcdDestination implements MoveDestination {
  readonly keyRoot: string;
  readonly cursor: number;
  readonly #store: EtcdStore;
  readonly #markerKey: string;
  readonly #fillerKey: string;
  readonly #fills: boolean;
  #at: Position;
  #compacted = 0;

  constructor(store: EtcdStore, keyRoot: string, at: Position) {
    this.keyRoot = keyRoot;
    this.cursor = at.marker.cursor;
    this.#store = store;
    this.#markerKey = moveMarkerKey(keyRoot);
    this.#fillerKey = `${this.#markerKey}/filler`;
    this.#fills = at.marker.revision - at.revision <= MAX_FILLED;
    this.#at = at;
  }

  async write({ name, modRevision, expires }: MovedKey, value: Uint8Array): Promise<void> {
    await this.#raiseTo(modRevision - 1);
    const { marker, markerRevision } = this.#at;
    const key = this.keyRoot + name;
    const next = { ...marker, cursor: modRevision };
    const seconds = expires === undefined ? undefined : secondsUntil(expires);
    try {
      const { revision } = await this.#store.change({
        expected: [
          { key: this.#markerKey, revision: markerRevision },
          { key, revision: 0 },
        ],
        puts: [
          { key, value, ...(seconds !== undefined && { ttlSeconds: seconds }) },
          { key: this.#markerKey, value: Buffer.from(JSON.stringify(next)) },
        ],
      });
      this.#at = { marker: next, markerRevision: revision, revision };
    } catch (error) {
      if (error instanceof CasFailedError)
        throw new MoveError(`${error.key} was written by another process: nothing else may write to ${this.keyRoot}/`);
      const reason = error instanceof Error ? error.message : String(error);
      throw new MoveError(`${key}: ${reason}. Run the same command again to continue`, { cause: error });
    }
  }

  async readBack(): Promise<EtcdStore> {
    return this.#store;
  }

  async finish({ sameRevisions }: { sameRevisions: boolean }): Promise<number> {
    const wanted = this.#at.marker.revision;
    await this.#raiseTo(sameRevisions ? wanted : wanted + 1);
    const { revision } = await this.#store.change({ deletes: [this.#markerKey, this.#fillerKey] });
    // etcd has no history from before the move: watches that start there must expire.
    await this.#compact(sameRevisions ? Math.min(wanted, revision) : revision);
    return revision;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #raiseTo(target: number): Promise<void> {
    if (!this.#fills) return;
    while (this.#at.revision < target) {
      const count = Math.min(FILLED_AT_ONCE, target - this.#at.revision);
      const puts = [{ key: this.#fillerKey, value: Buffer.alloc(0) }];
      const answers = await Promise.all(Array.from({ length: count }, () => this.#store.change({ puts })));
      this.#at.revision = Math.max(...answers.map(({ revision }) => revision));
      if (this.#at.revision - this.#compacted < COMPACT_EVERY) continue;
      this.#compacted = this.#at.revision;
      await this.#compact(this.#compacted);
    }
  }

  async #compact(revision: number): Promise<void> {
    await this.#store.compact(revision).catch((error: unknown) => {
      if (!(error instanceof CompactedError)) throw error;
    });
  }
}

function secondsUntil(time: number): number {
  const seconds = Math.max(1, (time - Date.now()) / 1000);
  return Math.ceil(seconds / LEASE_SECONDS) * LEASE_SECONDS;
}
