import { chownSync, closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { claimFile, isForeign, PRIVATE_FILE, UnsafeFileError } from "../../lib/private-files.ts";
import { notWritable, StoreError } from "../errors.ts";
import { DATA_FILE, LMDB_LOCK_FILE } from "./check-data-file.ts";

/** Creates LMDB's files in private mode: LMDB would make them readable by all users, and opens existing ones whatever their mode. */
export function claimFiles(directory: string): void {
  try {
    for (const name of [DATA_FILE, LMDB_LOCK_FILE]) claimFile(join(directory, name));
  } catch (error) {
    throw error instanceof UnsafeFileError ? unsafe(error) : notWritable(directory, error);
  }
}

/**
 * Makes the file in which LMDB notes its readers, if there is none, as the server would: in private mode, and of the user that has the data file.
 * LMDB's own would be readable by all users, and that of root would keep the server of another user from starting. Does nothing where it
 * cannot be made, as on a read-only file system, where LMDB needs none.
 */
export function claimReaderFile(directory: string): void {
  const path = join(directory, LMDB_LOCK_FILE);
  try {
    closeSync(openSync(path, "wx", PRIVATE_FILE));
    const owner = statSync(join(directory, DATA_FILE));
    if (isForeign(owner)) chownSync(path, owner.uid, owner.gid);
  } catch {
    // It is there, or cannot be made.
  }
}

/** A file or directory that other users could read or replace. */
export function unsafe(error: UnsafeFileError): StoreError {
  return new StoreError("NotWritable", error.message, { cause: error });
}
