import type { RootDatabase } from "lmdb";
import type { Expiry } from "./engine.ts";

/*
 * One LMDB table holds everything, because each further table costs every commit two more pages to write and sync.
 * Numbers sort before strings, and the first character of a string identifies its type:
 *
 *     7                                    -> the log record of revision 7
 *     k/registry/pods/default/a            -> the head of that key
 *     t000001700000000000000000000000007   -> a key to remove at that time if it is still at that revision
 *     !format, !identity, !compacted       -> metadata of the file
 */
export type TableKey = number | string;

export type Table = RootDatabase<Buffer, TableKey>;

export const FORMAT_KEY = "!format";
export const IDENTITY = "!identity";
export const COMPACTED = "!compacted";
/** Format 1 had a separate table for metadata. LMDB lists tables among the keys. */
export const TABLE_OF_FORMAT_1 = "meta";

/** Sorts after every log record and before everything else. */
export const LOG_END = Number.MAX_VALUE;

const HEAD = "k";
const EXPIRY = "t";
const DIGITS = 16;

export function headKey(key: string): string {
  return HEAD + key;
}

export function keyOfHead(tableKey: TableKey): string {
  return (tableKey as string).slice(HEAD.length);
}

/** Range of heads from one key up to, but not including, another. */
export function headRange(start: string, end: string): { start: string; end: string } {
  return { start: HEAD + start, end: HEAD + end };
}

export function expiryKey({ time, revision }: Expiry): string {
  return EXPIRY + digits(time) + digits(revision);
}

export function expiryOf(tableKey: TableKey, value: Buffer): Expiry {
  const text = (tableKey as string).slice(EXPIRY.length);
  return { time: Number(text.slice(0, DIGITS)), revision: Number(text.slice(DIGITS)), key: value.toString() };
}

/** Range of expiries that are due at or before a time. */
export function expiryRange(dueBy: number): { start: string; end: string } {
  return { start: EXPIRY, end: EXPIRY + digits(Math.floor(dueBy) + 1) };
}

function digits(value: number): string {
  return String(Math.max(0, Math.floor(value))).padStart(DIGITS, "0");
}
