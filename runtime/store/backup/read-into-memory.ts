import { DataFileView } from "../embedded/data-file-view.ts";
import type { Expiry } from "../embedded/engine.ts";
import { MemoryEngine } from "../embedded/memory-engine.ts";
import { openMemoryStore } from "../embedded/open-embedded-store.ts";
import type { Store } from "../store.ts";
import type { OnRecord } from "./back-up.ts";
import { readBackup } from "./backup-file.ts";
import { LogReplay } from "./replay-log.ts";

/** The state of a data file or a backup as of one revision, in a store in memory. Keys with a time to live stay in it. */
export interface StateInMemory {
  readonly store: Store;
  readonly revision: number;
  readonly expiries: readonly Expiry[];
  /** Sentences about changes that contradict each other, and about an index that differs from the changes. */
  readonly problems: readonly string[];
}

/** Reads the data file of a directory, which a server may be using. Throws as `DataFileView.open`. */
export async function readDirectory(directory: string, onRecord: OnRecord): Promise<StateInMemory> {
  const view = await DataFileView.open(directory);
  try {
    const replay = new LogReplay(view.compactedRevision);
    for (const record of view.records()) {
      replay.add(record);
      onRecord();
    }
    for (const expiry of view.expiries()) replay.addExpiry(expiry);
    replay.checkHeads(view.heads());
    return inMemory(replay, view.identity, view.revision);
  } finally {
    await view.close();
  }
}

/** Reads a backup. Throws a BackupError for a damaged one. */
export async function readBackupFile(file: string, onRecord: OnRecord): Promise<StateInMemory> {
  let replay = new LogReplay(0);
  let [identity, revision] = ["", 0];
  for await (const item of readBackup(file)) {
    if ("header" in item) {
      ({ identity, revision } = item.header);
      replay = new LogReplay(item.header.compactedRevision);
    } else if ("expiry" in item) replay.addExpiry(item.expiry);
    else {
      replay.add(item.record);
      onRecord();
    }
  }
  return inMemory(replay, Buffer.from(identity, "base64"), revision);
}

function inMemory(replay: LogReplay, identity: Uint8Array, revision: number): StateInMemory {
  const { expiries, ...state } = replay.state(identity, revision);
  return {
    store: openMemoryStore({ historyMs: Number.POSITIVE_INFINITY }, MemoryEngine.from({ ...state, expiries: [] })),
    revision,
    expiries,
    problems: replay.problems,
  };
}
