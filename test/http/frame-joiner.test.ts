import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameJoiner } from "../../runtime/http/watch/frame-joiner.ts";
import { FrameLog } from "../../runtime/http/watch/frame-log.ts";
import type { WatchFramer } from "../../runtime/http/watch/watch-frames.ts";
import type { BookmarkNotice, WatchNotice } from "../../runtime/watch/watch-event.ts";

const notices: BookmarkNotice[] = Array.from({ length: 40 }, (_, revision) => ({
  type: "BOOKMARK",
  revision,
  initialEventsEnd: false,
}));

const revisionOf = (notice: WatchNotice) => (notice as BookmarkNotice).revision;
const textOf = (notice: WatchNotice, bytesEach: number) =>
  `${revisionOf(notice)}:${"x".repeat(revisionOf(notice) * bytesEach)}`;
/** As if its frame had been dropped from memory in the meantime, it is made anew each time. */
const isForgotten = (notice: WatchNotice) => revisionOf(notice) % 7 === 3;

/** Frames of different lengths, `3:xxx`, made when they are first needed. */
function newFramer({
  bytesEach = 1,
  largeFrom = Number.POSITIVE_INFINITY,
  log = new FrameLog(() => 0),
} = {}): WatchFramer {
  const frames = new Map<WatchNotice, Uint8Array>();
  return {
    name: `${bytesEach} ${largeFrom}`,
    frame(notice) {
      const frame = frames.get(notice) ?? log.append([Buffer.from(textOf(notice, bytesEach))]);
      if (!isForgotten(notice)) frames.set(notice, frame);
      return frame;
    },
    pieces(notice) {
      if (revisionOf(notice) < largeFrom) return undefined;
      return [Buffer.from("large "), Buffer.from(textOf(notice, bytesEach))];
    },
    largeFrame: () => undefined,
    error: () => Buffer.alloc(0),
  };
}

describe("the frames that a watch is sent together", () => {
  it("are one buffer in memory that all watches share, wherever each of them is", () => {
    const joiner = new FrameJoiner();
    const framer = newFramer();
    const sent = notices.filter((notice) => !isForgotten(notice));
    const buffers = [
      [0, 3],
      [0, 5],
      [2, 5],
      [1, 6],
      [3, 5],
    ].map(([from, to]) => {
      const { writes, sizes } = joiner.join(sent.slice(from, to), framer);
      expect(sizes).toEqual(sent.slice(from, to).map((notice) => textOf(notice, 1).length));
      expect(writes).toHaveLength(1);
      expect(writes[0]).toHaveLength(1);
      return writes[0]?.[0]?.buffer;
    });
    expect(new Set(buffers).size).toBe(1);
  });

  it("take as much memory for 200 watches that are behind, each at another place, as for one", () => {
    const joiner = new FrameJoiner();
    const framer = newFramer({ bytesEach: 200 });
    const sent = notices.filter((notice) => !isForgotten(notice));
    const memory = new Set<ArrayBufferLike>();
    for (let watch = 0; watch < 200; watch++) {
      const from = (watch * 11) % sent.length;
      for (const write of joiner.join(sent.slice(from, from + 1 + (watch % 13)), framer).writes)
        for (const { buffer } of write) memory.add(buffer);
    }
    const frames = sent.reduce((sum, notice) => sum + textOf(notice, 200).length, 0);
    const held = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(held).toBeLessThan(2 * frames);
  });

  it("are the frames of exactly its events, whatever other watches are sent, and do not change afterwards", () => {
    const log = new FrameLog(() => 0);
    const framers = [
      { bytesEach: 400, log },
      { bytesEach: 700, largeFrom: 30, log },
      { bytesEach: 5_000, log },
    ].map((options) => ({ ...options, framer: newFramer(options) }));
    const each = fc.record({ events: fc.subarray(notices, { minLength: 1 }), by: fc.constantFrom(...framers) });
    fc.assert(
      fc.property(fc.array(each, { maxLength: 30 }), (steps) => {
        const joiner = new FrameJoiner();
        const joined = steps.map((step) => ({ ...step, ...joiner.join(step.events, step.by.framer) }));
        for (const { events, by, writes } of joined) {
          const expected = events.map((notice) => Buffer.concat(by.framer.pieces(notice) ?? [by.framer.frame(notice)]));
          expect(Buffer.concat(writes.flat()).equals(Buffer.concat(expected))).toBe(true);
          const sizes = writes.map((write) => write.reduce((sum, { length }) => sum + length, 0));
          expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("the memory of frames", () => {
  /** Returns the size in KB of the blocks that a log needs for frames of this size, created at this interval in milliseconds. */
  const blocksOf = (frames: number, bytes: number, apartMs: number) => {
    let now = 0;
    const log = new FrameLog(() => now);
    const made = Array.from({ length: frames }, () => {
      now += apartMs;
      return log.append([Buffer.alloc(bytes)]);
    });
    return [...new Set(made.map(({ buffer }) => buffer))].map(({ byteLength }) => byteLength / 1024);
  };

  it("is little for a few events, and large blocks for many", () => {
    expect(blocksOf(3, 500, 1)).toEqual([8]);
    expect(blocksOf(400, 2_000, 1)).toEqual([8, 16, 32, 64, 128, 256, 256, 256]);
  });

  it("is little for events that come slowly, however many they are", () => {
    expect(new Set(blocksOf(100, 2_000, 300))).toEqual(new Set([8]));
    expect(blocksOf(60, 2_000, 100)).toEqual([8, 16, 32, 16, 32, 16]);
  });

  it("stays after a collection of the heap while a frame in it is in use", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const log = new FrameLog(() => 0);
    const first = log.append([Buffer.alloc(500)]);
    // Within one turn, what a weak reference names stays.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(log.append([Buffer.alloc(500)]).buffer).toBe(first.buffer);
  });

  it("is that of the frame alone for large frames", () => {
    expect(blocksOf(3, 100 * 1024, 1)).toEqual([100, 100, 100]);
  });
});
