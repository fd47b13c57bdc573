import { NoSpaceError, type StoreError, StoreLostError, UnavailableError } from "../errors.ts";

/** Errors of a full disk: ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL. */
const NO_SPACE = new Set([28, 122, 27, -30792]);
/** Error of a failing disk. LMDB also reports it for a write that a full disk cut short. */
const EIO = 5;
/** Transient errors of the system that are unrelated to the file: EINTR, EAGAIN, ENOMEM, EMFILE. */
const PASSING = new Set([4, 11, 12, 24]);

export const MDB_PANIC = -30795;
/** Errors after which LMDB accepts no more writes: MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_PANIC, MDB_INVALID. */
const LOST = new Set([-30797, -30796, MDB_PANIC, -30793]);
const LOST_TEXT = "the data file failed and cannot be used any more";

/** The StoreLostError for an LMDB error that makes the file unusable; undefined for any other error. */
export function lossOf(cause: unknown): StoreLostError | undefined {
  const { code, message } = cause as { code?: number; message?: string };
  if (code === undefined) return undefined;
  // LMDB's own error, which it reports with the code EINVAL.
  const isPanic = message?.includes("MDB_PANIC") === true;
  return LOST.has(code) || isPanic ? new StoreLostError(`${LOST_TEXT}: ${message}`, { cause }) : undefined;
}

/**
 * Translates the error of a commit. LMDB rejects with a general error whose `commitError` promise rejects with the cause. Errors of the
 * system mean a full disk or a failing one; `hasRoom` distinguishes the two where the error code does not.
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

/** The error for a failed commit after which LMDB no longer returns any data. */
export function lossAfter(failure: StoreError): StoreLostError {
  const { cause } = failure;
  return new StoreLostError(`${LOST_TEXT}: ${cause instanceof Error ? cause.message : String(cause)}`, failure);
}
