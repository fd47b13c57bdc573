import type { RequestInfo } from "../contract/request-info.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { FlowRefusal } from "../metrics/flow-metrics.ts";
import type { Work } from "./estimate-work.ts";
import type { FlowSchema } from "./flow-schema.ts";
import type { PriorityLevel } from "./priority-level.ts";
import type { RequestQueue, SeatRequest } from "./request-queue.ts";
import type { Flow } from "./shuffle-shard.ts";

/** Starts, queues and ends requests. */
export interface Scheduler {
  /** Starts, queues or rejects a request. */
  admit(request: FlowRequest): void;
  /** Restarts a request without waiting, even beyond the limits. */
  resume(request: FlowRequest): void;
  /** Releases the seats of a request. If it is over, its final seats are held for a while. */
  finish(request: FlowRequest, isOver: boolean): void;
  /** Removes a request from its queue. */
  remove(request: FlowRequest): void;
}

/**
 * One request from its classification to its end. It occupies its seats while its phase is `executing`, and may release them while it waits for its
 * client.
 */
export class FlowRequest implements SeatRequest {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  readonly flow: string;
  readonly dealt: Flow | undefined;
  readonly work: Work;
  readonly seats: number;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  phase: SeatRequest["phase"] = "new";
  /** Why the request was rejected; undefined if it was not. */
  refused: FlowRefusal | undefined;
  arrived = 0;
  started = 0;
  estimatedMs = 0;
  arrivalTag = 0;
  queue: RequestQueue | undefined;
  readonly #scheduler: Scheduler;
  #decide: ((isStarted: boolean) => void) | undefined;

  constructor(
    scheduler: Scheduler,
    {
      schema,
      flow,
      dealt,
      work,
      info,
      user,
    }: Pick<FlowRequest, "schema" | "flow" | "dealt" | "work" | "info" | "user">,
  ) {
    this.#scheduler = scheduler;
    this.schema = schema;
    this.level = schema.level;
    this.flow = flow;
    this.dealt = dealt;
    this.work = work;
    this.seats = Math.max(work.seats, work.finalSeats);
    this.info = info;
    this.user = user;
  }

  /** For a waiting request: resolves when it is started (true) or rejected (false). */
  decided(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#decide = resolve;
    });
  }

  tell(isStarted: boolean): void {
    const decide = this.#decide;
    this.#decide = undefined;
    decide?.(isStarted);
  }

  /** Rejects a request that has waited too long, or whose client has disconnected. */
  giveUp(): void {
    if (this.phase !== "waiting") return;
    this.#scheduler.remove(this);
    this.refused = "time-out";
    this.tell(false);
  }

  /** Releases the seats while the request waits for its client. */
  release(): void {
    if (this.phase === "executing") this.#scheduler.finish(this, false);
  }

  /** Acquires the seats again. Returns true if the request has them at once, false if it is rejected, and a promise if it is queued. */
  retake(): boolean | Promise<boolean> {
    if (this.phase === "executing") return true;
    if (this.phase === "over") return false;
    this.#scheduler.admit(this);
    return this.isWaiting ? this.decided() : this.refused === undefined;
  }

  /** Acquires the seats again without waiting: the request continues in any case. */
  resume(): void {
    if (this.phase === "idle" && this.started > 0) this.#scheduler.resume(this);
  }

  /** Whether enough requests of its flow wait, and only for the CPU: then the next request of its client need not be read yet. */
  get hasLongBacklog(): boolean {
    const { dealt, level } = this;
    return dealt?.backlog.isLong === true && level.seatsInUse < level.current;
  }

  /** Holds the connection of its client, which is not read until `read` is called. */
  holdConnection(read: () => void): void {
    this.dealt?.backlog.hold(read);
  }

  get isWaiting(): boolean {
    return this.phase === "waiting";
  }

  /** Ends the request in any phase. It does not occupy seats again. */
  end(): void {
    if (this.phase === "executing") {
      this.#scheduler.finish(this, true);
    } else if (this.phase === "waiting") {
      this.#scheduler.remove(this);
      this.tell(false);
    }
    this.phase = "over";
  }
}
