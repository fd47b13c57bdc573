import type { WatchNotice } from "./watch-event.ts";

/** Why a watch has ended. The client may resume from the last revision it received, unless `error` says otherwise. */
export interface WatchEnd {
  readonly reason: "closed" | "timeout" | "overflow" | "reset" | "error";
  /** For the reason `error`: the error to send to the client in an ERROR event. */
  readonly error?: Error;
}

/**
 * One open watch. Its owner reads it when it can write: `onReadable` signals that notices are available, `read` returns them. Unread
 * notices are buffered up to a limit; beyond it, only this watch ends with `overflow`.
 */
export interface CacheWatch extends AsyncIterable<readonly WatchNotice[]> {
  /**
   * Returns at most `limit` notices, in order, and stops once their objects total `bytes`; empty if nothing can be read now. Calling it
   * again means that the notices of the previous call have been sent.
   */
  read(limit?: number, bytes?: number): readonly WatchNotice[];
  /** Number of live notices that wait to be read. */
  readonly waiting: number;
  /** Sets the listener that is called when notices can be read or the watch has ended. Replaces the previous one. */
  onReadable(listener: () => void): void;
  /**
   * Set once the watch has ended. Notices buffered before can still be read, except after `closed` and `overflow`. A watch that waits for
   * the objects of its initial list ends only after they are read: a client with a shorter timeout would otherwise never receive all of
   * them.
   */
  readonly ended: WatchEnd | undefined;
  close(): void;
}
