import { NoSpaceError, type StoreError, StoreLostError, UnavailableError } from "../errors.ts";

/** Errors of a full disk: ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL. */
const NO_SPACE = new Set([28, 122, 27, -30792]);
/** Of a failing disk, but LMDB also reports it for a write that a full disk cut short. */
const EIO = 5;
/** Errors of the system that say nothing about the file: EINTR, EAGAIN, ENOMEM, EMFILE. */
const PASSING = new Set([4, 11, 12, 24]);

export const MDB_PANIC = -30795;
/** Errors after which LMDB takes no more writes: MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_PANIC, MDB_INVALID. */
const LOST = new Set([-30797, -30796, MDB_PANIC, -30793]);
const LOST_TEXT = "the data file failed and cannot be used any more";

/** The error of a file that cannot be used any more; undefined for any other. */
export function lossOf(cause: unknown): StoreLostError | undefined {
  const { code, message } = cause as { code?: number; message?: string };
  if (code === undefined) return undefined;
  // LMDB's own error, told as EINVAL.
  const isPanic = message?.includes("MDB_PANIC") === true;
  return LOST.has(code) || isPanic ? new StoreLostError(`${LOST_TEXT}: ${message}`, { cause }) : undefined;
}

/**
 * LMDB rejects with a general error whose `commitError` promise holds the reason. Errors of the system are those of a full disk, or of one
 * that fails; `hasRoom` tells apart those that may be both.
 */
export async function commitFailure(error: unknown, hasRoom: () => boolean = () => false): Promise<StoreError> {
  const commitError = (error as { commitError?: Promise<unknown> }).commitError;
  const cause = commitError === undefined ? error : await commitError.catch((reason: unknown) => reason);
  const { code, message } = cause as { code?: number; message?: string };
  if (code !== undefined && (NO_SPACE.has(code) || (code === EIO && !hasRoom()))) {
    return new NoSpaceError(`no space left in the data directory: ${message}`, { cause });
  }
  const lost = lossOf(cause);
  if (lost !== undefined) return lost;
  if (code !== undefined && code > 0 && !PASSING.has(code))
    return new StoreLostError(`${LOST_TEXT}: ${message}`, { cause });
  return new UnavailableError(`the data file could not be written: ${message}`, { cause });
}

/** For a failed commit after which LMDB shows nothing any more. */
export function lossAfter(failure: StoreError): StoreLostError {
  const { cause } = failure;
  return new StoreLostError(`${LOST_TEXT}: ${cause instanceof Error ? cause.message : String(cause)}`, failure);
}
