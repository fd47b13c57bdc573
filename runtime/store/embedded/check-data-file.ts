import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../errors.ts";

export const DATA_FILE = "data.mdb";
/** What LMDB coordinates its readers with. */
export const LMDB_LOCK_FILE = "lock.mdb";

/*
 * What an LMDB file begins with: two or three meta pages, of which the one with the highest transaction counts. Offsets
 * within such a page; numbers are little-endian.
 */
const META_BYTES = 160;
const MAGIC_AT = 24;
const VERSION_AT = 28;
const PAGE_SIZE_AT = 48;
const ROOTS_AT = [88, 136] as const;
const TRANSACTION_AT = 152;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** The root of a tree that is empty. */
const NO_PAGE = 2n ** 64n - 1n;

/** Throws the error of the system where it cannot be seen, for lack of permissions. */
export function hasDataFile(directory: string): boolean {
  return statSync(join(directory, DATA_FILE), { throwIfNoEntry: false }) !== undefined;
}

/**
 * Throws Corrupt when the data file is there but is none, or ends before what it points to: LMDB would end the process
 * without a word. A file that is merely shorter than it once was is fine, as the pages at its end may be free ones.
 */
export function checkDataFile(directory: string): void {
  if (!hasDataFile(directory)) return;
  const file = openSync(join(directory, DATA_FILE), "r");
  try {
    const { size } = fstatSync(file);
    // LMDB was stopped before it wrote the first pages.
    if (size === 0) return;
    const first = readMeta(file, 0);
    if (first === undefined) throw damaged(directory, `${DATA_FILE} is not a data file`);
    const second = readMeta(file, first.pageSize);
    // Commits write them in turns. With one of them gone, LMDB would go back to an older commit, or crash.
    if (second === undefined && (first.transaction > 0n || !isEmpty(file, first.pageSize)))
      throw damaged(directory, `the second page of ${DATA_FILE} is damaged; restore a backup`);
    const metas = [first, second, readMeta(file, first.pageSize / 2)];
    const newest = metas.reduce((best, meta) => (meta && meta.transaction > (best?.transaction ?? 0n) ? meta : best));
    // Asked once more: a server may have made the file longer since, before it wrote a meta page that needs it.
    const pages = BigInt(Math.floor(fstatSync(file).size / first.pageSize));
    if (newest?.roots.some((page) => page !== NO_PAGE && page >= pages)) {
      throw damaged(directory, `${DATA_FILE} was cut short`);
    }
  } finally {
    closeSync(file);
  }
}

/** Whether nothing was written at a place: LMDB was stopped while it created the file. */
function isEmpty(file: number, offset: number): boolean {
  const bytes = Buffer.alloc(META_BYTES);
  readSync(file, bytes, 0, META_BYTES, offset);
  return bytes.every((byte) => byte === 0);
}

interface Meta {
  readonly pageSize: number;
  readonly transaction: bigint;
  readonly roots: readonly bigint[];
}

function readMeta(file: number, offset: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(file, bytes, 0, META_BYTES, offset) < META_BYTES) return undefined;
  const version = bytes.readUInt32LE(VERSION_AT) & 0xffff;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (bytes.readUInt32LE(MAGIC_AT) !== MAGIC || version !== VERSION || pageSize === 0) return undefined;
  return {
    pageSize,
    transaction: bytes.readBigUInt64LE(TRANSACTION_AT),
    roots: ROOTS_AT.map((at) => bytes.readBigUInt64LE(at)),
  };
}

function damaged(directory: string, reason: string): StoreError {
  return new StoreError("Corrupt", `the data in ${directory} cannot be opened: ${reason}`);
}
