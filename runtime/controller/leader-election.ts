import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Lease, LeaseSpec } from "../../api-definitions/coordination/v1/lease.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { KindClient } from "../client/kind-client.ts";
import type { Stored } from "../client/object-types.ts";
import { follow, waitFor } from "../client/requester.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { type Duration, millisecondsOf } from "./duration.ts";

export interface LeaderElectionOptions {
  /** Name of the Lease. All candidates for the same leadership must use the same name. */
  readonly name: string;
  /** Namespace of the Lease; by default the namespace of the client. */
  readonly namespace?: string;
  /** Identity of this process, which must be unique; by default the host name with a UUID. */
  readonly identity?: string;
  /** How long other candidates wait after the last observed renewal; 15 s by default. */
  readonly leaseDuration?: Duration;
  /** The leader stops leading if it could not renew for this time; 10 s by default. Must be shorter than `leaseDuration`. */
  readonly renewDeadline?: Duration;
  /** Time between attempts; 2 s by default. Must be shorter than `renewDeadline`. */
  readonly retryPeriod?: Duration;
}

export interface ElectionParts {
  readonly client: Client;
  readonly clock: Clock;
  /** Returns random numbers for jitter, at least 0 and below 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Called each time this process becomes the leader. The signal is aborted when it stops being the leader. */
  readonly onLeading: (leadership: Leadership) => void;
}

export interface Leadership {
  readonly signal: AbortSignal;
  /** Throws a `LeadershipLostError` if the leadership has expired, even if the signal is not aborted yet. */
  check(): void;
}

/** This process was the leader and could not renew its Lease in time: another process may be the leader now. */
export class LeadershipLostError extends Error {
  readonly code = "LeadershipLost";

  constructor(message: string) {
    super(message);
    this.name = "LeadershipLostError";
  }
}

const LEASES: ResourceToken<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  resource: "leases",
  namespaced: true,
};
const JITTER = 0.2;

/** A time on two clocks: the wall clock may be set, and the monotonic clock may stop while the machine sleeps. */
interface Instant {
  readonly wall: number;
  readonly monotonic: number;
}

/**
 * Elects one leader among processes that share a Lease. Timestamps of other machines are not trusted. A candidate waits for the whole lease duration
 * after it saw the last renewal itself. The leader stops earlier, counted from the time before it sent its last successful renewal. So the old leader
 * has stopped before a new one starts, if their clocks run at about the same speed.
 */
export class LeaderElector {
  readonly identity: string;
  readonly #parts: ElectionParts;
  readonly #options: LeaderElectionOptions;
  readonly #leases: KindClient<Lease>;
  readonly #times: { readonly lease: number; readonly renew: number; readonly retry: number };
  readonly #stop = new AbortController();
  readonly #decided = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  /** The Lease as last read or written, and the time when this version was first seen. */
  #seen: { readonly lease: Stored<Lease>; readonly at: Instant } | undefined;
  #lost: AbortController | undefined;
  #isAttempting = false;
  /** Time before the last successful renewal was sent. */
  #renewed: Instant;

  constructor(options: LeaderElectionOptions, parts: ElectionParts) {
    const { leaseDuration = "15s", renewDeadline = "10s", retryPeriod = "2s" } = options;
    const times = [leaseDuration, renewDeadline, retryPeriod].map(millisecondsOf) as [number, number, number];
    const [lease, renew, retry] = times;
    if (lease < 1000) throw new RangeError("leaseDuration must be at least 1s");
    if (lease <= renew) throw new RangeError("leaseDuration must be longer than renewDeadline");
    if (renew <= retry * (1 + JITTER)) throw new RangeError("renewDeadline must be longer than 1.2 times retryPeriod");
    this.identity = options.identity ?? `${hostname()}_${randomUUID()}`;
    this.#options = options;
    this.#parts = parts;
    this.#times = { lease, renew, retry };
    this.#leases = parts.client.of(LEASES);
    this.#renewed = this.#now();
  }

  /** Starts the election. Resolves after the first attempt, whether it succeeded or not. */
  start(): Promise<void> {
    this.#running ??= this.#run();
    return this.#decided.promise;
  }

  get isLeader(): boolean {
    return this.#lost !== undefined && !this.#isOver();
  }

  /** Stops the election. With `release`, another process may lead at once: the caller must have stopped all work as the leader. */
  async stop({ release }: { readonly release: boolean }): Promise<void> {
    // A pending request may still reach the server, although its response is not awaited.
    const wasAttempting = this.#isAttempting;
    this.#stop.abort(new DOMException("the leader election was stopped", "AbortError"));
    this.#decided.resolve();
    await this.#running;
    if (release) await this.#release(wasAttempting);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const isLeader = await this.#attempt(signal).catch((error: unknown) => this.#warn("acquire", error));
      // If the response arrives too late, another process may hold the Lease already.
      const isInTime = this.#longestSince(this.#renewed) < this.#times.renew;
      if (isLeader && isInTime && !signal.aborted) await this.#lead();
      this.#decided.resolve();
      if (!signal.aborted) await this.#pause(this.#untilNext(), signal);
    }
  }

  /** Renews the Lease until renewals fail for too long, another process holds it, or the elector is stopped. */
  async #lead(): Promise<void> {
    const { log, onLeading } = this.#parts;
    const lost = new AbortController();
    this.#lost = lost;
    const stopping = () => lost.abort(this.#stop.signal.reason);
    this.#stop.signal.addEventListener("abort", stopping, { once: true });
    let cancel = this.#armExpiry(lost);
    log("info", `leader election: ${this.identity} leads`, { lease: this.#options.name });
    onLeading({ signal: lost.signal, check: () => this.#check(lost) });
    this.#decided.resolve();
    while (!lost.signal.aborted) {
      await this.#pause(this.#times.retry, lost.signal);
      if (lost.signal.aborted) break;
      const isRenewed = await this.#attempt(lost.signal).catch((error: unknown) => this.#warn("renew", error));
      if (isRenewed) {
        cancel();
        cancel = this.#armExpiry(lost);
      } else if (isRenewed === false) lost.abort(new LeadershipLostError("another process holds the lease"));
    }
    cancel();
    this.#stop.signal.removeEventListener("abort", stopping);
    this.#lost = undefined;
    if (!this.#stop.signal.aborted) log("warn", `leader election: ${this.identity} leads no longer`);
  }

  #armExpiry(lost: AbortController): () => void {
    const left = this.#times.renew - this.#longestSince(this.#renewed);
    return this.#parts.clock.after(Math.max(left, 0), () => this.#expire(lost));
  }

  #expire(lost: AbortController): void {
    lost.abort(new LeadershipLostError(`the lease was not renewed within ${this.#times.renew / 1000} s`));
  }

  #isOver(): boolean {
    return (
      this.#lost === undefined || this.#lost.signal.aborted || this.#longestSince(this.#renewed) >= this.#times.renew
    );
  }

  #check(lost: AbortController): void {
    if (this.#lost === lost && this.#isOver()) this.#expire(lost);
    if (lost.signal.aborted) throw lost.signal.reason;
  }

  /**
   * Acquires or renews the Lease. Returns false if another process holds it and it has not expired. Rejects if the result is unknown or takes too
   * long.
   */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    this.#isAttempting = true;
    try {
      return await this.#inTime((limit) => this.#takeOrRenew(limit), signal);
    } finally {
      this.#isAttempting = false;
    }
  }

  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const limit = new AbortController();
    const unfollow = follow(signal, limit);
    const cancel = this.#parts.clock.after(this.#times.renew / 2, () =>
      limit.abort(new Error(`no response within ${this.#times.renew / 2000} s`)),
    );
    try {
      return await work(limit.signal);
    } finally {
      cancel();
      unfollow();
    }
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const known = this.#lost === undefined ? undefined : this.#seen?.lease;
    if (known !== undefined) {
      try {
        return await this.#write(known, signal);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
    const lease = await this.#read(signal);
    if (lease === undefined) return this.#create(signal);
    this.#see(lease);
    if (!this.#isFree(lease)) return false;
    try {
      return await this.#write(lease, signal);
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  async #read(signal: AbortSignal): Promise<Stored<Lease> | undefined> {
    try {
      return await this.#leases.get(this.#key, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #create(signal: AbortSignal): Promise<boolean> {
    const sent = this.#now();
    try {
      const lease = await this.#leases.create({ metadata: this.#key, spec: this.#spec(undefined) }, { signal });
      this.#held(lease, sent);
      return true;
    } catch (error) {
      if (isAlreadyExists(error)) return false;
      throw error;
    }
  }

  async #write(lease: Stored<Lease>, signal: AbortSignal): Promise<boolean> {
    const sent = this.#now();
    this.#held(await this.#leases.update({ ...lease, spec: this.#spec(lease.spec) }, { signal }), sent);
    return true;
  }

  /** Releases the Lease, so that another process can acquire it at once. */
  async #release(wasAttempting: boolean): Promise<void> {
    try {
      await this.#inTime(async (signal) => {
        if (!wasAttempting && (await this.#giveUp(this.#seen?.lease, signal))) return;
        await this.#giveUp(await this.#read(signal), signal);
      });
    } catch (error) {
      // The Lease expires without a release.
      this.#warn("release", error);
    }
  }

  /** Releases the Lease if this process holds it. Returns false if the Lease has changed meanwhile. */
  async #giveUp(lease: Stored<Lease> | undefined, signal: AbortSignal): Promise<boolean> {
    if (lease?.spec?.holderIdentity !== this.identity) return true;
    const now = microTime(this.#parts.clock.now());
    const { leaseTransitions = 0 } = lease.spec;
    const spec = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions };
    try {
      await this.#leases.update({ ...lease, spec }, { signal });
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  #isFree(lease: Stored<Lease>): boolean {
    const { holderIdentity, leaseDurationSeconds } = lease.spec ?? {};
    if (!holderIdentity || holderIdentity === this.identity) return true;
    return this.#remaining(leaseDurationSeconds) <= 0;
  }

  /** Milliseconds until the Lease expires, counted from when it was seen. */
  #remaining(seconds: number | undefined): number {
    if (this.#seen === undefined) return 0;
    const duration = seconds === undefined ? this.#times.lease : Number(seconds) * 1000;
    // The monotonic clock cannot be set. At worst it is slow, and the candidate waits longer.
    return duration - (this.#now().monotonic - this.#seen.at.monotonic);
  }

  #see(lease: Stored<Lease>): void {
    const { uid, resourceVersion } = lease.metadata;
    const known = this.#seen?.lease.metadata;
    if (known?.uid === uid && known.resourceVersion === resourceVersion) return;
    this.#seen = { lease, at: this.#now() };
  }

  #held(lease: Stored<Lease>, sent: Instant): void {
    this.#seen = { lease, at: this.#now() };
    this.#renewed = sent;
  }

  #spec(before: LeaseSpec | undefined): LeaseSpec {
    const now = microTime(this.#parts.clock.now());
    const isOwn = before?.holderIdentity === this.identity;
    const transitions = Number(before?.leaseTransitions ?? 0);
    return {
      holderIdentity: this.identity,
      leaseDurationSeconds: Math.ceil(this.#times.lease / 1000),
      acquireTime: (isOwn ? before.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: before === undefined || isOwn ? transitions : transitions + 1,
    };
  }

  get #key(): { name: string; namespace: string } {
    const { name, namespace = this.#parts.client.namespace } = this.#options;
    return { name, namespace };
  }

  /**
   * Milliseconds until the next attempt: when the Lease expires, and after `retryPeriod` at the latest. So a candidate sees a renewal within that
   * time. If a leader ends without releasing its Lease, it is acquired within `leaseDuration` plus one `retryPeriod`.
   */
  #untilNext(): number {
    const usual = this.#times.retry * (1 - JITTER * this.#parts.random());
    const { holderIdentity, leaseDurationSeconds } = this.#seen?.lease.spec ?? {};
    if (!holderIdentity || holderIdentity === this.identity) return usual;
    const remaining = this.#remaining(leaseDurationSeconds);
    return remaining > 0 ? Math.min(usual, remaining + 1) : usual;
  }

  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return waitFor(this.#parts.clock, milliseconds, signal).catch(() => undefined);
  }

  #now(): Instant {
    const { clock } = this.#parts;
    const wall = clock.now();
    return { wall, monotonic: clock === systemClock ? performance.now() : wall };
  }

  #longestSince({ wall, monotonic }: Instant): number {
    const now = this.#now();
    return Math.max(now.wall - wall, now.monotonic - monotonic);
  }

  #warn(what: string, error: unknown): undefined {
    if (what !== "release" && (this.#stop.signal.aborted || this.#lost?.signal.aborted)) return;
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.log("warn", `leader election: could not ${what} the lease: ${message}`, { lease: this.#options.name });
  }
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000Z");
}
