import type { RequestInfo, ResourceRequestInfo } from "../contract/request-info.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { Clock } from "../lib/clock.ts";
import type { FlowMetrics, FlowRefusal, LevelFigures } from "../metrics/flow-metrics.ts";
import type { TimedValue } from "../metrics/timing-histogram.ts";
import { allocateSeats, divideSeats } from "./allocate-seats.ts";
import {
  type FlowSchemaObject,
  MANDATORY_LEVELS,
  MANDATORY_SCHEMAS,
  type PriorityLevelObject,
} from "./configuration.ts";
import { estimateWork, ONE_SEAT, type WorkFacts } from "./estimate-work.ts";
import { FlowRequest, type Scheduler } from "./flow-request.ts";
import { comparePrecedence, createFlowSchema, type FlowSchema } from "./flow-schema.ts";
import { readLevelConfig } from "./level-config.ts";
import { flowOf } from "./match-requests.ts";
import { PriorityLevel } from "./priority-level.ts";
import type { SeatRequest } from "./request-queue.ts";
import { WatchCounts } from "./watch-counts.ts";

export interface FairnessParts {
  /** Number of seats of the whole server. */
  readonly seats: number;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Runs a function in the next turn of the event loop. */
  readonly nextTurn: (turn: () => void) => void;
  readonly metrics: FlowMetrics;
  readonly facts: Pick<WorkFacts, "objectCount" | "streamsLists">;
}

/**
 * Limit on the requests started in one turn of the event loop: a read costs its seats, and three writes fill a turn. Requests that arrive together
 * wait for the next turns, in fair order. Otherwise a turn would last as long as all of them, and a request of another client that arrives meanwhile
 * would wait for all of them.
 */
const TURN_COSTS = 5;
/** Extended limit for the first request of a flow in a turn. Such a request would be among the first of the next turn. */
const FULL_TURN_COSTS = 8;
const WRITE_COST = TURN_COSTS / 3;
const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const ADJUSTMENT_MS = 10_000;

/** Classifies requests, and decides when each is started: see README.md. */
export class Fairness implements Scheduler {
  readonly watchCounts = new WatchCounts();
  readonly #parts: FairnessParts;
  readonly #facts: WorkFacts;
  readonly #kinds: Readonly<Record<"reads" | "writes", KindMeters>>;
  #schemas: readonly FlowSchema[] = [];
  #levels = new Map<string, PriorityLevel>();
  #fairFraction = 0;
  /** Virtual time of the levels. */
  #levelTime = 0;
  #waiting = 0;
  #spent = 0;
  #isTurnAsked = false;
  #turns = 0;
  #stopAdjusting: (() => void) | undefined;

  constructor(parts: FairnessParts) {
    this.#parts = parts;
    this.#facts = {
      objectCount: (info) => parts.facts.objectCount(info),
      watchCount: (info) => this.watchCounts.concernedBy(info),
      streamsLists: parts.facts.streamsLists,
    };
    this.#kinds = {
      reads: createKindMeters(parts.metrics, "readOnly"),
      writes: createKindMeters(parts.metrics, "mutating"),
    };
    this.configure([], []);
  }

  /** Adjusts lending and borrowing between levels every ten seconds, until the returned function is called. */
  run(): () => void {
    const adjustLater = (): void => {
      this.#stopAdjusting = this.#parts.clock.after(ADJUSTMENT_MS, () => {
        this.adjust();
        adjustLater();
      });
    };
    adjustLater();
    return () => this.#stopAdjusting?.();
  }

  /** Applies a new configuration. Waiting requests remain in their queues. */
  configure(levelObjects: readonly PriorityLevelObject[], schemaObjects: readonly FlowSchemaObject[]): void {
    const now = this.#parts.monotonic();
    const levels = new Map<string, PriorityLevel>();
    for (const object of [...levelObjects, ...MANDATORY_LEVELS]) {
      const config = readLevelConfig(object);
      if (config === undefined || levels.has(config.name)) continue;
      const known = this.#levels.get(config.name);
      const level = known ?? new PriorityLevel(config, this.#parts.metrics.levelMetersOf(config.name), now);
      level.configure(config);
      level.quiescing = false;
      levels.set(config.name, level);
    }
    const schemas: FlowSchema[] = [];
    const names = new Set<string>();
    for (const object of [...schemaObjects, ...MANDATORY_SCHEMAS]) {
      const level = levels.get(object.spec?.priorityLevelConfiguration?.name ?? "");
      if (level === undefined || names.has(object.metadata.name ?? "")) continue;
      names.add(object.metadata.name ?? "");
      schemas.push(createFlowSchema(object, level, this.#parts));
    }
    for (const [name, level] of this.#levels) {
      if (levels.has(name) || level.isIdle) continue;
      level.quiescing = true;
      levels.set(name, level);
    }
    this.#schemas = schemas.sort(comparePrecedence);
    this.#levels = levels;
    this.#parts.metrics.retain(
      new Set(levels.keys()),
      schemas.map(({ name, level }) => ({ name, level: level.config.name })),
    );
    this.#divide();
    this.adjust();
  }

  #divide(): void {
    const levels = [...this.#levels.values()];
    const divided = divideSeats(
      levels.map(({ config }) => config),
      this.#parts.seats,
    );
    for (const [index, limits] of divided.entries()) {
      const level = levels[index];
      if (level === undefined) continue;
      const isNew = level.limits.nominal === 0 && level.current === 0;
      level.limits = limits;
      if (isNew) level.current = limits.initial;
    }
  }

  /** Lends and borrows seats according to the demand since the last adjustment. */
  adjust(): void {
    const now = this.#parts.monotonic();
    const levels = [...this.#levels.values()];
    for (const { demand } of levels) demand.endPeriod(now);
    const { seats, targets, fairFraction } = allocateSeats(
      levels.map(({ limits, config, demand }) => ({
        ...limits,
        isExempt: config.isExempt,
        highest: demand.highest,
        smoothed: demand.smoothed,
      })),
    );
    this.#fairFraction = fairFraction;
    for (const [index, level] of levels.entries()) {
      level.current = seats[index] ?? 0;
      level.target = targets[index] ?? level.current;
    }
    this.#dispatch();
  }

  /** Returns the first schema that matches a request. Every request matches one. */
  classify(info: RequestInfo, user: UserInfo): FlowSchema {
    for (const schema of this.#schemas) if (schema.matches(info, user)) return schema;
    return this.#schemas.find(({ name }) => name === "catch-all") as FlowSchema;
  }

  /** Classifies a request, and starts, queues or rejects it: see `phase` and `refused`. */
  enter(info: RequestInfo, user: UserInfo): FlowRequest {
    const schema = this.classify(info, user);
    const { level, meters } = schema;
    const work = level.config.isExempt ? ONE_SEAT : estimateWork(info, level.maxSeats, this.#facts);
    if (info.isResource && !level.config.isExempt && !isRead(info)) {
      meters.watches.observe(this.watchCounts.concernedBy(info));
    }
    const { dealer } = schema;
    const flow = dealer === undefined ? "" : flowOf(schema.distinguisher, info, user);
    const request = new FlowRequest(this, { schema, flow, dealt: dealer?.flowOf(flow), work, info, user });
    meters.estimatedSeats.observe(request.seats);
    this.admit(request);
    return request;
  }

  /** Counts a watch in the estimates of writes, until the returned function is called. */
  countWatch(info: ResourceRequestInfo): () => void {
    return this.watchCounts.add(info);
  }

  admit(request: FlowRequest): void {
    const { level, schema, dealt } = request;
    const now = this.#parts.monotonic();
    request.arrived = now;
    request.refused = undefined;
    if (level.config.isExempt) {
      this.#start(request, level, now);
      return;
    }
    level.assign(request, dealt?.hand);
    const isNext = level.waiting === 0 ? this.#spent < TURN_COSTS : this.#overtakes(request);
    if (isNext && level.fits(request.seats)) {
      schema.meters.queueLength.observe(0);
      this.#start(request, level, now);
      return;
    }
    const refusal = level.refusalOf(request);
    if (refusal === undefined) this.#enqueue(request, now);
    else this.#refuse(request, refusal, now);
  }

  /** Whether a request may start although others wait for their turn: its flow has started none in this turn, and there are plenty of seats. */
  #overtakes({ dealt, level }: FlowRequest): boolean {
    if (dealt === undefined || dealt.turn === this.#turns || !dealt.backlog.isEmpty) return false;
    return this.#spent < FULL_TURN_COSTS && level.hasAmpleSeats;
  }

  resume(request: FlowRequest): void {
    const { level, dealt } = request;
    const now = this.#parts.monotonic();
    if (!level.config.isExempt) level.assign(request, dealt?.hand);
    this.#start(request, level, now);
  }

  #refuse(request: FlowRequest, reason: FlowRefusal, now: number): void {
    const { level, schema } = request;
    request.phase = "idle";
    request.refused = reason;
    level.rejected += 1;
    schema.meters.refused(reason);
    schema.meters.waitedInVain.observe((now - request.arrived) / 1000);
  }

  #enqueue(request: FlowRequest, now: number): void {
    const { level, schema, seats } = request;
    if (level.waiting === 0 && level.tag < this.#levelTime) level.tag = this.#levelTime;
    level.enqueue(request, now);
    this.#waiting += 1;
    request.dealt?.backlog.grow();
    schema.meters.waiting.value += 1;
    schema.meters.waitingSeats.value += seats;
    schema.meters.queueLength.observe(request.queue?.waiting.length ?? 0);
    this.#kindOf(request).wait(1, this.#parts.seats, now);
    this.#dispatch();
  }

  /**
   * Starts waiting requests while seats and the turn permit. The next one belongs to the level that has received the least work in relation to its
   * seats.
   */
  #dispatch(): void {
    if (this.#waiting === 0 || this.#spent >= TURN_COSTS) return;
    const now = this.#parts.monotonic();
    while (this.#waiting > 0 && this.#spent < TURN_COSTS) {
      let next: { readonly level: PriorityLevel; readonly request: SeatRequest } | undefined;
      for (const level of this.#levels.values()) {
        if (level.waiting === 0 || (next !== undefined && next.level.tag <= level.tag)) continue;
        const request = level.peek();
        if (request === undefined) continue;
        if (level.fits(request.seats)) next = { level, request };
        else request.schema.meters.notAccommodated.value += 1;
      }
      if (next === undefined) return;
      this.#leaveQueue(next.request, now);
      this.#start(next.request, next.level, now);
      next.request.tell(true);
    }
  }

  #leaveQueue(request: SeatRequest, now: number): void {
    const { schema, seats } = request;
    this.#waiting -= 1;
    request.dealt?.backlog.shrink();
    schema.meters.waiting.value -= 1;
    schema.meters.waitingSeats.value -= seats;
    this.#kindOf(request).wait(-1, this.#parts.seats, now);
  }

  #start(request: SeatRequest, level: PriorityLevel, now: number): void {
    const { schema, seats, info } = request;
    const { meters } = schema;
    const isFirst = request.started === 0;
    level.start(request, now);
    if (isFirst) {
      level.dispatched += 1;
      meters.dispatched.value += 1;
      if (!level.config.isExempt) meters.waited.observe((now - request.arrived) / 1000);
    }
    meters.executing.value += 1;
    meters.executingSeats.value += seats;
    this.#kindOf(request).execute(1, this.#parts.seats, now);
    if (level.config.isExempt) return;
    if (request.dealt !== undefined) request.dealt.turn = this.#turns;
    if (level.tag > this.#levelTime) this.#levelTime = level.tag;
    else level.tag = this.#levelTime;
    level.tag += seats / Math.max(1, level.current);
    this.#spent += READS.has(info.method) ? request.work.seats : WRITE_COST;
    if (this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    this.#parts.nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isTurnAsked = false;
    this.#spent = 0;
    this.#turns += 1;
    this.#dispatch();
  }

  remove(request: FlowRequest): void {
    const now = this.#parts.monotonic();
    const { level, schema } = request;
    level.remove(request, now);
    this.#leaveQueue(request, now);
    level.rejected += 1;
    level.timedOut += 1;
    schema.meters.refused("time-out");
    schema.meters.waitedInVain.observe((now - request.arrived) / 1000);
    this.#forget(level);
    this.#dispatch();
  }

  finish(request: FlowRequest, isOver: boolean): void {
    const now = this.#parts.monotonic();
    const { level, schema, work, info } = request;
    const { meters } = schema;
    level.finish(request, now);
    meters.executing.value -= 1;
    if (isOver) (info.verb === "watch" ? meters.watchStarted : meters.executed).observe((now - request.started) / 1000);
    this.#kindOf(request).execute(-1, this.#parts.seats, now);
    if (isOver && work.lingerMs > 0) {
      this.#parts.clock.after(work.lingerMs, () => this.#leave(request, this.#parts.monotonic()));
    } else {
      this.#leave(request, now);
    }
  }

  #leave(request: FlowRequest, now: number): void {
    const { level, schema, seats } = request;
    level.leave(request, now);
    schema.meters.executingSeats.value -= seats;
    this.#forget(level);
    this.#dispatch();
  }

  /** Removes a deleted level after its last request. */
  #forget(level: PriorityLevel): void {
    if (!level.quiescing || !level.isIdle) return;
    this.#levels.delete(level.config.name);
    this.#divide();
  }

  #kindOf({ info }: SeatRequest): KindMeters {
    return isRead(info) ? this.#kinds.reads : this.#kinds.writes;
  }

  /** All levels, for the debug pages. */
  get levels(): readonly PriorityLevel[] {
    return [...this.#levels.values()];
  }

  /** Updates the metrics of the levels. */
  collect(): void {
    this.#parts.metrics.collect(this.levels.map(figuresOf), this.#fairFraction);
  }
}

function isRead(info: RequestInfo): boolean {
  return READS.has(info.method);
}

interface KindMeters {
  wait(change: 1 | -1, limit: number, now: number): void;
  execute(change: 1 | -1, limit: number, now: number): void;
}

function createKindMeters(metrics: FlowMetrics, kind: "readOnly" | "mutating"): KindMeters {
  const counted = (meter: TimedValue) => {
    let count = 0;
    return (change: 1 | -1, limit: number, now: number): void => {
      count += change;
      meter.set(count / limit, now);
    };
  };
  return {
    wait: counted(metrics.kindMeterOf("waiting", kind)),
    execute: counted(metrics.kindMeterOf("executing", kind)),
  };
}

const SECOND_MS = 1000;

function figuresOf(level: PriorityLevel): LevelFigures {
  const waiting = level.queues.filter((queue) => queue.waiting.length > 0);
  const boundsOf = (values: readonly number[]) => ({
    min: values.length === 0 ? 0 : Math.min(...values) / SECOND_MS,
    max: values.length === 0 ? 0 : Math.max(...values) / SECOND_MS,
  });
  return {
    name: level.config.name,
    ...level.limits,
    current: level.current,
    target: level.target,
    demand: level.demand,
    virtualTime: level.virtualTime / SECOND_MS,
    latestStart: level.latestStart / SECOND_MS,
    starts: boundsOf(waiting.map(({ tag }) => tag)),
    discountedStarts: boundsOf(waiting.map(({ tag, seatsInUse }) => tag - seatsInUse * level.estimateMs)),
  };
}
