import type { RequestInfo } from "../contract/request-info.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { FlowMeters } from "../metrics/flow-metrics.ts";
import type { Work } from "./estimate-work.ts";
import type { Flow } from "./shuffle-shard.ts";

/** A request as seen by its priority level. */
export interface SeatRequest {
  readonly work: Work;
  /** Maximum number of seats that it occupies at the same time. */
  readonly seats: number;
  phase: "new" | "waiting" | "executing" | "idle" | "over";
  /** Milliseconds of a monotonic clock. `started` is 0 before the start. */
  arrived: number;
  started: number;
  /** Estimated duration, in milliseconds. */
  estimatedMs: number;
  /** Virtual time of its arrival. */
  arrivalTag: number;
  queue: RequestQueue | undefined;
  readonly schema: { readonly name: string; readonly meters: FlowMeters };
  /** Distinguisher from other flows of its schema: a user, a namespace or an empty string. */
  readonly flow: string;
  /** Undefined if its level has at most one queue. */
  readonly dealt: Flow | undefined;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Notifies the waiting request that it was started or rejected. */
  tell(isStarted: boolean): void;
}

/**
 * A queue of one priority level. The queue with the lowest tag is served next. A tag is the work, in seat milliseconds, that a queue has received
 * since a common start. It rises by the estimated work of a request when the request starts, and is corrected by the actual work when the request
 * ends. A queue that was idle starts with the lowest tag of the waiting queues: it is served next, but receives no compensation for its idle time.
 *
 * Example: queues a and b wait, with tags 10 and 12. Each request takes 3. a starts (13), b starts (15). A queue c that becomes busy now starts with
 * 13.
 */
export class RequestQueue {
  index: number;
  tag = 0;
  readonly waiting: SeatRequest[] = [];
  /** Number of started requests. */
  executing = 0;
  seatsInUse = 0;
  /** Estimated work of the waiting requests, in seat milliseconds. */
  waitingWork = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isIdle(): boolean {
    return this.waiting.length === 0 && this.executing === 0;
  }

  /** Raises the tag to the virtual time at which the first request arrived, so that the queue does not benefit from earlier time. */
  boundTag(): void {
    const [first] = this.waiting;
    if (first !== undefined && this.tag < first.arrivalTag) this.tag = first.arrivalTag;
  }
}
