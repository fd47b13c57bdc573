import { expect, it } from "vitest";
import { EventLog } from "../../runtime/watch/event-log.ts";
import { HistoryBudget } from "../../runtime/watch/history-budget.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { CacheEvent } from "../../runtime/watch/watch-event.ts";
import { CacheFixture, read } from "./cache-fixture.ts";

const { codec } = new CacheFixture();
const frames = new MemoBudget(0);

function event(revision: number, time: number): CacheEvent {
  const object = codec.decode(`/registry/things/a/${revision}`, codec.encode({ metadata: {} }), revision);
  return new CacheEvent({ key: object.key, revision, time, current: object, previous: undefined }, codec, frames);
}

const one = event(10, 0).cost;

function revisions(log: EventLog): number[] {
  return log.since(log.floor).map(({ revision }) => revision);
}

it("the history budget is shared by all resources and drops the oldest event of all logs", () => {
  const budget = new HistoryBudget({ maxBytes: 3.5 * one, maxAgeMs: 1_000_000 });
  const [quiet, busy] = [new EventLog(0, budget), new EventLog(0, budget)];
  quiet.append(event(10, 1));
  busy.append(event(11, 2));
  quiet.append(event(12, 3));
  expect([revisions(quiet), revisions(busy)]).toEqual([[10, 12], [11]]);
  busy.append(event(13, 4));
  expect([revisions(quiet), revisions(busy)]).toEqual([[12], [11, 13]]);
  busy.append(event(14, 5));
  expect([revisions(quiet), revisions(busy)]).toEqual([[12], [13, 14]]);
  expect([quiet.floor, busy.floor]).toEqual([10, 11]);
  expect(budget.usedBytes).toBe(3 * one);
  expect(budget.dropped).toBe(2);
});

it("the history budget drops the oldest events for any distribution over the logs", () => {
  const budget = new HistoryBudget({ maxBytes: 20.5 * one, maxAgeMs: 1_000_000 });
  const logs = Array.from({ length: 4 }, () => new EventLog(0, budget));
  let seed = 7;
  for (let revision = 1; revision <= 400; revision++) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    // Some logs are busy for some time while others are idle.
    logs[(Math.floor(revision / 37) + (seed % 5 === 0 ? 1 : 0)) % 4]?.append(event(revision, revision));
    const kept = logs.flatMap(revisions).sort((a, b) => a - b);
    expect(kept).toEqual(Array.from({ length: Math.min(revision, 20) }, (_, i) => Math.max(1, revision - 19) + i));
  }
});

it("the history budget drops events that are too old, also from idle logs", () => {
  const budget = new HistoryBudget({ maxBytes: 100 * one, maxAgeMs: 5000 });
  const [quiet, busy] = [new EventLog(0, budget), new EventLog(0, budget)];
  quiet.append(event(10, 1000));
  busy.append(event(11, 7000));
  expect([revisions(quiet), revisions(busy)]).toEqual([[], [11]]);
  expect(budget.usedBytes).toBe(one);
});

it("the history budget regains the bytes of a released log", () => {
  const budget = new HistoryBudget({ maxBytes: 100 * one, maxAgeMs: 5000 });
  const log = new EventLog(0, budget);
  for (let revision = 10; revision < 13; revision++) log.append(event(revision, 0));
  budget.release(log);
  expect(budget.usedBytes).toBe(0);
});

it("the history budget can be cleared, and every log continues after its last event", () => {
  const budget = new HistoryBudget({ maxBytes: 100 * one, maxAgeMs: 5000 });
  const [first, second] = [new EventLog(0, budget), new EventLog(0, budget)];
  first.append(event(10, 0));
  second.append(event(11, 0));
  budget.clear();
  expect([first.floor, second.floor, budget.usedBytes]).toEqual([10, 11, 0]);
  first.append(event(12, 0));
  expect([revisions(first), budget.usedBytes]).toEqual([[12], one]);
});

it("a watch reads events that exceed the history budget from the store", async () => {
  const fixture = new CacheFixture({ limits: { historyBytes: 1.5 * one } });
  await fixture.cache.fill();
  const first = await fixture.put("a/first");
  const written = [];
  for (let i = 0; i < 5; i++) written.push(await fixture.put(`a/${i}`));
  const watch = await fixture.cache.watch({ scope: "/registry/things/", resourceVersion: String(first) });
  const later = await fixture.put("a/later");
  expect(await read(watch)).toEqual([
    ...written.map((revision, i) => `ADDED a/${i}@${revision}`),
    `ADDED a/later@${later}`,
  ]);
});

it("a watch gets NotReady instead of Expired if the store is slow to send history", async () => {
  const fixture = new CacheFixture({ limits: { historyBytes: 0 } });
  await fixture.cache.fill();
  const first = await fixture.put("a/first");
  await fixture.put("a/second");
  const { watch } = fixture.store;
  fixture.store.watch = () => ({ requestProgress: () => undefined, close: () => undefined });
  const slow = fixture.cache.watch({ scope: "/registry/things/", resourceVersion: String(first) });
  const refused = expect(slow).rejects.toMatchObject({ code: "NotReady" });
  await fixture.clock.advance(10_000);
  await refused;
  fixture.store.watch = watch;
  const resumed = await fixture.cache.watch({ scope: "/registry/things/", resourceVersion: String(first) });
  expect(await read(resumed)).toHaveLength(1);
});
