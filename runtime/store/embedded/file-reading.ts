import { readFileSync, statSync } from "node:fs";
import { totalmem } from "node:os";

/** From here on, what the system reads around a record costs more than reading its pages one by one. */
const LARGE_READAHEAD_KIB = 512;

/** How a file is best read. */
export interface FileReading {
  /** Most of it is on disk only: reads wait. */
  readonly isLargerThanMemory: boolean;
  /** Whether the system must not read around what is read. It reads 8 MiB at a time on some disks, for a record of a few KiB. */
  readonly noReadAhead: boolean;
}

/** Memory for programs and for files together. */
export function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** How to read a file, which need not exist, with so much memory. */
export function readingOf(file: string, memory: number, readaheadKiB = readaheadOf): FileReading {
  const found = statSync(file, { throwIfNoEntry: false });
  const isLargerThanMemory = found !== undefined && found.size > memory;
  return { isLargerThanMemory, noReadAhead: isLargerThanMemory && readaheadKiB(found.dev) > LARGE_READAHEAD_KIB };
}

/** What the system reads at a time from a disk; 0 where it does not tell. */
function readaheadOf(device: number): number {
  const major = Math.floor(device / 256) % 4096;
  const minor = (device % 256) + 256 * (Math.floor(device / 2 ** 20) % 4096);
  const directory = `/sys/dev/block/${major}:${minor}`;
  // The queue of a partition is that of its disk.
  for (const queue of [`${directory}/queue`, `${directory}/../queue`]) {
    try {
      return Number(readFileSync(`${queue}/read_ahead_kb`, "utf8"));
    } catch {}
  }
  return 0;
}
