import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { checkLinearizable } from "./check-linearizable.ts";
import { checkWatches, type Guarantee } from "./check-watches.ts";
import type { Action, History, Operation, Outcome, WatchStep } from "./history.ts";
import { planeApi } from "./plane-api.ts";
import { type Api, HistoryRecorder } from "./record-history.ts";
import { seeded } from "./seeded.ts";

const never = Number.POSITIVE_INFINITY;
const create = (value: string): Action => ({ verb: "create", value });
const update = (expected: string, value: string): Action => ({ verb: "update", expected, value });
const get: Action = { verb: "get" };
const found = (value: string): Outcome => ({ result: "ok", value });
const [ok, absent, conflict, unknown] = [
  { result: "ok" },
  { result: "absent" },
  { result: "conflict" },
  { result: "unknown" },
] as const satisfies readonly Outcome[];

type Row = readonly [called: number, returned: number, Action, Outcome];

function verdict(rows: readonly Row[]): string[] {
  const operations = rows.map(
    ([called, returned, action, outcome]): Operation => ({ key: "a", called, returned, action, outcome }),
  );
  return checkLinearizable({ operations, lists: [], watches: [] });
}

describe("the check of linearizability", () => {
  const good: Readonly<Record<string, readonly Row[]>> = {
    "a read beside a write sees the value before or after it": [
      [0, 10, create("x"), ok],
      [1, 9, get, absent],
      [2, 8, get, found("x")],
    ],
    "a write without a response happens later": [
      [0, 1, create("x"), ok],
      [2, never, update("x", "y"), unknown],
      [3, 4, get, found("x")],
      [5, 6, get, found("y")],
    ],
    "a write without a response never happens": [
      [0, 1, create("x"), ok],
      [2, never, { verb: "delete" }, unknown],
      [3, 4, update("x", "y"), ok],
      [5, 6, get, found("y")],
    ],
    "an update without a condition replaces any value": [
      [0, 1, create("x"), ok],
      [2, 3, { verb: "update", value: "y" }, ok],
      [4, 5, get, found("y")],
    ],
    "an apply creates what is gone": [
      [0, 1, create("x"), ok],
      [2, 3, { verb: "delete" }, ok],
      [4, 5, { verb: "apply", expected: "x", value: "y" }, ok],
      [6, 7, get, found("y")],
    ],
    "of two concurrent updates the later one is refused": [
      [0, 1, create("x"), ok],
      [2, 6, update("x", "y"), conflict],
      [3, 5, update("x", "z"), ok],
    ],
  };
  const bad: Readonly<Record<string, readonly Row[]>> = {
    "a stale read": [
      [0, 1, create("x"), ok],
      [2, 3, update("x", "y"), ok],
      [4, 5, get, found("x")],
    ],
    "two successful creates": [
      [0, 4, create("x"), ok],
      [1, 3, create("y"), ok],
    ],
    "a lost update": [
      [0, 1, create("x"), ok],
      [2, 6, update("x", "y"), ok],
      [3, 5, update("x", "z"), ok],
    ],
    "a write that was refused and can be read": [
      [0, 1, create("x"), ok],
      [2, 3, create("y"), conflict],
      [4, 5, get, found("y")],
    ],
    "an update without a condition of what does not exist": [[0, 1, { verb: "update", value: "y" }, ok]],
    "an apply over another value than expected": [
      [0, 1, create("x"), ok],
      [2, 3, { verb: "apply", expected: "z", value: "y" }, ok],
    ],
    "a lost write": [
      [0, 1, create("x"), ok],
      [2, 3, get, absent],
    ],
    "a value that comes back": [
      [0, 1, create("x"), ok],
      [2, 9, update("x", "y"), ok],
      [3, 4, get, found("y")],
      [5, 6, get, found("x")],
    ],
    "a conflict without a cause": [
      [0, 1, create("x"), ok],
      [2, 3, update("x", "y"), conflict],
      [4, 5, get, found("x")],
    ],
    "a value from before its write": [
      [0, 1, get, found("x")],
      [2, 3, create("x"), ok],
    ],
    "a write without a response that happens twice": [
      [0, never, create("x"), unknown],
      [1, 2, get, found("x")],
      [3, 4, { verb: "delete" }, ok],
      [5, 6, get, found("x")],
    ],
  };
  it.each(Object.entries(good))("accepts: %s", (_, rows) => expect(verdict(rows)).toEqual([]));
  it.each(Object.entries(bad))("finds: %s", (_, rows) => expect(verdict(rows)).toHaveLength(1));

  it("finds revisions that go back in real time", () => {
    const write = (called: number, value: string, revision: number): Operation => ({
      key: value,
      called,
      returned: called + 1,
      action: create(value),
      outcome: { result: "ok", value, revision },
    });
    const operations = [write(0, "x", 7), write(2, "y", 6)];
    expect(checkLinearizable({ operations, lists: [], watches: [] })).toEqual([expect.stringContaining("revisions: ")]);
  });
});

describe("the check of watches", () => {
  const event = (revision: number, key = "a", type: "ADDED" | "MODIFIED" | "DELETED" = "MODIFIED"): WatchStep => ({
    step: "event",
    type,
    key,
    value: `${key}${revision}`,
    revision,
  });
  const start = (revision: number): WatchStep => ({ step: "start", revision });
  const bookmark = (revision: number): WatchStep => ({ step: "bookmark", revision });
  const whole = [
    start(9),
    event(10),
    event(11),
    event(12),
    event(12, "b"),
    bookmark(12),
    start(12),
    event(14),
    bookmark(15),
  ];
  const historyOf = (steps: readonly WatchStep[]): History => ({
    operations: [],
    lists: [],
    watches: [
      { name: "witness", steps: whole },
      { name: "watcher", steps },
    ],
  });

  it("accepts a watcher that was told everything once, in order, over two connections", () => {
    expect(checkWatches(historyOf(whole))).toEqual([]);
    expect(
      checkWatches(historyOf([start(9), event(10), start(10), event(11), event(12), event(12, "b"), event(14)])),
    ).toEqual([]);
  });

  const broken: readonly (readonly [Guarantee, string, readonly WatchStep[]])[] = [
    ["ordered", "two changes in the wrong order", [start(9), event(11), event(10), event(12), event(12, "b")]],
    ["unique", "a change twice", [start(9), event(10), event(11), event(11), event(12), event(12, "b")]],
    ["unique", "a change again after a new connection", [start(9), event(10), start(10), event(10), event(11)]],
    ["reliable", "a change left out", [start(9), event(10), event(12), event(12, "b")]],
    [
      "reliable",
      "an unseen deletion",
      [start(9), event(10, "a", "ADDED"), event(11), event(12), event(12, "b"), event(14, "a", "ADDED")],
    ],
    ["atomic", "half of a revision", [start(9), event(10), event(11), event(12), event(14)]],
    ["atomic", "half of a revision before a bookmark", [start(9), event(10), event(11), event(12), bookmark(12)]],
    ["resumable", "a gap after a new connection", [start(9), event(10), start(10), event(12), event(12, "b")]],
    ["resumable", "what is older than the start of a connection", [start(10), event(10), event(11)]],
    [
      "bookmarkable",
      "a bookmark before all changes up to it",
      [start(9), event(10), event(11), bookmark(12), event(14)],
    ],
    [
      "bookmarkable",
      "a change after the bookmark that promised it",
      [start(9), event(10), event(11), bookmark(12), event(12)],
    ],
  ];
  it.each(broken)("%s: finds %s", (guarantee, _, steps) => {
    expect(checkWatches(historyOf(steps))).toContainEqual(expect.stringMatching(`^${guarantee}: watcher: `));
  });

  it("finds a list that mixes two revisions", () => {
    const items = new Map([["a", { value: "a11", revision: 11 }]]);
    const history = { ...historyOf(whole), lists: [{ called: 0, returned: 1, revision: 12, items }] };
    expect(checkWatches(history)).toHaveLength(2);
  });
});

describe("a server", () => {
  let base: Plane;
  beforeAll(async () => {
    base = await startPlane({ listen: false, base: "core", flags: { controllers: "false" } });
    await base.ready;
  });
  afterAll(() => base.stop());

  /** Sends requests of concurrent clients to a copy of the server. */
  async function record(
    requests: number,
    seed: number,
    patienceMs: number,
    wrap: (api: Api) => Api = (api) => api,
  ): Promise<History> {
    const plane = await base.fork({ listen: false });
    try {
      const recorder = new HistoryRecorder({
        apis: [wrap(planeApi(plane))],
        prefix: "lin-",
        writers: 6,
        watchers: 3,
        keys: 3,
        random: seeded(seed),
        eventsPerConnection: 20,
        patienceMs,
      });
      await recorder.start();
      while (recorder.count < requests) await new Promise((resolve) => setTimeout(resolve, 5));
      return await recorder.finish();
    } finally {
      await plane.stop();
    }
  }

  it("is linearizable, and keeps every guarantee of watches", async () => {
    const history = await record(400, 1, 60_000);
    expect(checkLinearizable(history)).toEqual([]);
    expect(checkWatches(history)).toEqual([]);
    const events = history.watches.flatMap(({ steps }) => steps.filter(({ step }) => step === "event"));
    expect(events.length).toBeGreaterThan(100);
    expect(history.operations.some(({ outcome }) => outcome.result === "conflict")).toBe(true);
  });

  it("that answers some reads from an old cache is caught", async () => {
    const stale = (api: Api): Api => {
      const cache = new Map<string, Awaited<ReturnType<Api["request"]>>>();
      let count = 0;
      return {
        ...api,
        async request(method, path, body) {
          const old = method === "GET" && ++count % 3 === 0 ? cache.get(path) : undefined;
          const answer = old ?? (await api.request(method, path, body));
          if (method === "GET" && old === undefined) cache.set(path, answer);
          return answer;
        },
      };
    };
    const problems = checkLinearizable(await record(150, 2, 500, stale));
    expect(problems).toContainEqual(expect.stringMatching("^linearizable: "));
  });

  type OnEvent = (event: unknown) => void;

  /** A server with defective watches: `tell` decides how each event is changed. */
  const breakWatches =
    (tell: (event: unknown, pass: OnEvent) => void) =>
    (api: Api): Api => ({
      ...api,
      watch: (path, onEvent, signal) => api.watch(path, (event) => tell(event, onEvent), signal),
    });

  it("whose watches lose a change is caught", async () => {
    let count = 0;
    const lossy = breakWatches((event, pass) => void (++count % 10 !== 0 && pass(event)));
    const problems = checkWatches(await record(150, 3, 500, lossy));
    expect(problems).toContainEqual(expect.stringMatching("^(reliable|resumable): "));
  });

  it("whose watches tell a change twice is caught", async () => {
    const doubling = breakWatches((event, pass) => [pass(event), pass(event)]);
    expect(checkWatches(await record(150, 4, 500, doubling))).toContainEqual(expect.stringMatching("^unique: "));
  });

  it("whose watches tell changes in the wrong order is caught", async () => {
    let held: unknown;
    const swapping = breakWatches((event, pass) => {
      if (held === undefined) held = event;
      else {
        pass(event);
        pass(held);
        held = undefined;
      }
    });
    expect(checkWatches(await record(150, 5, 500, swapping))).toContainEqual(expect.stringMatching("^ordered: "));
  });
});
