import type { Store } from "../store.ts";
import type { MovedKey } from "./move-source.ts";

/** Where objects are moved to. Objects are written in the order of their last changes. */
export interface MoveDestination {
  readonly keyRoot: string;
  /** Objects whose last change in the source is at or before this revision are there already, from a run that was interrupted. */
  readonly cursor: number;
  write(moved: MovedKey, value: Uint8Array): Promise<void>;
  /** What was written, for reading back. Nothing is written after that. */
  readBack(): Promise<Store>;
  /** Makes it usable for servers. `sameRevisions`: all objects have the resourceVersions that they had. Resolves with the revision. */
  finish(outcome: { readonly sameRevisions: boolean }): Promise<number>;
  /** Releases everything without finishing: after an error, or after `finish`. */
  close(): Promise<void>;
}
