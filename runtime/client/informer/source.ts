import type { BookmarkEvent } from "../watch-events.ts";

/** An event of a watch, with objects as the informer keeps them. */
export type SourceEvent<O> = { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: O } | BookmarkEvent;

export interface SourceWatch<O> {
  readonly resourceVersion: string;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number;
  /** The object that the informer holds: changes of it are read with less work. */
  readonly known?: (namespace: string, name: string) => O | undefined;
  readonly signal: AbortSignal;
}

export type TakeEvents<O> = (events: readonly SourceEvent<O>[]) => void | Promise<void>;

/** Where the objects of an informer come from. */
export interface InformerSource<O> {
  list(page: { readonly limit: number; readonly continue: string; readonly signal: AbortSignal }): Promise<{
    readonly items: readonly O[];
    readonly resourceVersion: string;
    readonly continue: string;
  }>;
  /**
   * Calls `take` with the events of a watch, as many at a time as arrived together. No more are read while a promise that it returned is
   * pending. Resolves when the server ends the watch.
   */
  watch(options: SourceWatch<O>, take: TakeEvents<O>): Promise<void>;
  /** The informer does not hold this object any more. Others may, and can read it. */
  release?(object: O): void;
}
