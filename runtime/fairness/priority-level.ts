import type { LevelMeters } from "../metrics/flow-metrics.ts";
import type { LevelConfig } from "./level-config.ts";
import { RequestQueue, type SeatRequest } from "./request-queue.ts";
import { SeatDemand } from "./seat-demand.ts";

/** Estimated duration of the first requests; then that of the latest ones. */
const FIRST_ESTIMATE_MS = 3;
/** Part of the difference by which each request changes the estimate. */
const LEARNING = 1 / 32;
/** How many times its limit a queue may be long while seats are free: its requests wait only for the next turns of the event loop. */
const BURST = 8;
/** Part of the nominal seats that a single request may take. */
const REQUEST_PART = 0.15;

/** How many seats a level has. */
export interface LevelLimits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

/** A priority level: seats, and queues for the requests that have none yet. Pure bookkeeping: it starts nothing by itself. */
export class PriorityLevel {
  config: LevelConfig;
  limits: LevelLimits = { nominal: 0, lower: 0, upper: 0 };
  /** Seats that it has now, with what it borrowed and without what it lent. */
  current = 0;
  target = 0;
  readonly demand: SeatDemand;
  /** Deleted, and kept until its last request is over. */
  quiescing = false;
  waiting = 0;
  executing = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  /** Work that it received in relation to its seats: levels take turns by it. */
  tag = 0;
  /** Tag of the queue that was served last. */
  latestStart = 0;
  readonly executingRequests = new Set<SeatRequest>();
  readonly #meters: LevelMeters;
  #queues: RequestQueue[] = [];
  /** Queues in which requests wait, in no order. */
  readonly #busy: RequestQueue[] = [];
  /** Where the next search begins: queues with the same tag take turns. */
  #last = 0;
  #enqueued = 0;
  #estimateMs = FIRST_ESTIMATE_MS;

  constructor(config: LevelConfig, meters: LevelMeters, now: number) {
    this.config = config;
    this.#meters = meters;
    this.demand = new SeatDemand(now);
    this.configure(config);
  }

  /** Queues are added at once, and removed when they are empty. */
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

  /** Estimated duration of a request. */
  get estimateMs(): number {
    return this.#estimateMs;
  }

  /** Most seats that one request may take; 0 for no limit but the general one. */
  get maxSeats(): number {
    const { queues, handSize } = this.config;
    if (queues === 0) return 0;
    const { nominal } = this.limits;
    return Math.max(1, Math.min(Math.ceil(nominal * REQUEST_PART), Math.floor(nominal / handSize)));
  }

  /** Virtual time: what a queue that becomes busy begins with. */
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

  /** Whether so many seats are free. A request that needs more than there are is started when no other is; without seats, none is. */
  fits(seats: number): boolean {
    if (this.config.isExempt) return true;
    if (seats > this.current) return this.current > 0 && this.executing === 0 && this.seatsInUse === 0;
    return this.seatsInUse + seats <= this.current;
  }

  /**
   * Chooses the queue of the hand with the least waiting work; of several, the one with the fewest started requests: what those
   * take is not known yet, and the request would have to wait for all of it.
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

  /** Takes a waiting request out of its queue. */
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

  /** The next request that is to be started, if any waits: the first of the queue with the lowest tag; of several, of the next one. */
  peek(): SeatRequest | undefined {
    let best: RequestQueue | undefined;
    for (const queue of this.#busy) {
      if (best === undefined || queue.tag < best.tag) best = queue;
      else if (queue.tag === best.tag && this.#stepsTo(queue) < this.#stepsTo(best)) best = queue;
    }
    return best?.waiting[0];
  }

  /** Whether requests wait for seats, not only for their turn of the event loop. */
  get #lacksSeats(): boolean {
    const next = this.peek();
    return next !== undefined && !this.fits(next.seats);
  }

  #stepsTo({ index }: RequestQueue): number {
    return index > this.#last ? index - this.#last : index - this.#last + this.#queues.length;
  }

  /** Starts a request, from its queue or as it arrives. */
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

  /** Ends a started request. Its seats are released by `leave`, maybe later. */
  finish(request: SeatRequest, now: number): void {
    request.phase = "idle";
    this.executing -= 1;
    this.executingRequests.delete(request);
    const { queue } = request;
    if (queue !== undefined) {
      const took = now - request.started;
      queue.executing -= 1;
      // While seats are free, a request that waits for a disk or a webhook keeps nobody from anything.
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

  /** Seats or limits have changed. */
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
    // Requests hold their queue: only the list forgets it.
    while (this.#queues.length > wanted && this.#queues.at(-1)?.isIdle) this.#queues.pop();
  }
}

/** Estimated work of a request, in milliseconds of one seat. */
function workOf({ work: { seats, finalSeats, lingerMs }, estimatedMs }: SeatRequest): number {
  return seats * estimatedMs + finalSeats * lingerMs;
}
