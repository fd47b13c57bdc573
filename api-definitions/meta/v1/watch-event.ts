import { kind, type RawObject } from "../../vocabulary.ts";

export interface WatchEvent {
  type: string;
  object: RawObject;
}

export const watchEvent = kind<WatchEvent>({ unserved: true });
