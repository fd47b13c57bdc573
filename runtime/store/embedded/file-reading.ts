import { readFileSync, statSync } from "node:fs";
import { totalmem } from "node:os";

/** From this value on, the system's read-ahead costs more than reading the pages of a record one by one. */
const LARGE_READAHEAD_KIB = 512;

/** How to read a file efficiently. */
export interface FileReading {
  /** Most of the file is on disk only: reads wait for the disk. */
  readonly isLargerThanMemory: boolean;
  /** Whether to disable read-ahead of the operating system. On some disks it reads 8 MiB at a time, for a record of a few KiB. */
  readonly noReadAhead: boolean;
}

/** Bytes of memory that programs and the page cache share. */
export function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** How to read a file, which need not exist, on a machine with this many bytes of memory. */
export function readingOf(file: string, memory: number, readaheadKiB = readaheadOf): FileReading {
  const found = statSync(file, { throwIfNoEntry: false });
  const isLargerThanMemory = found !== undefined && found.size > memory;
  return { isLargerThanMemory, noReadAhead: isLargerThanMemory && readaheadKiB(found.dev) > LARGE_READAHEAD_KIB };
}

/** Read-ahead size of a disk in KiB; 0 if the system does not report it. */
function readaheadOf(device: number): number {
  const major = Math.floor(device / 256) % 4096;
  const minor = (device % 256) + 256 * (Math.floor(device / 2 ** 20) % 4096);
  const directory = `/sys/dev/block/${major}:${minor}`;
  // A partition uses the queue of its disk.
  for (const queue of [`${directory}/queue`, `${directory}/../queue`]) {
    try {
      return Number(readFileSync(`${queue}/read_ahead_kb`, "utf8"));
    } catch {}
  }
  return 0;
}
