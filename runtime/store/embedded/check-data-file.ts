import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../errors.ts";

export const DATA_FILE = "data.mdb";
/** The file through which LMDB coordinates its readers. */
export const LMDB_LOCK_FILE = "lock.mdb";

/*
 * The first pages of an LMDB file are two or three meta pages. The one with the highest transaction ID is current. Offsets are within such
 * a page; numbers are little-endian.
 */
const META_BYTES = 160;
const MAGIC_AT = 24;
const VERSION_AT = 28;
const PAGE_SIZE_AT = 48;
const ROOTS_AT = [88, 136] as const;
const TRANSACTION_AT = 152;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
/** Root page number of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n;

/** Throws the error of the operating system if permissions do not allow the check. */
export function hasDataFile(directory: string): boolean {
  return statSync(join(directory, DATA_FILE), { throwIfNoEntry: false }) !== undefined;
}

/**
 * Throws Corrupt if the file is not an LMDB file or is shorter than its meta pages require. LMDB itself would crash the process. A file
 * that is merely shorter than before is valid: the pages at its end may have been free.
 */
export function checkDataFile(directory: string): void {
  if (!hasDataFile(directory)) return;
  const file = openSync(join(directory, DATA_FILE), "r");
  try {
    const { size } = fstatSync(file);
    // LMDB was stopped before it wrote the meta pages.
    if (size === 0) return;
    const first = readMeta(file, 0);
    if (first === undefined) throw damaged(directory, `${DATA_FILE} is not a data file`);
    const second = readMeta(file, first.pageSize);
    // Commits write the two meta pages in turn. If one is damaged, LMDB would go back to an older commit, or crash.
    if (second === undefined && (first.transaction > 0n || !isEmpty(file, first.pageSize)))
      throw damaged(directory, `the second page of ${DATA_FILE} is damaged; restore a backup`);
    const metas = [first, second, readMeta(file, first.pageSize / 2)];
    const newest = metas.reduce((best, meta) => (meta && meta.transaction > (best?.transaction ?? 0n) ? meta : best));
    // Reads the size again: a server may have extended the file in the meantime, before it wrote a meta page that refers to the new pages.
    const pages = BigInt(Math.floor(fstatSync(file).size / first.pageSize));
    if (newest?.roots.some((page) => page !== NO_PAGE && page >= pages)) {
      throw damaged(directory, `${DATA_FILE} was cut short`);
    }
  } finally {
    closeSync(file);
  }
}

/** Whether only zeroes are at this offset: LMDB was stopped while it created the file. */
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
