import type { RequestInfo } from "../contract/request-info.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { FlowMeters } from "../metrics/flow-metrics.ts";
import type { Work } from "./estimate-work.ts";
import type { Flow } from "./shuffle-shard.ts";

/** A request as its priority level sees it. */
export interface SeatRequest {
  readonly work: Work;
  /** Most seats that it occupies at a time. */
  readonly seats: number;
  phase: "new" | "waiting" | "executing" | "idle" | "over";
  /** In milliseconds of a monotonic clock; `started` is 0 before it was started. */
  arrived: number;
  started: number;
  /** Estimated duration, in milliseconds. */
  estimatedMs: number;
  /** Virtual time at its arrival. */
  arrivalTag: number;
  queue: RequestQueue | undefined;
  readonly schema: { readonly name: string; readonly meters: FlowMeters };
  /** What separates it from other requests of its schema: a user, a namespace or nothing. */
  readonly flow: string;
  /** Undefined if its level has one queue or none. */
  readonly dealt: Flow | undefined;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Tells the waiting request that it was started or refused. */
  tell(isStarted: boolean): void;
}

/**
 * A queue of one priority level. Queues are served in order of their tags: the work, in milliseconds of one seat, that a queue
 * has received since a common beginning. A tag rises by the estimated work of a request when it starts, and is corrected by
 * what the request really took when it ends. A queue that was idle begins with the lowest tag of the queues that wait: it
 * is served next, but is not repaid for the time it was idle.
 *
 * Example: queues a and b wait, with tags 10 and 12. Requests take 3. a starts (13), b starts (15); a queue c that becomes
 * busy now begins with 13.
 */
export class RequestQueue {
  index: number;
  tag = 0;
  readonly waiting: SeatRequest[] = [];
  /** Started requests. */
  executing = 0;
  seatsInUse = 0;
  /** Estimated work of the waiting requests, in milliseconds of one seat. */
  waitingWork = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isIdle(): boolean {
    return this.waiting.length === 0 && this.executing === 0;
  }

  /** A queue is not served for time before its first request arrived. */
  boundTag(): void {
    const [first] = this.waiting;
    if (first !== undefined && this.tag < first.arrivalTag) this.tag = first.arrivalTag;
  }
}
