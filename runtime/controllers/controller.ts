import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";

/** Watches objects and acts on their changes until it is stopped. */
export interface Controller {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when all changes so far have been processed; delayed work does not count. */
  settled(): Promise<void>;
}

/** Dependencies of controllers. */
export interface ControllerParts {
  readonly naming: Naming;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly feed: ObjectFeed;
  readonly now: () => Date;
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onProblem?: (controller: string, key: string, problem: unknown) => void;
}
