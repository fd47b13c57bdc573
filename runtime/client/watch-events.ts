import type { Status } from "../contract/status.ts";
import { parseOwnText } from "../encoding/json/parse-own-json.ts";
import { errorOfStatus } from "./api-error.ts";
import type { Stored } from "./object-types.ts";
import { LineReader } from "./read-lines.ts";

/** A change of an object. */
export interface ObjectEvent<T extends object> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Stored<T>;
}

/** Nothing else changed up to this resourceVersion: a later watch can start there. */
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

/** Fast reader for events, on bytes that are valid during the call only. Returns undefined for events that it does not support. */
export type ReadEvent<T extends object> = (bytes: Buffer, from: number, to: number) => ObjectEvent<T> | undefined;

/** Reads the events of a watch from its chunks. */
export class EventReader<T extends object> {
  readonly #lines: LineReader;
  #events: WatchEvent<T>[] = [];

  constructor(read: ReadEvent<T> = () => undefined) {
    this.#lines = new LineReader((bytes, from, to) => {
      this.#events.push(read(bytes, from, to) ?? parseEvent(bytes.toString("utf8", from, to)));
    });
  }

  /** Adds the events that this chunk completes. Throws an `ApiError` for an event of type ERROR, after adding the events before it. */
  push(chunk: Uint8Array, events: WatchEvent<T>[]): void {
    this.#events = events;
    this.#lines.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
}

/** Yields the events of a watch; events that arrived together are yielded together. Throws an `ApiError` for an event of type ERROR. */
export async function* readEvents<T extends object>(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent<T>[]> {
  const reader = new EventReader<T>();
  for await (const chunk of body) {
    const events: WatchEvent<T>[] = [];
    try {
      reader.push(chunk, events);
    } catch (error) {
      yield events;
      throw error;
    }
    if (events.length > 0) yield events;
  }
}

function parseEvent<T extends object>(text: string): WatchEvent<T> {
  const frame = parseOwnText(text) as Frame | null;
  if (typeof frame?.object !== "object" || frame.object === null)
    throw new TypeError("the server sent a watch event without an object");
  if (frame.type === "ERROR") throw errorOfStatus(frame.object as unknown as Status, "watch");
  if (frame.type === "BOOKMARK") return bookmarkOf(frame);
  if (frame.type !== "ADDED" && frame.type !== "MODIFIED" && frame.type !== "DELETED")
    throw new TypeError(`the server sent a watch event of the unknown type ${JSON.stringify(frame.type)}`);
  return frame as unknown as ObjectEvent<T>;
}

function bookmarkOf({ object: { metadata } }: Frame): BookmarkEvent {
  return {
    type: "BOOKMARK",
    resourceVersion: metadata?.resourceVersion ?? "",
    initialEventsEnd: metadata?.annotations?.[INITIAL_END] === "true",
  };
}
