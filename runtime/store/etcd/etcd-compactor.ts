import type { Clock } from "../../lib/clock.ts";

/** The key by which all servers of one etcd, kube-apiservers included, agree on which of them compacts. */
const COMPACT_KEY = "compact_rev_key";

export interface CompactionCalls {
  /**
   * Writes `value` if the key is at `version` (0: absent). Returns the present version of the key, whether it was written, and etcd's
   * present revision.
   */
  claim(key: string, version: number, value: string): Promise<{ claimed: boolean; version: number; revision: number }>;
  compact(revision: number): Promise<void>;
}

/**
 * Compacts etcd once per interval, on whichever server claims the interval first. That server compacts to the revision that was current one
 * interval ago; the other servers only record the present revision.
 */
export class EtcdCompactor {
  readonly #calls: CompactionCalls;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #version = 0;
  #revision = 0;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(calls: CompactionCalls, clock: Clock, intervalMs: number) {
    this.#calls = calls;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  async step(): Promise<void> {
    const target = this.#revision;
    const { claimed, version, revision } = await this.#calls.claim(COMPACT_KEY, this.#version, String(target));
    this.#version = version;
    this.#revision = revision;
    if (claimed && target > 0) await this.#calls.compact(target);
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(this.#intervalMs, () => {
      // etcd is unreachable, or another server has already compacted: retry in the next interval.
      void this.step()
        .catch(() => undefined)
        .then(() => {
          if (!this.#stopped) this.#schedule();
        });
    });
  }
}
