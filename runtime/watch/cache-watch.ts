import type { WatchNotice } from "./watch-event.ts";

/** Why a watch is over. The client may resume from the last revision it saw unless `error` says otherwise. */
export interface WatchEnd {
  readonly reason: "closed" | "timeout" | "overflow" | "reset" | "error";
  /** For `error`: what to tell the client in an ERROR event. */
  readonly error?: Error;
}

/**
 * One open watch, read by its owner when it can write: `onReadable` signals that something may be read, `read` takes it.
 * What is not read is buffered up to a limit; past it this watch alone ends with `overflow`.
 */
export interface CacheWatch extends AsyncIterable<readonly WatchNotice[]> {
  /**
   * Takes at most `limit` notices, in order, and none after those whose objects have `bytes` together; empty when there is
   * nothing to read now. A call means that the notices of the call before have been sent.
   */
  read(limit?: number, bytes?: number): readonly WatchNotice[];
  /** How many live notices wait to be read. */
  readonly waiting: number;
  /** Called whenever there is something to read or the watch has ended. Replaces the former listener. */
  onReadable(listener: () => void): void;
  /**
   * Set once the watch is over. What was buffered before may still be read, except after `closed` and `overflow`. A watch that waits for the
   * objects of its initial list is over when they are read: a client whose timeouts are shorter than that would never get all of them.
   */
  readonly ended: WatchEnd | undefined;
  close(): void;
}
