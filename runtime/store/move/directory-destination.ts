import { randomBytes } from "node:crypto";
import { readDirectory } from "../backup/read-stored.ts";
import type { Expiry } from "../embedded/engine.ts";
import { lockEmptyDirectory, NewDataFile } from "../embedded/new-data-file.ts";
import type { Store } from "../store.ts";
import type { MoveDestination } from "./move-destination.ts";
import { MoveError } from "./move-error.ts";
import type { MoveSource } from "./move-source.ts";

/**
 * Opens a new data directory as a destination that keeps the revisions of the source. The directory must be empty or not exist. It stays
 * empty until everything is written and read back: an interrupted run leaves nothing to resume.
 */
export async function openDirectoryDestination(
  directory: string,
  keyRoot: string,
  source: MoveSource,
): Promise<MoveDestination> {
  const lock = await lockEmptyDirectory(
    directory,
    new MoveError(`${directory} is not empty: move into a new directory`),
  );
  const fresh = await NewDataFile.begin(directory, randomBytes(32)).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  const expiries: Expiry[] = [];
  let last = 1;
  let written: Store | undefined;
  let isFinished = false;
  return {
    keyRoot,
    cursor: 0,
    async write({ name, createRevision, modRevision, expires }, value) {
      const key = keyRoot + name;
      // In etcd, all keys written in one transaction have the same revision.
      const revision = Math.max(last + 1, modRevision);
      last = revision;
      const time = Date.now();
      await fresh.add({ type: "put", key, value, revision, createRevision, previousRevision: 0, time });
      if (expires !== undefined) expiries.push({ key, revision, time: expires });
    },
    async readBack() {
      const draft = await fresh.complete({ compactedRevision: Math.max(last, source.revision), expiries });
      const { store, problems } = await readDirectory(draft, () => undefined);
      written = store;
      if (problems.length > 0) throw new MoveError(`${directory} was not written correctly:\n${problems.join("\n")}`);
      return store;
    },
    async finish() {
      await written?.close();
      written = undefined;
      fresh.putInPlace();
      isFinished = true;
      return Math.max(last, source.revision);
    },
    async close() {
      await written?.close();
      if (!isFinished) await fresh.abandon();
      lock.release();
    },
  };
}
