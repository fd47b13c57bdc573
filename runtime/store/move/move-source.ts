import type { OnRecord } from "../backup/back-up.ts";
import { readDirectory } from "../backup/read-stored.ts";
import { DATA_FILE, hasDataFile } from "../embedded/check-data-file.ts";
import { lockDirectory } from "../embedded/directory-lock.ts";
import type { EtcdStore } from "../etcd/etcd-store.ts";
import { everyEntry } from "../every-entry.ts";
import type { Store } from "../store.ts";
import { MoveError } from "./move-error.ts";
import { isOfServer } from "./server-keys.ts";

/** A key to be moved. */
export interface MovedKey {
  /** The key without the root, such as `/pods/default/web`. */
  readonly name: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** When the key expires, in milliseconds since the epoch; undefined if it does not expire. */
  readonly expires: number | undefined;
}

/** All data of a store as of one revision. Never written to. */
export interface MoveSource {
  readonly store: Store;
  readonly keyRoot: string;
  readonly revision: number;
  /** In the order of their last changes. Excludes the keys of running servers. */
  readonly keys: readonly MovedKey[];
  /** Throws a MoveError if the source has been written to since it was opened. */
  checkUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a data directory and locks it, so that no server uses it during the move. Throws Locked if one does. */
export async function openDirectorySource(directory: string, keyRoot: string, onRecord: OnRecord): Promise<MoveSource> {
  if (!hasDataFile(directory)) throw new MoveError(`${directory} is not a data directory: it has no ${DATA_FILE}`);
  const lock = await lockDirectory(directory);
  let opened: Store | undefined;
  try {
    const { store, revision, expiries, problems } = await readDirectory(directory, onRecord);
    opened = store;
    if (problems.length > 0) throw new MoveError(`${directory} is damaged:\n${problems.join("\n")}`);
    const times = new Map(expiries.map(({ key, revision: of, time }) => [`${of} ${key}`, time]));
    const keys: MovedKey[] = [];
    for await (const { key, createRevision, modRevision } of everyEntry(store, `${keyRoot}/`)) {
      const expires = times.get(`${modRevision} ${key}`);
      keys.push({ name: key.slice(keyRoot.length), createRevision, modRevision, expires });
    }
    return {
      store,
      keyRoot,
      revision,
      keys: inOrder(keys),
      checkUnchanged: async () => undefined,
      async close() {
        lock.release();
        await store.close();
      },
    };
  } catch (error) {
    lock.release();
    await opened?.close();
    throw error;
  }
}

/** Opens a prefix of etcd. Throws a MoveError while API servers use it. */
export async function openEtcdSource(store: EtcdStore, keyRoot: string): Promise<MoveSource> {
  const revision = await store.currentRevision();
  const found = await store.keys(`${keyRoot}/`, revision);
  const servers = found.filter(({ key }) => isOfServer(key.slice(keyRoot.length)));
  if (servers.length > 0)
    throw new MoveError(
      `an API server uses this etcd, or was killed less than 15 seconds ago: stop all of them first (${servers.map(({ key }) => key).join(", ")})`,
    );
  const leases = new Map<string, number>();
  const now = Date.now();
  for (const { lease } of found) {
    if (lease === "0" || leases.has(lease)) continue;
    leases.set(lease, now + 1000 * (await store.leaseSeconds(lease)));
  }
  const keys = found.map(({ key, createRevision, modRevision, lease }) => ({
    name: key.slice(keyRoot.length),
    createRevision,
    modRevision,
    expires: leases.get(lease),
  }));
  return {
    store,
    keyRoot,
    revision,
    keys: inOrder(keys),
    async checkUnchanged() {
      const present = new Map((await store.keys(`${keyRoot}/`, 0)).map(({ key, modRevision }) => [key, modRevision]));
      for (const { name, modRevision, expires } of keys) {
        const key = keyRoot + name;
        const changed = present.get(key) ?? (expires === undefined ? 0 : modRevision);
        if (changed !== modRevision) throw writtenMeanwhile(key);
        present.delete(key);
      }
      for (const key of present.keys()) throw writtenMeanwhile(key);
    },
    close: () => store.close(),
  };
}

function writtenMeanwhile(key: string): MoveError {
  return new MoveError(`${key} was changed in the source while it was moved: stop all servers and move again`);
}

function inOrder(keys: readonly MovedKey[]): MovedKey[] {
  return keys.filter(({ name }) => !isOfServer(name)).sort((a, b) => a.modRevision - b.modRevision);
}
