import { type Distribution, Histogram, type Metric, NumberMetric } from "./metric.ts";
import { type TimedValue, TimingHistogram } from "./timing-histogram.ts";

const PREFIX = "apiserver_flowcontrol_";
const LEVEL = "priority_level";
const FLOW = [LEVEL, "flow_schema"];
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Reason for rejecting a request. */
export type FlowRefusal = "queue-full" | "concurrency-limit" | "time-out";

interface Count {
  value: number;
}

/** Metric samples for requests of one FlowSchema at its priority level, looked up once. */
export interface FlowMeters {
  readonly dispatched: Count;
  readonly waiting: Count;
  readonly waitingSeats: Count;
  readonly executing: Count;
  readonly executingSeats: Count;
  readonly notAccommodated: Count;
  readonly waited: Distribution;
  readonly waitedInVain: Distribution;
  readonly executed: Distribution;
  readonly watchStarted: Distribution;
  readonly queueLength: Distribution;
  readonly estimatedSeats: Distribution;
  readonly watches: Distribution;
  refused(reason: FlowRefusal): void;
}

/** Values of one priority level that are measured over time. */
export interface LevelMeters {
  readonly seats: TimedValue;
  readonly executing: TimedValue;
  readonly waiting: TimedValue;
  readonly demand: TimedValue;
}

/** Values of one priority level that change rarely, or are read together with the metrics. */
export interface LevelFigures {
  readonly name: string;
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
  readonly current: number;
  readonly target: number;
  readonly demand: {
    readonly highest: number;
    readonly average: number;
    readonly deviation: number;
    readonly smoothed: number;
  };
  /** Virtual times in seat seconds. */
  readonly virtualTime: number;
  readonly latestStart: number;
  readonly starts: { readonly min: number; readonly max: number };
  readonly discountedStarts: { readonly min: number; readonly max: number };
}

/** Metrics of fairness, with the names that Kubernetes uses. */
export class FlowMetrics {
  readonly #rejected = counter("rejected_requests_total", "Number of requests that fairness refused, by reason.", [
    ...FLOW,
    "reason",
  ]);
  readonly #dispatched = counter("dispatched_requests_total", "Number of requests that were started.", FLOW);
  readonly #currentR = gauge("current_r", "Virtual time of the priority level, in seconds of one seat.");
  readonly #dispatchR = gauge("dispatch_r", "Virtual time at the latest start of a request.");
  readonly #latestS = gauge("latest_s", "Virtual start of the request that was started last.");
  readonly #nextS = gauge("next_s_bounds", "Lowest and highest virtual start of the first requests of all queues.", [
    LEVEL,
    "bound",
  ]);
  readonly #nextDiscounted = gauge(
    "next_discounted_s_bounds",
    "Lowest and highest virtual start of the first requests of all queues, less the estimated work in progress.",
    [LEVEL, "bound"],
  );
  readonly #waiting = gauge("current_inqueue_requests", "Number of requests that wait in queues.", FLOW);
  readonly #waitingSeats = gauge("current_inqueue_seats", "Number of seats that waiting requests need.", FLOW);
  readonly #queueLength = histogram(
    "request_queue_length_after_enqueue",
    "Length of its queue after each request joined it.",
    FLOW,
    [0, 10, 25, 50, 100, 250, 500, 1000],
  );
  readonly #seats = gauge(
    "current_executing_seats",
    "Number of seats that requests occupy; watches only while they start.",
    FLOW,
  );
  readonly #executing = gauge(
    "current_executing_requests",
    "Number of requests that are being handled; watches only while they start.",
    FLOW,
  );
  readonly #waited = histogram(
    "request_wait_duration_seconds",
    "Time that requests spent in their queue, by whether they were started.",
    [...FLOW, "execute"],
    SECONDS,
  );
  readonly #executed = histogram(
    "request_execution_seconds",
    "Duration of requests after their queue; of watches only until they have started.",
    [...FLOW, "type"],
    SECONDS,
  );
  readonly #watches = histogram(
    "watch_count_samples",
    "Number of watches that each write concerns.",
    FLOW,
    [0, 1, 10, 100, 1000, 10000],
  );
  readonly #epochs = counter("epoch_advance_total", "Number of times that virtual time was set back.", [
    LEVEL,
    "success",
  ]);
  readonly #estimated = histogram(
    "work_estimated_seats",
    "Estimated number of seats of requests, the larger of initial and final seats.",
    FLOW,
    [1, 2, 4, 10],
  );
  readonly #notAccommodated = counter(
    "request_dispatch_no_accommodation_total",
    "Number of times that the next request was not started for lack of seats.",
    FLOW,
  );
  readonly #nominal = gauge("nominal_limit_seats", "Configured number of seats of each priority level.");
  readonly #lower = gauge("lower_limit_seats", "Number of seats that each priority level keeps when it lends.");
  readonly #upper = gauge("upper_limit_seats", "Number of seats that each priority level has at most when it borrows.");
  readonly #highest = gauge("demand_seats_high_watermark", "Most seats that could be used during the last period.");
  readonly #average = gauge(
    "demand_seats_average",
    "Average number of seats that could be used during the last period.",
  );
  readonly #deviation = gauge("demand_seats_stdev", "Standard deviation of the seats that could be used.");
  readonly #smoothed = gauge("demand_seats_smoothed", "Smoothed number of seats that could be used.");
  readonly #target = gauge("target_seats", "Number of seats that each priority level should get.");
  readonly #fairFraction = gauge("seat_fair_frac", "Fraction of its target that each priority level gets.", []);
  readonly #current = gauge("current_limit_seats", "Number of seats that each priority level has now.");
  readonly #seatUse: TimingHistogram;
  readonly #requestUse: TimingHistogram;
  readonly #kinds: TimingHistogram;
  readonly #demand: TimingHistogram;
  readonly families: readonly Metric[];

  /** `now` is in milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    const timing = (name: string, help: string, labels: readonly string[], bounds: readonly number[]) =>
      new TimingHistogram(`${PREFIX}${name}`, help, labels, { bounds, now });
    this.#seatUse = timing(
      "priority_level_seat_utilization",
      "Fraction of the seats of a priority level that is in use, over time.",
      ["phase", LEVEL],
      [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    );
    this.#requestUse = timing(
      "priority_level_request_utilization",
      "Number of requests of a priority level as a fraction of its limit, over time.",
      ["phase", LEVEL],
      [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
    );
    this.#kinds = timing(
      "read_vs_write_current_requests",
      "Number of reads and writes as a fraction of the limit of all requests, over time.",
      ["phase", "request_kind"],
      [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    );
    this.#demand = timing(
      "demand_seats",
      "Number of seats that a priority level could use as a fraction of its configured seats, over time.",
      [LEVEL],
      [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
    );
    this.families = [
      ...[this.#rejected, this.#dispatched, this.#currentR, this.#dispatchR, this.#latestS, this.#nextS],
      ...[this.#nextDiscounted, this.#waiting, this.#waitingSeats, this.#queueLength],
      ...[this.#seats, this.#executing, this.#waited, this.#executed, this.#watches, this.#epochs],
      ...[this.#estimated, this.#notAccommodated, this.#nominal, this.#lower, this.#upper, this.#highest],
      ...[this.#average, this.#deviation, this.#smoothed, this.#target, this.#fairFraction, this.#current],
      ...[this.#seatUse, this.#requestUse, this.#kinds, this.#demand],
    ];
  }

  metersOf(level: string, schema: string): FlowMeters {
    return {
      dispatched: this.#dispatched.of(level, schema),
      waiting: this.#waiting.of(level, schema),
      waitingSeats: this.#waitingSeats.of(level, schema),
      executing: this.#executing.of(level, schema),
      executingSeats: this.#seats.of(level, schema),
      notAccommodated: this.#notAccommodated.of(level, schema),
      waited: this.#waited.of(level, schema, "true"),
      waitedInVain: this.#waited.of(level, schema, "false"),
      executed: this.#executed.of(level, schema, "regular"),
      watchStarted: this.#executed.of(level, schema, "watch"),
      queueLength: this.#queueLength.of(level, schema),
      estimatedSeats: this.#estimated.of(level, schema),
      watches: this.#watches.of(level, schema),
      refused: (reason) => this.#rejected.add(1, level, schema, reason),
    };
  }

  levelMetersOf(level: string): LevelMeters {
    return {
      seats: this.#seatUse.of("executing", level),
      executing: this.#requestUse.of("executing", level),
      waiting: this.#requestUse.of("waiting", level),
      demand: this.#demand.of(level),
    };
  }

  /** Drops the series of other levels, and of other schemas without waiting or running requests. Meters of the remaining ones stay valid. */
  retain(levels: ReadonlySet<string>, schemas: readonly { readonly name: string; readonly level: string }[]): void {
    const kept = new Set(schemas.map(({ name, level }) => `${level}/${name}`));
    for (const family of [this.#waiting, this.#executing])
      for (const { values, value } of family.samples()) if (value !== 0) kept.add(values.join("/"));
    const byFlow = [
      ...[this.#rejected, this.#dispatched, this.#waiting, this.#waitingSeats, this.#queueLength, this.#seats],
      ...[this.#executing, this.#waited, this.#executed, this.#watches, this.#estimated, this.#notAccommodated],
    ];
    for (const family of byFlow) retain(family, ([level, schema]) => kept.has(`${level}/${schema}`));
    retain(this.#epochs, ([level = ""]) => levels.has(level));
    for (const family of [this.#seatUse, this.#requestUse]) retain(family, ([, level = ""]) => levels.has(level));
    retain(this.#demand, ([level = ""]) => levels.has(level));
  }

  kindMeterOf(phase: "waiting" | "executing", kind: "readOnly" | "mutating"): TimedValue {
    return this.#kinds.of(phase, kind);
  }

  /** Sets the metrics of all priority levels, and drops those of other levels. */
  collect(levels: readonly LevelFigures[], fairFraction: number): void {
    for (const family of this.#levelGauges()) family.clear();
    this.#fairFraction.set(fairFraction);
    for (const level of levels) {
      const { name, demand } = level;
      this.#nominal.set(level.nominal, name);
      this.#lower.set(level.lower, name);
      this.#upper.set(level.upper, name);
      this.#current.set(level.current, name);
      this.#target.set(level.target, name);
      this.#highest.set(demand.highest, name);
      this.#average.set(demand.average, name);
      this.#deviation.set(demand.deviation, name);
      this.#smoothed.set(demand.smoothed, name);
      this.#currentR.set(level.virtualTime, name);
      this.#dispatchR.set(level.virtualTime, name);
      this.#latestS.set(level.latestStart, name);
      for (const bound of ["min", "max"] as const) {
        this.#nextS.set(level.starts[bound], name, bound);
        this.#nextDiscounted.set(level.discountedStarts[bound], name, bound);
      }
    }
  }

  #levelGauges(): readonly NumberMetric[] {
    return [
      ...[this.#nominal, this.#lower, this.#upper, this.#current, this.#target, this.#highest],
      ...[this.#average, this.#deviation, this.#smoothed, this.#currentR, this.#dispatchR, this.#latestS],
      ...[this.#nextS, this.#nextDiscounted],
    ];
  }
}

/** Drops other series now. Until the next call, also drops them from the metrics of ended processes. */
function retain(
  family: NumberMetric | Histogram | TimingHistogram,
  areLive: (labels: readonly string[]) => boolean,
): void {
  family.retain(areLive);
  family.retainedWhile(() => areLive);
}

function counter(name: string, help: string, labels: readonly string[]): NumberMetric {
  return new NumberMetric("counter", `${PREFIX}${name}`, help, labels);
}

function gauge(name: string, help: string, labels: readonly string[] = [LEVEL]): NumberMetric {
  return new NumberMetric("gauge", `${PREFIX}${name}`, help, labels);
}

function histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Histogram {
  return new Histogram(`${PREFIX}${name}`, help, labels, bounds);
}
