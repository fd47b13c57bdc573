import { LARGEST_SHARED_BYTES, newByteArena } from "../lib/byte-arena.ts";
import type { CachedObject } from "./cached-object.ts";

/** How much is moved in one turn of the event loop. */
const BYTES_PER_TURN = 1024 * 1024;
/** A chunk of memory of which less than this part is in use is given up. */
const WORTH_KEEPING = 0.5;

/**
 * Moves the JSON of objects together. Each that was written lately has memory of its own, amid what came and went at the
 * same time: the system gets none of that back while a few small pieces stay in between.
 */
export async function packObjects(objects: readonly CachedObject[]): Promise<void> {
  const scattered = objects.filter(isScattered(objects));
  const allocate = newByteArena(1024 * 1024);
  let moved = 0;
  for (const object of scattered) {
    object.moveTo(allocate);
    moved += object.json.length;
    if (moved < BYTES_PER_TURN) continue;
    moved = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isScattered(objects: readonly CachedObject[]): (object: CachedObject) => boolean {
  const used = new Map<ArrayBufferLike, number>();
  for (const { json } of objects) used.set(json.buffer, (used.get(json.buffer) ?? 0) + json.length);
  return ({ json }) => {
    if (json.length === 0 || json.length > LARGEST_SHARED_BYTES) return false;
    const { byteLength } = json.buffer;
    return byteLength === json.length || (used.get(json.buffer) ?? 0) < byteLength * WORTH_KEEPING;
  };
}
