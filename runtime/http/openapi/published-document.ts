import { createHash } from "node:crypto";
import { setTimeout } from "node:timers";
import { atOnce, type Steps } from "../../lib/in-turns.ts";

/** A document that is ready to be sent, in pieces. */
export interface PublishedDocument {
  /** Uppercase hexadecimal. All forms of the document have the same hash. */
  readonly hash: string;
  json(): Promise<readonly Uint8Array[]>;
  protobuf(): Promise<readonly Uint8Array[]>;
}

export function hashOf(parts: Iterable<Uint8Array | string>): string {
  return atOnce(hashSteps(parts));
}

/** Like `hashOf`, for large input, in steps between which the caller may pause. */
export function* hashSteps(parts: Iterable<Uint8Array | string>): Steps<string> {
  const hash = createHash("sha512");
  for (const part of parts) {
    hash.update(part);
    yield;
  }
  return hash.digest("hex").toUpperCase();
}

/** A holder of bytes that can be made again. */
export interface Droppable {
  drop(): void;
}

/** A holder that was not used for this time is dropped, after at most twice this time. */
const IDLE_MS = 30_000;

/** Drops the bytes of holders that have not been used for a while. */
export class IdleMemory {
  #recent = new Set<Droppable>();
  #older = new Set<Droppable>();
  #timer: NodeJS.Timeout | undefined;

  /** Records that the bytes of a holder are being used now. */
  use(holder: Droppable): void {
    this.#recent.add(holder);
    this.#timer ??= setTimeout(() => this.#sweep(), IDLE_MS).unref();
  }

  #sweep(): void {
    for (const holder of this.#older) if (!this.#recent.has(holder)) holder.drop();
    this.#older = this.#recent;
    this.#recent = new Set();
    this.#timer = this.#older.size === 0 ? undefined : setTimeout(() => this.#sweep(), IDLE_MS).unref();
  }
}
