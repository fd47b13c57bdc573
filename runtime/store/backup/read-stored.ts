import { DataFileView } from "../embedded/data-file-view.ts";
import type { Expiry, LogRecord } from "../embedded/engine.ts";
import { MemoryEngine } from "../embedded/memory-engine.ts";
import { openMemoryStore, openReadOnlyStore } from "../embedded/open-embedded-store.ts";
import { ViewEngine } from "../embedded/view-engine.ts";
import type { Store } from "../store.ts";
import type { OnRecord } from "./back-up.ts";
import { readBackup } from "./backup-file.ts";
import { LogReplay } from "./replay-log.ts";

/** The state of a data file or a backup as of one revision, as a read-only store. Keys with a time to live do not expire in it. */
export interface StoredState {
  readonly store: Store;
  readonly revision: number;
  readonly expiries: readonly Expiry[];
  /** Sentences that describe changes that contradict each other, and index entries that differ from the changes. */
  readonly problems: readonly string[];
}

/**
 * Reads the data file of a directory, which a server may be using. The returned store keeps the file open until it is closed and reads
 * values from it, so memory use depends on the number of keys, not on their size. Throws the errors of `DataFileView.open`.
 */
export async function readDirectory(directory: string, onRecord: OnRecord): Promise<StoredState> {
  const view = await DataFileView.open(directory);
  try {
    const replay = new LogReplay(view.compactedRevision);
    for (const record of view.recordHeaders()) {
      replay.add(record);
      onRecord();
    }
    replay.checkHeads(view.heads());
    const store = openReadOnlyStore(new ViewEngine(view, replay.heads()));
    return { store, revision: view.revision, expiries: [...view.expiries()], problems: replay.problems };
  } catch (error) {
    await view.close();
    throw error;
  }
}

/** Reads a backup into memory. Throws a BackupError if it is damaged. */
export async function readBackupFile(file: string, onRecord: OnRecord): Promise<StoredState> {
  let replay = new LogReplay(0);
  let [identity, revision] = ["", 0];
  const present = new Map<string, LogRecord>();
  const expiries: Expiry[] = [];
  for await (const item of readBackup(file)) {
    if ("header" in item) {
      ({ identity, revision } = item.header);
      replay = new LogReplay(item.header.compactedRevision);
    } else if ("expiry" in item) expiries.push(item.expiry);
    else {
      const { record } = item;
      replay.add(record);
      if (record.type === "delete") present.delete(record.key);
      else present.set(record.key, { ...record, value: Buffer.from(record.value) });
      onRecord();
    }
  }
  const records = [...present.values()].sort((a, b) => a.revision - b.revision);
  const state = { identity: Buffer.from(identity, "base64"), revision, records, expiries: [] };
  const store = openMemoryStore({ historyMs: Number.POSITIVE_INFINITY }, MemoryEngine.from(state));
  return { store, revision, expiries, problems: replay.problems };
}
