import { describe, expect, it } from "vitest";
import { Budget } from "../../runtime/http/pipeline/budget.ts";
import { WaitingReaders } from "../../runtime/http/respond/waiting-readers.ts";
import { FlushRounds } from "../../runtime/http/watch/flush-rounds.ts";
import { FrameJoiner } from "../../runtime/http/watch/frame-joiner.ts";
import { FrameLog } from "../../runtime/http/watch/frame-log.ts";
import { OpenWatches } from "../../runtime/http/watch/send-watch.ts";
import type { WatchFramer } from "../../runtime/http/watch/watch-frames.ts";
import { type FrameSink, WatchPump } from "../../runtime/http/watch/watch-pump.ts";
import type { CacheWatch } from "../../runtime/watch/cache-watch.ts";
import type { CacheWatchRequest } from "../../runtime/watch/requests.ts";
import type { WatchNotice } from "../../runtime/watch/watch-event.ts";
import { CacheFixture, PREFIX } from "../watch/cache-fixture.ts";
import { settle } from "../watch/manual-clock.ts";

/** Returns readable frames, such as `ADDED a/1`, of at least this size. */
function newFramer(bytes = 0): WatchFramer {
  const log = new FrameLog(() => 0);
  const line = (text: string) => log.append([Buffer.from(`${text.padEnd(bytes)}\n`)]);
  return {
    name: "text",
    frame: (notice: WatchNotice) => {
      if (notice.type === "BOOKMARK") return line(notice.type);
      return notice.frame("text", () => line(`${notice.type} ${notice.object.key.slice(PREFIX.length)}`));
    },
    pieces: () => undefined,
    largeFrame: () => undefined,
    error: (status) => Buffer.from(`ERROR ${status.code}\n`),
  };
}

/** Records what it receives. When `full`, its reader is behind until `drain` is called. */
class MemorySink implements FrameSink {
  readonly coding = "none";
  readonly keepsFramesApart: boolean;
  readonly writes: Uint8Array[] = [];
  open = true;
  full = false;
  destroyed = false;
  drain: () => void = () => undefined;

  constructor(keepsFramesApart = false) {
    this.keepsFramesApart = keepsFramesApart;
  }

  write(frames: readonly Uint8Array[]): Promise<void> | undefined {
    this.writes.push(...frames);
    if (!this.full) return undefined;
    return new Promise((resolve) => {
      this.drain = () => {
        this.full = false;
        resolve();
      };
    });
  }

  end(): void {
    this.open = false;
  }

  destroy(): void {
    this.open = false;
    this.destroyed = true;
    this.drain();
  }

  onClose(): void {}

  get lines(): string[] {
    return Buffer.concat(this.writes).toString().trim().split(/ *\n/);
  }
}

/** How many different places in memory buffers have. */
function placesOf(writes: readonly (Uint8Array | undefined)[]): number {
  const blocks = [...new Set(writes.map((write) => write?.buffer))];
  return new Set(writes.map((write) => `${blocks.indexOf(write?.buffer)} ${write?.byteOffset} ${write?.length}`)).size;
}

const OWNER = { key: "somebody", isExempt: false, isSystem: false };

interface PumpLimits {
  readonly watchBuffer?: number;
  readonly backlogBytes?: number;
  readonly perUser?: number;
  readonly bytesOfFrame?: number;
}

function newPumps({ perUser = 0, bytesOfFrame, ...limits }: PumpLimits = {}) {
  const framer = newFramer(bytesOfFrame);
  const fixture = new CacheFixture({ limits });
  const rounds = new FlushRounds({ clock: fixture.clock, monotonic: () => fixture.clock.now() });
  const budget = new Budget("response_bytes", { perUser, total: 0 });
  const waitingReaders = new WaitingReaders({
    budget,
    timeoutMs: 60_000,
    clock: fixture.clock,
    monotonic: () => fixture.clock.now(),
  });
  const shared = { flushRounds: rounds, frameJoiner: new FrameJoiner(), waitingReaders };
  const sizes: number[] = [];
  const terminated = { count: 0 };
  const start = async (sink = new MemorySink(), request: Partial<CacheWatchRequest> = {}) => {
    const watch = await fixture.cache.watch({ scope: PREFIX, ...request });
    const meter = {
      sent: (bytes: readonly number[]) => void sizes.push(...bytes),
      terminated: () => void terminated.count++,
    };
    const over = new WatchPump(watch, framer, sink, meter, OWNER, shared).run();
    return { sink, watch, over };
  };
  const startMany = (count: number) => Promise.all(Array.from({ length: count }, () => start()));
  return { fixture, start, startMany, sizes, budget, terminated };
}

describe("the watches of one resource", () => {
  it("get the first event at once, and later events in batches", async () => {
    const { fixture, startMany } = newPumps();
    const pumps = await startMany(100);
    await fixture.put("a/0");
    await settle();
    expect(pumps.every(({ sink }) => sink.writes.length === 1)).toBe(true);
    for (const name of ["a/1", "a/2", "a/3"]) await fixture.put(name);
    await settle();
    expect(pumps.every(({ sink }) => sink.writes.length === 1)).toBe(true);
    await fixture.clock.advance(40);
    for (const { sink } of pumps) {
      expect(sink.writes).toHaveLength(2);
      expect(sink.lines).toEqual(["ADDED a/0", "ADDED a/1", "ADDED a/2", "ADDED a/3"]);
    }
    expect(placesOf(pumps.map(({ sink }) => sink.writes[1]))).toBe(1);
  });

  it("get what came while their clients were reading in one batch, framed once for all of them", async () => {
    const { fixture, startMany } = newPumps();
    const pumps = await startMany(100);
    for (const { sink } of pumps) sink.full = true;
    await fixture.put("a/0");
    await settle();
    for (const name of ["a/1", "a/2"]) await fixture.put(name);
    for (const { sink } of pumps) {
      sink.drain();
      await settle();
    }
    await fixture.clock.advance(50);
    for (const { sink } of pumps) expect(sink.lines).toEqual(["ADDED a/0", "ADDED a/1", "ADDED a/2"]);
    expect(placesOf(pumps.map(({ sink }) => sink.writes[1]))).toBe(1);
  });

  it("get a long backlog in parts, each framed once for all that have come as far, without pauses in between", async () => {
    const { fixture, startMany } = newPumps();
    const pumps = await startMany(20);
    for (const { sink } of pumps) sink.full = true;
    await fixture.put("a/0");
    await settle();
    const names = Array.from({ length: 150 }, (_, index) => `a/${index + 1}`);
    for (const name of names) await fixture.put(name);
    for (const parts of [2, 3]) {
      for (const { sink } of pumps) {
        sink.drain();
        sink.full = true;
      }
      await fixture.clock.advance(parts === 2 ? 50 : 0);
      await settle();
      expect(pumps.map(({ sink }) => sink.writes.length)).toEqual(pumps.map(() => parts));
      expect(placesOf(pumps.map(({ sink }) => sink.writes.at(-1)))).toBe(1);
    }
    expect(pumps[0]!.sink.lines).toHaveLength(1 + 2 * 64);
  });

  it("get events in one batch after their clients took long to read the parts of a large one", async () => {
    const { fixture, startMany } = newPumps({ bytesOfFrame: 40_000 });
    const pumps = await startMany(30);
    for (const { sink } of pumps) sink.full = true;
    await fixture.put("a/0");
    await settle();
    for (const name of ["a/1", "a/2"]) await fixture.put(name);
    for (const { sink } of pumps) {
      sink.drain();
      sink.full = true;
    }
    await fixture.clock.advance(50);
    expect(pumps.map(({ sink }) => sink.writes.length)).toEqual(pumps.map(() => 2));
    for (const name of ["a/3", "a/4"]) await fixture.put(name);
    for (const { sink } of pumps) sink.drain();
    await settle();
    await fixture.clock.advance(50);
    for (const { sink } of pumps) expect(sink.lines).toEqual([0, 1, 2, 3, 4].map((name) => `ADDED a/${name}`));
    for (const write of [1, 2, 3, 4]) expect(new Set(pumps.map(({ sink }) => sink.writes[write]?.buffer)).size).toBe(1);
  });

  it("count every event, whether it is sent alone or in a batch", async () => {
    const { fixture, start, sizes } = newPumps();
    await start();
    await start(new MemorySink(true));
    for (const name of ["a/1", "a/22"]) await fixture.put(name);
    await settle();
    expect(sizes.sort()).toEqual(
      ["ADDED a/1\n", "ADDED a/1\n", "ADDED a/22\n", "ADDED a/22\n"].map((line) => line.length),
    );
  });

  it("get only the selected events, in order and each once", async () => {
    const { fixture, start, startMany } = newPumps();
    await startMany(60);
    const selected = ["yes", "no"].map((value) =>
      Array.from({ length: 40 }, () =>
        start(new MemorySink(), {
          selector: { matches: ({ labels }) => labels.odd === value || labels.both === "yes" },
        }),
      ),
    );
    const [odd, even] = await Promise.all(selected.map((pumps) => Promise.all(pumps)));
    const expected: Record<string, string[]> = { yes: [], no: [] };
    for (let index = 0; index < 60; index++) {
      const both = index % 4 < 2;
      const value = index % 2 === 1 ? "yes" : "no";
      const key = `a/${String(index).padStart(2, "0")}`;
      await fixture.put(key, { labels: { odd: value, ...(both && { both: "yes" }) } });
      for (const name of both ? ["yes", "no"] : [value]) expected[name]!.push(`ADDED ${key}`);
      await fixture.clock.advance(3);
    }
    await fixture.clock.advance(100);
    for (const { sink } of odd!) expect(sink.lines).toEqual(expected.yes);
    for (const { sink } of even!) expect(sink.lines).toEqual(expected.no);
    expect(odd![0]!.sink.writes.length).toBeLessThan(30);
  });

  it("get one frame per write if each frame is a message", async () => {
    const { fixture, start, startMany } = newPumps();
    await startMany(100);
    const { sink } = await start(new MemorySink(true));
    for (const name of ["a/0", "a/1", "a/2"]) await fixture.put(name);
    await fixture.clock.advance(50);
    expect(sink.writes.map(String)).toEqual(["ADDED a/0\n", "ADDED a/1\n", "ADDED a/2\n"]);
  });
});

describe("a slow client of a watch", () => {
  it("is sent nothing until it has read, and then all events", async () => {
    const { fixture, start } = newPumps();
    const slow = await start();
    slow.sink.full = true;
    for (const name of ["a/0", "a/1", "a/2"]) {
      await fixture.put(name);
      await settle();
    }
    expect(slow.sink.lines).toEqual(["ADDED a/0"]);
    slow.sink.drain();
    await settle();
    expect(slow.sink.lines).toEqual(["ADDED a/0", "ADDED a/1", "ADDED a/2"]);
  });

  it("is disconnected when its buffer overflows, without effect on other clients", async () => {
    const { fixture, start, terminated } = newPumps({ watchBuffer: 3 });
    const [slow, other] = [await start(), await start()];
    slow.sink.full = true;
    for (let index = 0; index < 6; index++) {
      await fixture.put(`a/${index}`);
      await settle();
    }
    await slow.over;
    expect(slow.sink.destroyed).toBe(true);
    expect(slow.watch.ended).toMatchObject({ reason: "overflow" });
    expect(slow.sink.lines).toEqual(["ADDED a/0"]);
    expect(other.watch.ended).toBeUndefined();
    expect(other.sink.lines).toHaveLength(6);
    expect(terminated.count).toBe(1);
  });
});

describe("a client that does not read its watch", () => {
  it("is disconnected after a minute, and its memory is released", async () => {
    const { fixture, start, budget, terminated } = newPumps();
    const [slow, other] = [await start(), await start()];
    slow.sink.full = true;
    await fixture.put("a/0");
    await settle();
    expect(budget.used).toBe("ADDED a/0\n".length);
    await fixture.clock.advance(50_000);
    expect(slow.sink.destroyed).toBe(false);
    await fixture.clock.advance(20_000);
    await slow.over;
    expect(slow.sink.destroyed).toBe(true);
    expect(budget.used).toBe(0);
    expect(other.watch.ended).toBeUndefined();
    expect(terminated.count).toBe(1);
  });

  it("is disconnected before later stalled clients of the same user when too many bytes are buffered", async () => {
    const { fixture, startMany } = newPumps({ perUser: 2 * "ADDED a/0\n".length });
    const pumps = await startMany(3);
    for (const [index, { sink }] of pumps.entries()) {
      sink.full = true;
      await fixture.put(`a/${index}`);
      await settle();
    }
    expect(pumps.map(({ sink }) => sink.destroyed)).toEqual([true, false, false]);
  });

  it("is disconnected when its buffered objects take too much memory", async () => {
    const { fixture, start, startMany } = newPumps({ backlogBytes: 3000 });
    const fast = await startMany(20);
    const slow = await start();
    slow.sink.full = true;
    for (let index = 0; index < 5; index++) {
      await fixture.put(`a/${index}`, { labels: { long: "x".repeat(500) } });
      await settle();
      await fixture.clock.advance(25);
    }
    await slow.over;
    expect(slow.watch.ended).toMatchObject({ reason: "overflow" });
    expect(fast.every(({ watch, sink }) => watch.ended === undefined && sink.lines.length === 5)).toBe(true);
  });
});

describe("the end of a watch", () => {
  it("comes without delay after the buffered events", async () => {
    const { fixture, start, startMany } = newPumps();
    await startMany(200);
    const ending = await start(new MemorySink(), { timeoutSeconds: 1 });
    await fixture.clock.advance(990);
    await fixture.put("a/0");
    await settle();
    await fixture.put("a/1");
    await fixture.clock.advance(10);
    await ending.over;
    expect(ending.watch.ended).toMatchObject({ reason: "timeout" });
    expect(ending.sink.lines).toEqual(["ADDED a/0", "ADDED a/1"]);
  });

  it("is preceded by the error event", async () => {
    const { fixture, startMany } = newPumps();
    const [first] = await startMany(100);
    await fixture.put("a/0");
    await settle();
    await fixture.put("a/1");
    await fixture.putBytes("a/2", Buffer.from("?"));
    await first!.over;
    expect(first!.sink.lines).toEqual(["ADDED a/0", "ADDED a/1", "ERROR 500"]);
  });

  it("follows when the client disconnects", async () => {
    const { fixture, start } = newPumps();
    const gone = await start();
    gone.sink.open = false;
    await fixture.put("a/0");
    await gone.over;
    expect(gone.sink.writes).toEqual([]);
  });
});

it("closes the open watches when the server stops, and later ones at once", () => {
  const stopping = new AbortController();
  const open = new OpenWatches(stopping.signal);
  const closed: string[] = [];
  const watchOf = (name: string) => ({ close: () => closed.push(name) }) as unknown as CacheWatch;
  const ended = watchOf("ended");
  open.add(watchOf("first"));
  open.add(ended);
  open.add(watchOf("second"));
  open.remove(ended);
  expect(closed).toEqual([]);
  stopping.abort();
  expect(closed).toEqual(["first", "second"]);
  open.add(watchOf("late"));
  expect(closed).toEqual(["first", "second", "late"]);
});
