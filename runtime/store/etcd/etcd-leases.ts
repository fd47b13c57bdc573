import { type Clock, steadyClock } from "../../lib/clock.ts";

/** A lease is shared by all keys written within this time. Otherwise each Event of a cluster would need its own lease. */
const REUSE_MS = 60_000;

interface Lease {
  readonly id: string;
  readonly grantedAt: number;
}

/** Leases for keys with a time to live. Keys with the same time to live that are written close together share a lease. */
export class EtcdLeases {
  readonly #grant: (ttlSeconds: number) => Promise<string>;
  readonly #clock: Clock;
  readonly #byTtl = new Map<number, Promise<Lease>>();

  constructor(grant: (ttlSeconds: number) => Promise<string>, clock: Clock) {
    this.#grant = grant;
    this.#clock = steadyClock(clock);
  }

  /** Returns a lease that lasts at least the given time from now. */
  async leaseFor(ttlSeconds: number): Promise<string> {
    const known = this.#byTtl.get(ttlSeconds);
    const lease = await known?.catch(() => undefined);
    if (lease !== undefined && this.#clock.now() - lease.grantedAt < REUSE_MS) return lease.id;
    if (this.#byTtl.get(ttlSeconds) === known) this.#byTtl.set(ttlSeconds, this.#request(ttlSeconds));
    return (await this.#byTtl.get(ttlSeconds))?.id ?? "0";
  }

  async #request(ttlSeconds: number): Promise<Lease> {
    const grantedAt = this.#clock.now();
    return { id: await this.#grant(ttlSeconds + REUSE_MS / 1000), grantedAt };
  }
}
