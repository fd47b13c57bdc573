import { join } from "node:path";
import { claimFile, UnsafeFileError } from "../../lib/private-files.ts";
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

/** A file or directory that other users could read or replace. */
export function unsafe(error: UnsafeFileError): StoreError {
  return new StoreError("NotWritable", error.message, { cause: error });
}
