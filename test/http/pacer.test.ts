import { beforeEach, expect, it } from "vitest";
import { LongWork, Pacer } from "../../runtime/http/respond/pacer.ts";

let now = 0;
let turns: (() => void)[] = [];
let work = new LongWork();

beforeEach(() => {
  now = 0;
  turns = [];
  work = new LongWork(
    () => now,
    (turn) => void turns.push(turn),
  );
});

/** One turn of the event loop, in which other requests take so long. */
async function turn(othersMs = 0): Promise<void> {
  now += othersMs;
  for (const run of turns.splice(0)) run();
  await new Promise((resolve) => setImmediate(resolve));
}

/** A response that works for so long, in steps of half a millisecond, and notes when it has ended. */
async function respond(ms: number, ended: () => void): Promise<void> {
  const pacer = work.begin();
  for (let done = 0; done < ms; done += 0.5) {
    now += 0.5;
    const isDue = Array.from({ length: 16 }, () => pacer.isDue()).includes(true);
    if (isDue) await pacer.rest();
  }
  pacer.pause();
  ended();
}

/** How long the event loop was held in each of so many turns. */
async function heldIn(count: number, othersMs = 0): Promise<number[]> {
  const held: number[] = [];
  for (let index = 0; index < count; index++) {
    const before = now + othersMs;
    await turn(othersMs);
    held.push(now - before);
  }
  return held;
}

it("is due when the time slice is used up, and not right after a pause", async () => {
  const pacer = new Pacer(new LongWork(() => now));
  const dueWithin = (steps: number) => Array.from({ length: steps }, () => pacer.isDue()).includes(true);
  expect(dueWithin(100)).toBe(false);
  now = 20;
  expect(dueWithin(20)).toBe(true);
  let others = false;
  setImmediate(() => {
    others = true;
  });
  await pacer.rest();
  expect(others).toBe(true);
  expect(dueWithin(100)).toBe(false);
});

it("works for one slice a turn, however many responses are under way", async () => {
  for (let index = 0; index < 100; index++) void respond(50, () => undefined);
  await turn();
  const held = await heldIn(20);
  expect(Math.max(...held)).toBeLessThanOrEqual(4.5);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(4);
});

it("takes a quarter of the time while other requests keep the event loop busy", async () => {
  void respond(1000, () => undefined);
  const held = await heldIn(400, 1.5);
  const worked = held.reduce((sum, ms) => sum + ms, 0);
  expect(worked / (worked + 400 * 1.5)).toBeGreaterThan(0.2);
  expect(worked / (worked + 400 * 1.5)).toBeLessThan(0.3);
});

it("lets a short response pass long ones, and ends long ones in the order in which they began", async () => {
  const ended: string[] = [];
  for (const name of ["first", "second", "third"]) void respond(400, () => ended.push(name));
  await heldIn(45);
  void respond(15, () => ended.push("short"));
  await heldIn(8);
  expect(ended).toEqual(["short"]);
  await heldIn(400);
  expect(ended).toEqual(["short", "first", "second", "third"]);
});

it("lets long responses go on while short ones come all the time", async () => {
  let isOver = false;
  void respond(200, () => {
    isOver = true;
  });
  await heldIn(20);
  for (let index = 0; index < 300 && !isOver; index++) {
    void respond(15, () => undefined);
    await turn();
  }
  expect(isOver).toBe(true);
});

it("lets a long response that has waited for its client go on at once unless the turn is used up", async () => {
  const [one, other, short] = [work.begin(), work.begin(), work.begin()];
  short.pause();
  now += 80;
  one.pause();
  other.pause();
  expect(one.resume()).toBeUndefined();
  now += 5;
  one.pause();
  let resumed = false;
  void other.resume()?.then(() => {
    resumed = true;
  });
  expect(short.resume()).toBeUndefined();
  await turn();
  expect(resumed).toBe(false);
  await turn();
  expect(resumed).toBe(true);
});

it("gives what is left of a slice to the next response that waits", async () => {
  const resumed: number[] = [];
  const pacers = [work.begin(), work.begin(), work.begin()];
  for (const [index, pacer] of pacers.entries()) {
    void pacer.rest().then(() => {
      resumed.push(index);
      now += 2.5;
      pacer.pause();
    });
  }
  await turn();
  expect(resumed).toEqual([0, 1]);
  await turn(0.1);
  expect(resumed).toEqual([0, 1, 2]);
});
