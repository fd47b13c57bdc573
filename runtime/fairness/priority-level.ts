import type { LevelMeters } from "../metrics/flow-metrics.ts";
import type { LevelConfig } from "./level-config.ts";
import { RequestQueue, type SeatRequest } from "./request-queue.ts";
import { SeatDemand } from "./seat-demand.ts";

/** Estimated duration of the first requests. Later estimates follow the actual durations. */
const FIRST_ESTIMATE_MS = 3;
/** Weight of each request in the estimate (exponential smoothing). */
const LEARNING = 1 / 32;
/** Factor by which a queue may exceed its limit while seats are free: its requests wait only for the next turns of the event loop. */
const BURST = 8;
/** Maximum fraction of the nominal seats for a single request. */
const REQUEST_PART = 0.15;

/** Number of seats of a level, and its bounds. */
export interface LevelLimits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

/** A priority level: its seats, and queues for requests that wait for seats. Bookkeeping only: it starts nothing by itself. */
export class PriorityLevel {
  config: LevelConfig;
  limits: LevelLimits = { nominal: 0, lower: 0, upper: 0 };
  /** Current number of seats: including borrowed and excluding lent ones. */
  current = 0;
  target = 0;
  readonly demand: SeatDemand;
  /** Whether the level was deleted; it is kept until its last request is over. */
  quiescing = false;
  waiting = 0;
  executing = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  /** Received work in relation to its seats: the level with the lowest value is next. */
  tag = 0;
  /** Tag of the queue that was last served. */
  latestStart = 0;
  readonly executingRequests = new Set<SeatRequest>();
  readonly #meters: LevelMeters;
  #queues: RequestQueue[] = [];
  /** Queues with waiting requests, in no order. */
  readonly #busy: RequestQueue[] = [];
  /** Index after which the next search starts, so that queues with the same tag take turns. */
  #last = 0;
  #enqueued = 0;
  #estimateMs = FIRST_ESTIMATE_MS;

  constructor(config: LevelConfig, meters: LevelMeters, now: number) {
    this.config = config;
    this.#meters = meters;
    this.demand = new SeatDemand(now);
    this.configure(config);
  }

  /** Applies a configuration. Queues are added immediately, and removed when they are empty. */
  configure(config: LevelConfig): void {
    this.config = config;
    const wanted = Math.max(1, config.queues);
    while (this.#queues.length < wanted) this.#queues.push(new RequestQueue(this.#queues.length));
    this.#removeSpareQueues();
  }

  get queues(): readonly RequestQueue[] {
    return this.#queues;
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing === 0 && this.seatsInUse === 0;
  }

  /** Estimated duration of a request in milliseconds. */
  get estimateMs(): number {
    return this.#estimateMs;
  }

  /** Maximum seats of one request; 0 for no limit beyond the general one. */
  get maxSeats(): number {
    const { queues, handSize } = this.config;
    if (queues === 0) return 0;
    const { nominal } = this.limits;
    return Math.max(1, Math.min(Math.ceil(nominal * REQUEST_PART), Math.floor(nominal / handSize)));
  }

  /** Virtual time: the initial tag of a queue that becomes busy. */
  get virtualTime(): number {
    if (this.waiting === 0) return this.latestStart;
    let lowest = Number.POSITIVE_INFINITY;
    for (const { tag } of this.#busy) if (tag < lowest) lowest = tag;
    return lowest;
  }

  /** Whether at least half of the seats are free. */
  get hasAmpleSeats(): boolean {
    return this.seatsInUse * 2 <= this.current;
  }

  /**
   * Whether this many seats are free. A request that needs more seats than the level has is started when no other runs; if the level has no seats, it
   * is not started.
   */
  fits(seats: number): boolean {
    if (this.config.isExempt) return true;
    if (seats > this.current) return this.current > 0 && this.executing === 0 && this.seatsInUse === 0;
    return this.seatsInUse + seats <= this.current;
  }

  /**
   * Assigns the request to the queue of the hand with the least waiting work. Among equal ones, chooses the queue with the fewest started requests:
   * their actual durations are not known yet, and the request would have to wait for all of them.
   */
  assign(request: SeatRequest, hand: readonly number[] | undefined): void {
    const queue = this.#choose(hand);
    const { virtualTime } = this;
    if (queue.isIdle) queue.tag = virtualTime;
    request.queue = queue;
    request.arrivalTag = virtualTime;
  }

  #choose(hand: readonly number[] | undefined): RequestQueue {
    const [first] = this.#queues as [RequestQueue];
    if (hand === undefined) return first;
    const offset = this.#enqueued++ % hand.length;
    let best: RequestQueue = first;
    let leastWork = Number.POSITIVE_INFINITY;
    let fewest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < hand.length; index++) {
      const queue = this.#queues[hand[(offset + index) % hand.length] ?? 0] ?? first;
      const { waitingWork, executing } = queue;
      if (waitingWork > leastWork || (waitingWork === leastWork && executing >= fewest)) continue;
      best = queue;
      leastWork = waitingWork;
      fewest = executing;
    }
    return best;
  }

  /** Why the request can be neither started nor queued; undefined if it can be queued. */
  refusalOf(request: SeatRequest): "queue-full" | "concurrency-limit" | undefined {
    const { queues, queueLengthLimit } = this.config;
    if (queues > 0) {
      const length = request.queue?.waiting.length ?? 0;
      if (length < queueLengthLimit) return undefined;
      const isBusy = this.seatsInUse >= this.current || length >= queueLengthLimit * BURST;
      return isBusy ? "queue-full" : undefined;
    }
    const needed = this.seatsInUse + this.seatsWaiting + request.seats;
    const isAlone = this.current > 0 && this.executing === 0 && this.waiting === 0;
    return needed <= this.current || isAlone ? undefined : "concurrency-limit";
  }

  enqueue(request: SeatRequest, now: number): void {
    const { queue } = request;
    if (queue === undefined) return;
    request.phase = "waiting";
    request.estimatedMs = this.#estimateMs;
    if (queue.waiting.push(request) === 1) this.#busy.push(queue);
    queue.waitingWork += workOf(request);
    queue.boundTag();
    this.waiting += 1;
    this.seatsWaiting += request.seats;
    this.#changed(now);
  }

  /** Removes a waiting request from its queue. */
  remove(request: SeatRequest, now: number): void {
    if (request.phase !== "waiting") return;
    this.#take(request);
    request.phase = "idle";
    request.queue?.boundTag();
    this.#changed(now);
    this.#removeSpareQueues();
  }

  #take(request: SeatRequest): void {
    const { queue, seats } = request;
    if (queue === undefined) return;
    const index = queue.waiting.indexOf(request);
    if (index === 0) queue.waiting.shift();
    else queue.waiting.splice(index, 1);
    if (queue.waiting.length > 0) {
      queue.waitingWork -= workOf(request);
    } else {
      queue.waitingWork = 0;
      this.#busy.splice(this.#busy.indexOf(queue), 1);
    }
    this.waiting -= 1;
    this.seatsWaiting -= seats;
  }

  /** Returns the request to start next, if any waits: the first of the queue with the lowest tag. Queues with equal tags take turns. */
  peek(): SeatRequest | undefined {
    let best: RequestQueue | undefined;
    for (const queue of this.#busy) {
      if (best === undefined || queue.tag < best.tag) best = queue;
      else if (queue.tag === best.tag && this.#stepsTo(queue) < this.#stepsTo(best)) best = queue;
    }
    return best?.waiting[0];
  }

  /** Whether requests wait for seats, and not only for their turn of the event loop. */
  get #lacksSeats(): boolean {
    const next = this.peek();
    return next !== undefined && !this.fits(next.seats);
  }

  #stepsTo({ index }: RequestQueue): number {
    return index > this.#last ? index - this.#last : index - this.#last + this.#queues.length;
  }

  /** Starts a request that waits in its queue or has just arrived. */
  start(request: SeatRequest, now: number): void {
    const { queue, seats } = request;
    if (request.phase === "waiting") this.#take(request);
    request.phase = "executing";
    request.estimatedMs = this.#estimateMs;
    request.started = now;
    this.executing += 1;
    this.seatsInUse += seats;
    this.executingRequests.add(request);
    if (queue !== undefined) {
      this.#last = queue.index;
      this.latestStart = queue.tag;
      queue.tag += workOf(request);
      queue.executing += 1;
      queue.seatsInUse += seats;
      queue.boundTag();
    }
    this.#changed(now);
  }

  /** Ends a started request. `leave` releases its seats, maybe later. */
  finish(request: SeatRequest, now: number): void {
    request.phase = "idle";
    this.executing -= 1;
    this.executingRequests.delete(request);
    const { queue } = request;
    if (queue !== undefined) {
      const took = now - request.started;
      queue.executing -= 1;
      // While seats are free, a request that waits for a disk or a webhook does not delay others.
      if (this.#lacksSeats) queue.tag += request.work.seats * (took - request.estimatedMs);
      queue.boundTag();
      this.#estimateMs += (took - this.#estimateMs) * LEARNING;
    }
  }

  /** Releases the seats of a request that has finished. */
  leave(request: SeatRequest, now: number): void {
    this.seatsInUse -= request.seats;
    if (request.queue !== undefined) request.queue.seatsInUse -= request.seats;
    this.#changed(now);
    this.#removeSpareQueues();
  }

  /** To be called after seats or limits have changed. */
  #changed(now: number): void {
    const demand = this.seatsInUse + this.seatsWaiting;
    const meters = this.#meters;
    this.demand.set(demand, now);
    const limit = Math.max(1, this.current);
    meters.seats.set(this.seatsInUse / limit, now);
    meters.executing.set(this.executing / limit, now);
    meters.waiting.set(this.waiting / Math.max(1, this.config.queues * this.config.queueLengthLimit), now);
    meters.demand.set(demand / Math.max(1, this.limits.nominal), now);
  }

  #removeSpareQueues(): void {
    const wanted = Math.max(1, this.config.queues);
    if (this.#queues.length === wanted) return;
    // Requests keep a reference to their queue: it is only removed from the list.
    while (this.#queues.length > wanted && this.#queues.at(-1)?.isIdle) this.#queues.pop();
  }
}

/** Returns the estimated work of a request, in seat milliseconds. */
function workOf({ work: { seats, finalSeats, lingerMs }, estimatedMs }: SeatRequest): number {
  return seats * estimatedMs + finalSeats * lingerMs;
}
