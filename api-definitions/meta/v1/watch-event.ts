import { kind, type RawObject } from "../../vocabulary.ts";

/** A change, as watches send it. */
export interface WatchEvent {
  /** `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`. */
  type: string;
  /** The object after the change, or a Status for an error. */
  object: RawObject;
}

export const watchEvent = kind<WatchEvent>({ unserved: true });
