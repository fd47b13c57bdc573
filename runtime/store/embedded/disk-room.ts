import { readFileSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { NoSpaceError } from "../errors.ts";
import { commitFailure } from "./lmdb-errors.ts";

/** Kept free beyond what a commit holds: for the pages above those that change, which are all written anew. */
const RESERVE_BYTES = 1024 * 1024;
/** Free space is read again after this time, or when this many bytes have been claimed since. */
const ASK_EVERY_MS = 50;
const ASK_EVERY_BYTES = RESERVE_BYTES / 4;

/**
 * Checks that the disk has room for a commit before LMDB writes it. A write that fails half-way makes LMDB print its error
 * message past the end of a buffer, which may crash the process.
 */
export class DiskRoom {
  readonly #file: string;
  /** How large a file this process may write. */
  readonly largestFile = largestFile();
  #left = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #claimed = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws `NoSpaceError` unless there is room for so many bytes more. */
  claim(bytes: number): void {
    this.#claimed += bytes;
    const now = performance.now();
    if (now - this.#askedAt >= ASK_EVERY_MS || this.#claimed >= ASK_EVERY_BYTES) {
      this.#askedAt = now;
      this.#claimed = bytes;
      this.#left = this.#ask();
    }
    if (this.#left >= this.#claimed + RESERVE_BYTES) return;
    this.#claimed -= bytes;
    throw new NoSpaceError(`no space left in the data directory: ${this.#left} bytes free`);
  }

  /** Whether a write may have failed for lack of room. */
  isScarce(): boolean {
    return this.#ask() < RESERVE_BYTES;
  }

  #ask(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#file));
    return Math.min(bavail * bsize, this.largestFile - statSync(this.#file).size);
  }
}

/** Commits about so many bytes to a file that LMDB fills. Throws NoSpaceError where there is no room, and the other errors of a commit. */
export async function commitTo(room: DiskRoom, bytes: number, commit: () => Promise<unknown>): Promise<void> {
  // A value that is a little larger than a page takes two.
  room.claim(2 * bytes);
  try {
    await commit();
  } catch (error) {
    throw await commitFailure(error, () => !room.isScarce());
  }
}

/** Infinite without a limit. */
function largestFile(): number {
  try {
    const limit = /^Max file size\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
