import { createHash } from "node:crypto";
import { atOnce, type Steps } from "../../lib/in-turns.ts";

/** A document that is sent as it is: its pieces, one after the other. */
export interface PublishedDocument {
  /** Capital hexadecimal digits; the same for all forms of the document. */
  readonly hash: string;
  json(): Promise<readonly Uint8Array[]>;
  protobuf(): Promise<readonly Uint8Array[]>;
}

export function hashOf(parts: Iterable<Uint8Array | string>): string {
  return atOnce(hashSteps(parts));
}

/** The same of much; may be interrupted after each part. */
export function* hashSteps(parts: Iterable<Uint8Array | string>): Steps<string> {
  const hash = createHash("sha512");
  for (const part of parts) {
    hash.update(part);
    yield;
  }
  return hash.digest("hex").toUpperCase();
}

/** Something that can be made again. */
export interface Droppable {
  drop(): void;
}

/** What was not used for this long is dropped, after at most twice as long. */
const IDLE_MS = 30_000;

/** Drops what can be made again when it has not been used for a while. */
export class IdleMemory {
  #recent = new Set<Droppable>();
  #older = new Set<Droppable>();
  #timer: NodeJS.Timeout | undefined;

  /** Notes that bytes are kept and used now. */
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
