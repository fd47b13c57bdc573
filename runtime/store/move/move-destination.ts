import type { Store } from "../store.ts";
import type { MovedKey } from "./move-source.ts";

/** The destination of a move. Objects are written in the order of their last changes. */
export interface MoveDestination {
  readonly keyRoot: string;
  /** Objects whose last change in the source is at or before this revision were already written by an interrupted run. */
  readonly cursor: number;
  write(moved: MovedKey, value: Uint8Array): Promise<void>;
  /** Returns the written objects for verification. Nothing is written after this call. */
  readBack(): Promise<Store>;
  /**
   * Makes the destination usable by servers. `sameRevisions`: all objects have kept their resourceVersions. Resolves with the revision of
   * the destination.
   */
  finish(outcome: { readonly sameRevisions: boolean }): Promise<number>;
  /** Releases all resources, after `finish` or after an error. */
  close(): Promise<void>;
}
