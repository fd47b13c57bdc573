import { describe, expect, it } from "vitest";
import { connect } from "../../runtime/client.ts";
import { LeaderElector, type Leadership } from "../../runtime/controller/leader-election.ts";
import type { Clock } from "../../runtime/lib/clock.ts";
import { HandClock } from "../fixtures/hand-clock.ts";

interface StoredLease {
  metadata: { name: string; namespace: string; uid: string; resourceVersion: string };
  spec: { holderIdentity?: string; leaseTransitions?: number };
}

/** Stores one lease, and rejects writes with an old version like an API server. */
class LeaseServer {
  lease: StoredLease | undefined;
  #version = 0;

  handle(method: string, body: StoredLease | undefined): [number, object] {
    const failure = (code: number, reason: string): [number, object] => [code, { kind: "Status", code, reason }];
    if (method === "GET") return this.lease === undefined ? failure(404, "NotFound") : [200, this.lease];
    if (method === "POST" && this.lease !== undefined) return failure(409, "AlreadyExists");
    if (method === "PUT" && this.lease === undefined) return failure(404, "NotFound");
    if (method === "PUT" && body?.metadata.resourceVersion !== this.lease?.metadata.resourceVersion)
      return failure(409, "Conflict");
    this.lease = { ...body!, metadata: { ...body!.metadata, uid: "1", resourceVersion: String(++this.#version) } };
    return [200, this.lease];
  }
}

/** A process whose clock and connection can be disturbed. */
class Candidate {
  elector!: LeaderElector;
  leadership: Leadership | undefined;
  terms = 0;
  /** Requests fail before or after the server has handled them, or never end. */
  network: "good" | "cut" | "silent" | "lost responses" = "good";
  /** Delay until a request reaches the server. */
  delayMs = 0;
  #frozen: (() => void)[] | undefined;

  static async of(name: string, server: LeaseServer, clock: HandClock): Promise<Candidate> {
    const candidate = new Candidate();
    const own: Clock = { now: clock.now, after: (delay, action) => clock.after(delay, () => candidate.#when(action)) };
    const client = await connect({ plane: { fetch: candidate.#fetch(server, clock) }, clock: own });
    const onLeading = (leadership: Leadership): void => {
      candidate.terms++;
      candidate.leadership = leadership;
    };
    candidate.elector = new LeaderElector(
      { name: "lock", namespace: "default", identity: name },
      { client, clock: own, random: () => 0.5, log: () => undefined, onLeading },
    );
    return candidate;
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined;
  }

  freeze(): void {
    this.#frozen ??= [];
  }

  thaw(): void {
    const waiting = this.#frozen ?? [];
    this.#frozen = undefined;
    for (const action of waiting) action();
  }

  /** Whether it would currently act as leader. */
  get acts(): boolean {
    if (this.isFrozen || this.leadership === undefined) return false;
    try {
      this.leadership.check();
      return true;
    } catch {
      return false;
    }
  }

  #when(action: () => void): void {
    if (this.#frozen === undefined) action();
    else this.#frozen.push(action);
  }

  #fetch(server: LeaseServer, clock: HandClock): typeof globalThis.fetch {
    return async (_url, init = {}) => {
      const { method = "GET", body, signal } = init;
      const network = this.network;
      if (network === "cut") throw new Error("cut");
      if (network === "silent")
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      if (this.delayMs > 0) {
        // The request reaches the server, whatever the client does meanwhile.
        await new Promise<void>((resolve) => clock.after(this.delayMs, resolve));
      }
      const [status, answer] = server.handle(method, body ? JSON.parse(String(body)) : undefined);
      if (network === "lost responses") throw new Error("lost");
      await new Promise<void>((resolve) => this.#when(resolve));
      signal?.throwIfAborted();
      return Response.json(answer, { status });
    };
  }
}

/** Returns numbers from 0 to less than 1 that depend on the seed only. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function elect(names: readonly string[], onTurn: (candidates: readonly Candidate[]) => void = () => undefined) {
  const candidates: Candidate[] = [];
  const clock = new HandClock(() => onTurn(candidates));
  const server = new LeaseServer();
  for (const name of names) candidates.push(await Candidate.of(name, server, clock));
  for (const { elector } of candidates) {
    void elector.start();
    await clock.move(1);
  }
  return { candidates, clock, server };
}

const acting = (candidates: readonly Candidate[]) => candidates.filter(({ acts }) => acts).length;

describe("leader election", () => {
  it("elects one, and another when the first releases the lease", async () => {
    const { candidates, clock, server } = await elect(["a", "b"]);
    const [a, b] = candidates as [Candidate, Candidate];
    expect([a.elector.isLeader, b.elector.isLeader]).toEqual([true, false]);
    expect(server.lease?.spec).toEqual({
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      acquireTime: "2030-01-01T00:00:00.000000Z",
      renewTime: "2030-01-01T00:00:00.000000Z",
      leaseTransitions: 0,
    });
    await clock.move(60_000);
    expect([a.elector.isLeader, a.terms, b.terms]).toEqual([true, 1, 0]);
    await a.elector.stop({ release: true });
    expect([a.acts, server.lease?.spec.holderIdentity]).toEqual([false, ""]);
    await clock.move(2500);
    expect([b.elector.isLeader, server.lease?.spec.leaseTransitions]).toEqual([true, 1]);
    await b.elector.stop({ release: false });
    expect(server.lease?.spec.holderIdentity).toBe("b");
  });

  it("releases the lease also if a renewal was on its way when it was stopped", async () => {
    const { candidates, clock, server } = await elect(["a", "b"]);
    const [a, b] = candidates as [Candidate, Candidate];
    a.delayMs = 300;
    const version = server.lease?.metadata.resourceVersion;
    await clock.move(2100);
    const stopped = a.elector.stop({ release: true });
    await clock.move(1500);
    await stopped;
    expect(server.lease?.metadata.resourceVersion).not.toBe(version);
    expect(server.lease?.spec.holderIdentity).not.toBe("a");
    await clock.move(2500);
    expect(b.elector.isLeader).toBe(true);
    await b.elector.stop({ release: false });
  });

  it("releases a lease that it was about to take when it was stopped", async () => {
    const clock = new HandClock();
    const server = new LeaseServer();
    const a = await Candidate.of("a", server, clock);
    a.delayMs = 300;
    void a.elector.start();
    await clock.move(450);
    const stopped = a.elector.stop({ release: true });
    await clock.move(200);
    expect(server.lease?.spec.holderIdentity).toBe("a");
    await clock.move(2000);
    await stopped;
    expect([server.lease?.spec.holderIdentity, a.terms]).toEqual(["", 0]);
  });

  it("ends although the server does not respond to the release", async () => {
    const { candidates, clock } = await elect(["a"]);
    const [a] = candidates as [Candidate];
    a.network = "silent";
    let isStopped = false;
    const stopped = a.elector.stop({ release: true }).then(() => (isStopped = true));
    await clock.move(4900);
    expect(isStopped).toBe(false);
    await clock.move(200);
    expect(isStopped).toBe(true);
    await stopped;
  });

  it("ends the leadership before the lease expires, and lets another take over as soon as it has", async () => {
    const { candidates, clock } = await elect(["a", "b"]);
    const [a, b] = candidates as [Candidate, Candidate];
    await clock.move(3000);
    a.network = "silent";
    await clock.move(9100);
    expect([a.elector.isLeader, a.leadership?.signal.aborted, b.elector.isLeader]).toEqual([false, true, false]);
    await clock.move(6500);
    expect(b.elector.isLeader).toBe(true);
    a.network = "good";
    await clock.move(60_000);
    expect([a.elector.isLeader, b.terms]).toEqual([false, 1]);
  });

  it("takes over from a killed leader within the lease and one retry, and from one that stops within one retry", async () => {
    for (const offset of [0, 700, 1300, 1999]) {
      let since = 0;
      const { candidates, clock } = await elect(["a", "b"], ([, b]) => {
        if (b?.acts && since === 0) since = clock.now();
      });
      const [a, b] = candidates as [Candidate, Candidate];
      await clock.move(20_000 + offset);
      a.freeze();
      const killed = clock.now();
      await clock.move(30_000);
      // At least the lease since the last renewal, which was at most one retry before.
      expect(since - killed, `killed after ${offset} ms`).toBeGreaterThan(13_000);
      expect(since - killed, `killed after ${offset} ms`).toBeLessThanOrEqual(17_001);
      await b.elector.stop({ release: true });
      a.thaw();
      await clock.move(2001);
      expect(a.acts).toBe(true);
      await a.elector.stop({ release: false });
    }
  });

  it("does not let a leader act that was frozen for longer than its deadline, though no timer has fired", async () => {
    const { candidates, clock } = await elect(["a"]);
    const [a] = candidates as [Candidate];
    a.freeze();
    await clock.move(11_000);
    expect(a.leadership?.signal.aborted).toBe(false);
    // Simulates a process that is resumed in the middle of its work.
    expect(() => a.leadership?.check()).toThrow("the lease was not renewed within 10 s");
    expect([a.elector.isLeader, a.leadership?.signal.aborted]).toEqual([false, true]);
    a.thaw();
    await clock.move(3000);
    expect([a.acts, a.terms]).toEqual([true, 2]);
  });

  it("never has two leaders, whatever is cut, lost, late or frozen, and has one when all is well again", async () => {
    let [most, terms] = [0, 0];
    for (let seed = 1; seed <= 12; seed++) {
      const random = createRandom(seed);
      const { candidates, clock } = await elect(["a", "b", "c"], (all) => {
        most = Math.max(most, acting(all));
      });
      for (let step = 0; step < 40; step++) {
        const candidate = candidates[Math.floor(random() * 3)] as Candidate;
        const choice = Math.floor(random() * 7);
        if (choice === 0) candidate.freeze();
        else if (choice === 1) candidate.network = "cut";
        else if (choice === 2) candidate.network = "silent";
        else if (choice === 3) candidate.network = "lost responses";
        else if (choice === 4) candidate.delayMs = random() * 20_000;
        else {
          candidate.thaw();
          candidate.network = "good";
          candidate.delayMs = 0;
        }
        await clock.move(random() * 15_000);
      }
      for (const candidate of candidates) {
        candidate.thaw();
        candidate.network = "good";
        candidate.delayMs = 0;
      }
      await clock.move(100_000);
      expect(acting(candidates), `seed ${seed}`).toBe(1);
      terms += candidates.reduce((sum, candidate) => sum + candidate.terms, 0);
      for (const { elector } of candidates) await elector.stop({ release: false });
    }
    expect(most).toBe(1);
    expect(terms).toBeGreaterThan(24);
  });

  it("refuses times that could lead to two leaders", async () => {
    const client = await connect({ plane: { fetch: () => Promise.reject(new Error("unused")) } });
    const electorOf = (times: object) =>
      new LeaderElector(
        { name: "lock", ...times },
        { client, clock: new HandClock(), random: Math.random, log: () => undefined, onLeading: () => undefined },
      );
    expect(() => electorOf({ leaseDuration: "10s" })).toThrow("leaseDuration must be longer than renewDeadline");
    expect(() => electorOf({ retryPeriod: "9s" })).toThrow("renewDeadline must be longer than 1.2 times retryPeriod");
    expect(() => electorOf({ leaseDuration: 900, renewDeadline: 500, retryPeriod: 100 })).toThrow("at least 1s");
  });
});
