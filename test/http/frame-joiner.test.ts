import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FlushRounds } from "../../runtime/http/watch/flush-rounds.ts";
import { FrameJoiner } from "../../runtime/http/watch/frame-joiner.ts";
import type { WatchFramer } from "../../runtime/http/watch/watch-frames.ts";
import type { BookmarkNotice, WatchNotice } from "../../runtime/watch/watch-event.ts";

/** A round that goes on until `end` is called. */
class OpenRound {
  isRunning = true;
  readonly #actions: (() => void)[] = [];

  onRoundEnd(action: () => void): void {
    this.#actions.push(action);
  }

  end(): void {
    for (const action of this.#actions.splice(0)) action();
  }
}

function newJoiner() {
  const round = new OpenRound();
  return { round, joiner: new FrameJoiner(round as unknown as FlushRounds) };
}

const notices: BookmarkNotice[] = Array.from({ length: 40 }, (_, revision) => ({
  type: "BOOKMARK",
  revision,
  initialEventsEnd: false,
}));

/** Frames of different lengths: `3:xxx`. */
function framerOf(sharedName: string, bytesEach = 1, largeFrom = Number.POSITIVE_INFINITY): WatchFramer {
  const frame = ({ revision }: { revision: number }) =>
    Buffer.from(`${sharedName}${revision}:${"x".repeat(revision * bytesEach)}`);
  return {
    sharedName,
    frame: (notice) => frame(notice as BookmarkNotice),
    pieces: (notice) => {
      const { revision } = notice as BookmarkNotice;
      return revision < largeFrom ? undefined : [Buffer.from("large "), frame({ revision })];
    },
    largeFrame: () => undefined,
    error: () => Buffer.alloc(0),
  };
}

const expected = (sent: readonly WatchNotice[], framer: WatchFramer) =>
  Buffer.concat(sent.map((notice) => Buffer.concat(framer.pieces(notice) ?? [framer.frame(notice)]))).toString();
const textOf = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString();

describe("the joined frames of watches in one round", () => {
  it("share their bytes if one watch is sent more events or begins later than another", () => {
    const { joiner } = newJoiner();
    const framer = framerOf("json");
    const buffers = [
      [0, 3],
      [0, 5],
      [2, 5],
      [1, 6],
      [3, 5],
    ].map(([from, to]) => {
      const sent = notices.slice(from, to);
      const { pieces, sizes } = joiner.join(sent, framer);
      expect(textOf(pieces)).toBe(expected(sent, framer));
      expect(sizes).toEqual(sent.map((notice) => framer.frame(notice).length));
      expect(pieces).toHaveLength(1);
      return pieces[0]?.buffer;
    });
    expect(new Set(buffers).size).toBe(1);
  });

  it("are the frames of exactly the events that each watch is sent, whatever others are sent", () => {
    const framers = [framerOf("a", 400), framerOf("b", 700, 30), framerOf("c", 5_000)];
    const sent = fc.record({ events: fc.subarray(notices, { minLength: 1 }), framer: fc.constantFrom(...framers) });
    const step = fc.oneof(
      { weight: 9, arbitrary: sent },
      { weight: 1, arbitrary: fc.constant("end of round" as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { joiner, round } = newJoiner();
        const joined = steps.map((each) => {
          if (each === "end of round") return round.end();
          return { ...each, ...joiner.join(each.events, each.framer) };
        });
        // Compared at the end: bytes that were handed over must not change any more.
        for (const each of joined) {
          if (each === undefined) continue;
          expect(textOf(each.pieces) === expected(each.events, each.framer)).toBe(true);
          expect(Math.max(...each.pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("are not kept after the round", () => {
    const { joiner, round } = newJoiner();
    const framer = framerOf("json");
    const [before] = joiner.join(notices.slice(0, 3), framer).pieces;
    round.end();
    expect(joiner.join(notices.slice(0, 3), framer).pieces[0]?.buffer).not.toBe(before?.buffer);
  });

  it("are made for each watch alone when more than 4 MiB would have to be kept", () => {
    const { joiner } = newJoiner();
    const framer = framerOf("json", 10_000);
    const sets = Array.from({ length: 30 }, (_, first) => [notices[39 - first], notices[first]] as WatchNotice[]);
    const buffers = () => sets.map((sent) => joiner.join(sent, framer).pieces[0]?.buffer);
    const [once, again] = [buffers(), buffers()];
    expect(once[0]).toBe(again[0]);
    expect(once.at(-1)).not.toBe(again.at(-1));
  });
});
