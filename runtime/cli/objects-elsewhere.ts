import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../lib/log.ts";
import type { ServerConfig } from "../server/server-config.ts";
import { DATA_FILE } from "../store/embedded/check-data-file.ts";
import { StoreError } from "../store/errors.ts";
import { moveMarkerKey } from "../store/move/server-keys.ts";
import { keyRootOf } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Checks a data directory that a server with etcd ignores. If it contains objects, the operator may expect them to be served: throws a UsageError if
 * `--data-dir` is given, and logs a warning if the directory is the default one, which may be unrelated.
 */
export async function checkDataDirectory(config: ServerConfig, isGiven: boolean, log: Log): Promise<void> {
  const { etcd, dataDir } = config;
  if (etcd === undefined || dataDir === undefined || !(await hasObjects(dataDir))) return;
  const sentence = `the data directory ${dataDir} has objects, but with --etcd-servers the objects in etcd are served`;
  if (!isGiven) return log("warn", `${sentence}; typeplane move moves them to etcd`);
  throw new UsageError(
    `${sentence}: move them (typeplane move --from ${dataDir} --to ${etcd.servers.join(",")}), or start without --data-dir`,
  );
}

/** Throws if a move of objects to the configured etcd is in progress or was interrupted. */
export async function refuseUnfinishedMove(config: ServerConfig, store: Store): Promise<void> {
  if (config.etcd === undefined || !(await hasMoveMarker(store, keyRootOf(config)))) return;
  throw new StoreError(
    "Unavailable",
    `a move to this etcd is not finished: run typeplane move again, or delete what it has written under ${keyRootOf(config)}/`,
  );
}

async function hasMoveMarker(store: Store, keyRoot: string): Promise<boolean> {
  try {
    return (await store.get(moveMarkerKey(keyRoot))) !== undefined;
  } catch (error) {
    // The etcd user may access only the prefix, which is sufficient for a kube-apiserver.
    if (error instanceof StoreError && error.code === "Denied") return false;
    throw error;
  }
}

async function hasObjects(directory: string): Promise<boolean> {
  if (!existsSync(join(directory, DATA_FILE))) return false;
  const { DataFileView } = await import("../store/embedded/data-file-view.ts");
  try {
    const view = await DataFileView.open(directory);
    try {
      for (const _head of view.heads()) return true;
      return false;
    } finally {
      await view.close();
    }
  } catch {
    // The file has another format or is damaged: it contained something.
    return true;
  }
}
