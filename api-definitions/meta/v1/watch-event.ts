import { kind, type RawObject } from "../../vocabulary.ts";

/** A change of an object, as sent in the stream of a watch. */
export interface WatchEvent {
  /** Type of the event: `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`. */
  type: string;
  /**
   * The object after the change, or its last state if it was deleted. For `BOOKMARK`, an object with only a resource
   * version; for `ERROR`, usually a `Status`.
   */
  object: RawObject;
}

export const watchEvent = kind<WatchEvent>({ unserved: true });
