import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const NAME = /^changes-(\d{16})\.log$/;

/** A file of a change log. */
export interface SegmentFile {
  readonly path: string;
  /** The revision before the first change of the file. */
  readonly after: number;
  readonly bytes: number;
}

export function isSegmentName(name: string): boolean {
  return NAME.test(name);
}

export function segmentPath(directory: string, after: number): string {
  return join(directory, `changes-${String(after).padStart(16, "0")}.log`);
}

/** Lists the files of a change log, oldest first. Throws the error of the operating system if the directory does not exist. */
export function listSegments(directory: string): SegmentFile[] {
  return readdirSync(directory)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .sort()
    .map((digits) => {
      const path = join(directory, `changes-${digits}.log`);
      return { path, after: Number(digits), bytes: statSync(path).size };
    });
}
