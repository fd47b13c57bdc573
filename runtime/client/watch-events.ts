import type { Status } from "../contract/status.ts";
import { parseOwnText } from "../encoding/json/parse-own-json.ts";
import { errorOfStatus } from "./api-error.ts";
import type { Stored } from "./object-types.ts";
import { readLines } from "./read-lines.ts";

/** A change of an object. */
export interface ObjectEvent<T extends object> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Stored<T>;
}

/** Nothing changed up to this version: a later watch can begin there. */
export interface BookmarkEvent {
  readonly type: "BOOKMARK";
  readonly resourceVersion: string;
  /** All objects that existed when the watch began have been sent (`sendInitialEvents`). */
  readonly initialEventsEnd: boolean;
}

export type WatchEvent<T extends object> = ObjectEvent<T> | BookmarkEvent;

const INITIAL_END = "k8s.io/initial-events-end";

interface Frame {
  readonly type: string;
  readonly object: { readonly metadata?: { resourceVersion?: string; annotations?: Record<string, string> } };
}

/**
 * The events of a watch, as many at a time as arrived together. Throws an `ApiError` for an event of type ERROR. `read` may read an event in
 * a way of its own; it returns undefined for those that it cannot read.
 */
export async function* readEvents<T extends object>(
  body: AsyncIterable<Uint8Array>,
  read: (line: Buffer) => ObjectEvent<T> | undefined = () => undefined,
): AsyncGenerator<WatchEvent<T>[]> {
  for await (const lines of readLines(body)) {
    const events: WatchEvent<T>[] = [];
    for (const line of lines) {
      const known = read(line);
      if (known !== undefined) {
        events.push(known);
        continue;
      }
      const frame = parseOwnText(line.toString("utf8")) as Frame;
      if (frame.type === "ERROR") {
        if (events.length > 0) yield events;
        throw errorOfStatus(frame.object as unknown as Status, "watch");
      }
      events.push(frame.type === "BOOKMARK" ? bookmarkOf(frame) : (frame as unknown as ObjectEvent<T>));
    }
    yield events;
  }
}

function bookmarkOf({ object: { metadata } }: Frame): BookmarkEvent {
  return {
    type: "BOOKMARK",
    resourceVersion: metadata?.resourceVersion ?? "",
    initialEventsEnd: metadata?.annotations?.[INITIAL_END] === "true",
  };
}
