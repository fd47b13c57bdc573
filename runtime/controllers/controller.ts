import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { QueueObserver, WorkQueue } from "../lib/work-queue.ts";

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
  readonly metrics?: ControllerObserver | undefined;
}

/** Records metrics of controllers. */
export interface ControllerObserver {
  /** Returns the observer for the queue of a controller. */
  queue(controller: string): QueueObserver;
  /** Called when a controller that runs on one server at a time starts or stops running on this server. */
  leads(controller: string, isLeader: boolean): void;
}

/** Creates a controller whose queue is filled by watches. */
export function createQueueController(
  name: string,
  queue: WorkQueue,
  follows: readonly (() => Promise<() => void>)[],
): Controller {
  const stops: (() => void)[] = [];
  return {
    name,
    async start() {
      for (const follow of follows) stops.push(await follow());
    },
    async stop() {
      for (const stop of stops) stop();
      await queue.stop();
    },
    settled: () => queue.settled(),
  };
}

/** Returns the options for the queue of a controller. */
export function queueOptions(controller: string, parts: Pick<ControllerParts, "delay" | "onProblem" | "metrics">) {
  return {
    delay: parts.delay,
    onProblem: (key: string, problem: unknown) => parts.onProblem?.(controller, key, problem),
    observer: parts.metrics?.queue(controller),
  };
}
