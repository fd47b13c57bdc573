import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditSeats, get, level, outcome, schema, simulateServer, user } from "./simulated-server.ts";

/** Creates one level for all users, with this number of seats. */
function oneLevel(seats: number, options: Parameters<typeof level>[1] = {}) {
  const server = simulateServer({ seats });
  server.fairness.configure([level("all", { shares: 10_000, ...options })], [schema("all", "all", 100)]);
  return server;
}

const POD = "/api/v1/namespaces/default/pods/p";

describe("fairness between flows", () => {
  it("gives two flows the same time, however many clients each has", () => {
    const { client, pass, fairness } = oneLevel(4);
    const flood = Array.from({ length: 100 }, () => client(user("flood"), 2));
    const quiet = Array.from({ length: 12 }, () => client(user("quiet"), 2));
    pass(5_000);
    const servedBy = (clients: readonly { served: number }[]) => clients.reduce((sum, { served }) => sum + served, 0);
    const [many, few] = [servedBy(flood), servedBy(quiet)];
    expect(few / (many + few)).toBeGreaterThan(0.42);
    expect(few / (many + few)).toBeLessThan(0.58);
    expect(auditSeats(fairness)).toEqual([]);
  });

  it("measures time, not requests: a flow of long requests gets fewer of them", () => {
    const { client, pass } = oneLevel(4);
    const long = Array.from({ length: 20 }, () => client(user("long"), 20));
    const short = Array.from({ length: 20 }, () => client(user("short"), 2));
    pass(20_000);
    const timeOf = (clients: readonly { served: number }[], each: number) =>
      clients.reduce((sum, { served }) => sum + served * each, 0);
    const ratio = timeOf(short, 2) / timeOf(long, 20);
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.4);
  });

  it("lets a single request of a quiet flow overtake everything that waits", () => {
    const { client, pass, at } = oneLevel(2);
    for (let index = 0; index < 200; index++) client(user("flood"), 5);
    const waits: number[] = [];
    pass(1_000);
    const one = client(user("quiet"), 1);
    at(400, () => {
      one.stopped = true;
    });
    pass(500);
    waits.push(...one.waits);
    expect(waits.length).toBeGreaterThan(20);
    // A seat becomes free every 2.5 ms; up to six queues of the flood have the same claim.
    expect(Math.max(...waits)).toBeLessThan(40);
  });

  it("does not let a short request wait for what a long one of the same flow has used", () => {
    const { client, pass } = oneLevel(4);
    for (let index = 0; index < 100; index++) client(user("flood"), 2);
    client(user("quiet"), 200);
    pass(1_000);
    const short = client(user("quiet"), 1);
    pass(1_000);
    expect(short.served).toBeGreaterThan(50);
    expect(Math.max(...short.waits)).toBeLessThan(30);
  });

  it("orders by fairness what arrives in one turn of the event loop, even if seats are free", () => {
    const { fairness, pass } = oneLevel(600);
    const flood = Array.from({ length: 100 }, () => fairness.enter(get(POD), user("flood")));
    const quiet = fairness.enter(get(POD), user("quiet"));
    expect(flood.filter(({ phase }) => phase === "executing")).toHaveLength(5);
    expect(quiet.phase).toBe("executing");
    const second = fairness.enter(get(POD), user("quiet"));
    expect(second.phase).toBe("waiting");
    pass(0.015);
    expect(second.phase).toBe("executing");
    expect(flood.filter(({ phase }) => phase === "executing").length).toBeLessThan(20);
    pass(1);
    expect(flood.every(({ phase }) => phase === "executing")).toBe(true);
  });
});

describe("seats", () => {
  it("are all used while anything waits, and none is lost or counted twice (random requests)", () => {
    const action = fc.record({
      who: fc.integer({ min: 0, max: 5 }),
      what: fc.constantFrom("enter", "enter", "enter", "end", "release", "retake", "give up", "pass"),
      which: fc.nat(1000),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (actions, seats) => {
        const { fairness, pass } = oneLevel(seats, { queues: 8, hand: 3, length: 5 });
        const requests = [];
        for (const { who, what, which } of actions) {
          const request = requests[which % Math.max(1, requests.length)];
          if (what === "enter") requests.push(fairness.enter(get(POD), user(`user-${who}`)));
          else if (what === "pass") pass(which % 50);
          else if (what === "end") request?.end();
          else if (what === "release") request?.release();
          else if (what === "retake")
            void (request?.phase === "idle" && request.refused === undefined && request.retake());
          else request?.giveUp();
          pass(1);
          expect(auditSeats(fairness)).toEqual([]);
          const all = fairness.levels.find(({ config }) => config.name === "all");
          if ((all?.waiting ?? 0) > 0) expect(all?.seatsInUse).toBe(all?.current);
        }
        for (const request of requests) request.end();
        pass(1);
        for (const one of fairness.levels) {
          expect([one.seatsInUse, one.seatsWaiting, one.executing, one.waiting]).toEqual([0, 0, 0, 0]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are held by a write that many watches are told of, after it has ended", () => {
    const { fairness, pass } = oneLevel(100);
    const info = get("/api/v1/namespaces/default/pods?watch=true");
    if (!info.isResource) throw new Error("not a resource");
    const stops = Array.from({ length: 35 }, () => fairness.countWatch(info));
    const write = fairness.enter(get("/api/v1/namespaces/default/pods", "POST"), user("a"));
    expect(write.work).toEqual({ seats: 1, finalSeats: 4, lingerMs: 5 });
    const all = fairness.levels.find(({ config }) => config.name === "all");
    expect(all?.seatsInUse).toBe(4);
    write.end();
    pass(4);
    expect(all?.seatsInUse).toBe(4);
    pass(2);
    expect(all?.seatsInUse).toBe(0);
    for (const stop of stops) stop();
    expect(fairness.enter(get("/api/v1/namespaces/default/pods", "POST"), user("a")).seats).toBe(1);
  });

  it("are more for a list of many objects, up to ten and to a part of its level", () => {
    const server = simulateServer({ seats: 600, objects: 750 });
    server.fairness.configure(
      [level("wide", { shares: 100 }), level("narrow", { shares: 1 })],
      [schema("wide", "wide", 100, ["a"]), schema("narrow", "narrow", 200, ["b"])],
    );
    const seatsOf = (uri: string, name: string) => server.fairness.enter(get(uri), user(name)).seats;
    expect(seatsOf("/api/v1/pods", "a")).toBe(8);
    expect(seatsOf("/api/v1/pods?limit=150", "a")).toBe(2);
    expect(seatsOf("/api/v1/pods?limit=150&labelSelector=a", "a")).toBe(8);
    expect(seatsOf("/api/v1/pods/p", "a")).toBe(1);
    expect(seatsOf("/api/v1/pods?watch=true", "a")).toBe(1);
    expect(seatsOf("/api/v1/pods?watch=true&sendInitialEvents=true", "a")).toBe(8);
    expect(seatsOf("/api/v1/pods", "b")).toBe(1);
  });
});

describe("refusals", () => {
  it("come when all queues of a flow are full, and do not concern other flows", () => {
    const { fairness, pass } = oneLevel(1, { queues: 32, hand: 2, length: 3 });
    const flood = Array.from({ length: 20 }, () => fairness.enter(get(POD), user("flood")));
    pass(1);
    const phases = flood.map(outcome);
    expect(phases.filter((phase) => phase === "executing")).toHaveLength(1);
    expect(phases.filter((phase) => phase === "waiting")).toHaveLength(6);
    expect(phases.filter((phase) => phase === "queue-full")).toHaveLength(13);
    expect(outcome(fairness.enter(get(POD), user("quiet")))).toBe("waiting");
  });

  it("do not come for a burst of requests while seats are free: they wait for the next turns", () => {
    const { fairness, pass } = oneLevel(600, { queues: 32, hand: 2, length: 3 });
    const burst = Array.from({ length: 60 }, () => fairness.enter(get(POD), user("burst")));
    expect(burst.map(outcome).filter((phase) => phase === "queue-full")).toHaveLength(7);
    pass(1);
    expect(burst.map(outcome).filter((phase) => phase === "executing")).toHaveLength(53);
  });

  it("come at once beyond the seats of a level without queues", () => {
    const { fairness, pass } = oneLevel(2, { queues: 0 });
    const requests = Array.from({ length: 4 }, () => fairness.enter(get(POD), user("a")));
    pass(1);
    expect(requests.map(outcome)).toEqual(["executing", "executing", "concurrency-limit", "concurrency-limit"]);
  });

  it("come for a request that is given up while it waits", async () => {
    const { fairness } = oneLevel(1);
    fairness.enter(get(POD), user("a"));
    const second = fairness.enter(get(POD), user("a"));
    const decided = second.decided();
    second.giveUp();
    expect(await decided).toBe(false);
    expect(outcome(second)).toBe("time-out");
    expect(auditSeats(fairness)).toEqual([]);
  });

  it("never come for exempt requests", () => {
    const { fairness } = oneLevel(1, { queues: 0 });
    fairness.enter(get(POD), user("somebody"));
    expect(outcome(fairness.enter(get(POD), user("somebody")))).toBe("concurrency-limit");
    const exempt = Array.from({ length: 50 }, () => fairness.enter(get(POD), user("admin", "system:masters")));
    expect(exempt.every(({ phase }) => phase === "executing")).toBe(true);
  });

  it("a level without seats holds its requests until it gets some", () => {
    const { fairness, pass } = simulateServer({ seats: 10 });
    const jail = (shares: number) => [level("jail", { shares, borrowing: 0 }), level("other", { shares: 10 })];
    const schemas = [schema("jail", "jail", 100)];
    fairness.configure(jail(0), schemas);
    const request = fairness.enter(get(POD), user("a"));
    pass(60_000);
    expect(outcome(request)).toBe("waiting");
    fairness.configure(jail(10), schemas);
    expect(outcome(request)).toBe("executing");
  });
});

describe("a live configuration", () => {
  it("keeps a deleted level until its last request is over", () => {
    const { fairness, pass } = oneLevel(1);
    const first = fairness.enter(get(POD), user("a"));
    const second = fairness.enter(get(POD), user("a"));
    fairness.configure([], []);
    expect(fairness.levels.find(({ config }) => config.name === "all")?.quiescing).toBe(true);
    expect(fairness.enter(get(POD), user("a")).schema.name).toBe("catch-all");
    first.end();
    pass(1);
    expect(outcome(second)).toBe("executing");
    second.end();
    expect(fairness.levels.map(({ config }) => config.name).sort()).toEqual(["catch-all", "exempt"]);
  });

  it("removes queues when they are empty, and adds them at once", () => {
    const { fairness, pass } = oneLevel(1, { queues: 8, hand: 8, length: 2 });
    const requests = Array.from({ length: 17 }, () => fairness.enter(get(POD), user("a")));
    fairness.configure([level("all", { shares: 10_000, queues: 2, hand: 1 })], [schema("all", "all", 100)]);
    for (let round = 0; round < 20; round++) {
      for (const request of requests) if (request.phase === "executing") request.end();
      pass(1);
    }
    expect(requests.map(({ phase }) => phase)).toEqual(requests.map(() => "over"));
    expect(fairness.levels.find(({ config }) => config.name === "all")?.queues).toHaveLength(2);
    expect(auditSeats(fairness)).toEqual([]);
  });
});

describe("priority levels", () => {
  it("share the turns of the event loop by their seats, and none starves", () => {
    const server = simulateServer({ seats: 400 });
    server.fairness.configure(
      [level("large", { shares: 90, length: 10_000 }), level("small", { shares: 10, length: 10_000 })],
      [schema("large", "large", 100, ["a"]), schema("small", "small", 200, ["b"])],
    );
    const large = Array.from({ length: 1_000 }, () => server.client(user("a"), 0.001));
    const small = Array.from({ length: 1_000 }, () => server.client(user("b"), 0.001));
    server.pass(5);
    const [many, few] = [large, small].map((clients) => clients.reduce((sum, { served }) => sum + served, 0)) as [
      number,
      number,
    ];
    expect(few / (many + few)).toBeGreaterThan(0.05);
    expect(few / (many + few)).toBeLessThan(0.3);
  });

  it("lend and borrow seats by their demand, within their bounds", () => {
    const server = simulateServer({ seats: 100 });
    server.fairness.configure(
      [level("busy", { shares: 50, borrowing: 60 }), level("idle", { shares: 50, lendable: 80 })],
      [schema("busy", "busy", 100, ["a"]), schema("idle", "idle", 200, ["b"])],
    );
    const stop = server.fairness.run();
    const currentOf = (name: string) => server.fairness.levels.find(({ config }) => config.name === name)?.current ?? 0;
    for (let index = 0; index < 120; index++) server.client(user("a"), 400);
    server.pass(30_000);
    expect(currentOf("busy")).toBeGreaterThan(70);
    expect(currentOf("busy")).toBeLessThanOrEqual(80);
    expect(currentOf("idle")).toBeLessThan(30);
    const back = Array.from({ length: 100 }, () => server.client(user("b"), 400));
    server.pass(30_000);
    expect(currentOf("idle")).toBeGreaterThan(40);
    expect(back.reduce((sum, { served }) => sum + served, 0)).toBeGreaterThan(1_000);
    expect(auditSeats(server.fairness)).toEqual([]);
    stop();
  });
});
