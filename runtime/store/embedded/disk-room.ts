import { readFileSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { NoSpaceError } from "../errors.ts";
import { commitFailure } from "./lmdb-errors.ts";

/** Space to keep free beyond the contents of a commit: LMDB also rewrites all pages above those that change. */
const RESERVE_BYTES = 1024 * 1024;
/** Free space is queried again after this time, or after this many bytes have been claimed. */
const ASK_EVERY_MS = 50;
const ASK_EVERY_BYTES = RESERVE_BYTES / 4;

/**
 * Checks that the disk has room for a commit before LMDB writes it. If a write fails half-way, LMDB prints its error message past the end
 * of a buffer, which may crash the process.
 */
export class DiskRoom {
  readonly #file: string;
  /** Largest file that this process may write, in bytes. */
  readonly largestFile = largestFile();
  #left = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #claimed = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws `NoSpaceError` unless there is room for this many more bytes. */
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

/** Commits about this many bytes to a file that LMDB fills. Throws NoSpaceError if there is no room, and the other errors of a commit. */
export async function commitTo(room: DiskRoom, bytes: number, commit: () => Promise<unknown>): Promise<void> {
  // A value slightly larger than a page takes two pages.
  room.claim(2 * bytes);
  try {
    await commit();
  } catch (error) {
    throw await commitFailure(error, () => !room.isScarce());
  }
}

/** Infinite if there is no limit. */
function largestFile(): number {
  try {
    const limit = /^Max file size\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
