import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";

/** Something that keeps watch over objects and acts on what it sees, until it is stopped. */
export interface Controller {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when everything seen so far has been acted upon; what was put off does not count. */
  settled(): Promise<void>;
}

/** What controllers are handed. */
export interface ControllerParts {
  readonly naming: Naming;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly feed: ObjectFeed;
  readonly now: () => Date;
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onProblem?: (controller: string, key: string, problem: unknown) => void;
}
