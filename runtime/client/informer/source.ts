import type { BookmarkEvent } from "../watch-events.ts";

/** An event of a watch. Its object is reduced to the parts that the informer keeps. */
export type SourceEvent<O> = { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: O } | BookmarkEvent;

export interface SourceWatch<O> {
  readonly resourceVersion: string;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number;
  /** Returns the object that the informer holds: reading its next version is cheaper with it. */
  readonly known?: (namespace: string, name: string) => O | undefined;
  readonly signal: AbortSignal;
}

export type TakeEvents<O> = (events: readonly SourceEvent<O>[]) => void | Promise<void>;

/** Provides the objects of an informer. */
export interface InformerSource<O> {
  list(page: { readonly limit: number; readonly continue: string; readonly signal: AbortSignal }): Promise<{
    readonly items: readonly O[];
    readonly resourceVersion: string;
    readonly continue: string;
  }>;
  /**
   * Calls `take` with the events of a watch; events that arrived together are passed together. If `take` returns a promise, reading continues when it
   * is resolved. Resolves when the server ends the watch.
   */
  watch(options: SourceWatch<O>, take: TakeEvents<O>): Promise<void>;
  /** To be called when the informer no longer holds an object. Others may still hold and read it. */
  release?(object: O): void;
}
