import type { Clock } from "../lib/clock.ts";
import { Histogram, type Metric, NumberMetric } from "../metrics/metric.ts";

/** From 10 ns to 1000 s, the same as in client-go. */
const QUEUE_BOUNDS = Array.from({ length: 12 }, (_, power) => 1e-8 * 10 ** power);
const RECONCILE_BOUNDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

const QUEUE: readonly string[] = ["name", "controller"];
const CONTROLLER: readonly string[] = ["controller"];

export type ReconcileResult = "success" | "requeue_after" | "error";

/** State of a queue, read when metrics are exposed. */
interface QueueState {
  depth(): number;
  /** Start times of the work in progress. */
  startTimes(): readonly number[];
}

/** Metrics of one queue. */
export interface QueueMetrics {
  observe(queue: QueueState): void;
  added(): void;
  retried(): void;
  began(waitedSeconds: number): void;
  ended(workedSeconds: number): void;
}

/** Metrics of controllers, with the names of client-go and controller-runtime, so that dashboards for those can be used. */
export class ControllerMetrics {
  readonly #clock: Clock;
  readonly #queues = new Map<string, QueueState>();
  readonly #onExpose: (() => void)[] = [];
  readonly #families: Metric[] = [];

  readonly #depth = this.#number("gauge", "workqueue_depth", "Number of keys that wait.", QUEUE);
  readonly #adds = this.#number("counter", "workqueue_adds_total", "Number of keys that were added.", QUEUE);
  readonly #retries = this.#number("counter", "workqueue_retries_total", "Number of retries.", QUEUE);
  readonly #waited = this.#histogram(
    "workqueue_queue_duration_seconds",
    "How long keys waited for their turn, in seconds.",
    { labels: QUEUE, bounds: QUEUE_BOUNDS },
  );
  readonly #worked = this.#histogram("workqueue_work_duration_seconds", "How long work on a key took, in seconds.", {
    labels: QUEUE,
    bounds: QUEUE_BOUNDS,
  });
  readonly #unfinished = this.#number(
    "gauge",
    "workqueue_unfinished_work_seconds",
    "Seconds of work that is in progress, of all keys together.",
    QUEUE,
  );
  readonly #longest = this.#number(
    "gauge",
    "workqueue_longest_running_processor_seconds",
    "Seconds since the longest running work began.",
    QUEUE,
  );
  readonly #results = this.#number(
    "counter",
    "controller_runtime_reconcile_total",
    "Number of reconciles, by result: success, requeue_after or error.",
    ["controller", "result"],
  );
  readonly #errors = this.#number(
    "counter",
    "controller_runtime_reconcile_errors_total",
    "Number of reconciles that failed.",
  );
  readonly #terminal = this.#number(
    "counter",
    "controller_runtime_terminal_reconcile_errors_total",
    "Number of reconciles that failed and are not retried.",
  );
  readonly #times = this.#histogram(
    "controller_runtime_reconcile_time_seconds",
    "Duration of reconciles, in seconds.",
    {
      labels: CONTROLLER,
      bounds: RECONCILE_BOUNDS,
    },
  );
  readonly #concurrency = this.#number(
    "gauge",
    "controller_runtime_max_concurrent_reconciles",
    "Number of reconciles that may run at the same time.",
  );
  readonly #workers = this.#number(
    "gauge",
    "controller_runtime_active_workers",
    "Number of reconciles that run at present.",
  );
  readonly #stuck = this.#number(
    "gauge",
    "typeplane_controller_stuck_reconciles",
    "Number of reconciles that run for longer than their controller expects.",
  );
  readonly #stale = this.#number(
    "counter",
    "typeplane_controller_stale_cache_total",
    "Number of reconciles that were delayed because the cache did not have their controller's own last writes.",
  );
  readonly #conflicts = this.#number(
    "counter",
    "typeplane_controller_stale_updates_total",
    "Number of updates that were refused because the object had changed since the cache read it.",
  );
  readonly #leads = this.#number(
    "gauge",
    "leader_election_master_status",
    "Whether this process is the leader: 1 if it is.",
    ["name"],
  );
  readonly #droppedEvents = this.#number(
    "counter",
    "typeplane_controller_dropped_events_total",
    "Number of Events that could not be recorded.",
  );

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  queue(name: string): QueueMetrics {
    const labels = [name, name];
    const [adds, retries] = [this.#adds.of(...labels), this.#retries.of(...labels)];
    const [waited, worked] = [this.#waited.of(...labels), this.#worked.of(...labels)];
    return {
      observe: (queue) => void this.#queues.set(name, queue),
      added: () => void adds.value++,
      retried: () => void retries.value++,
      began: (seconds) => waited.observe(seconds),
      ended: (seconds) => worked.observe(seconds),
    };
  }

  /** Initializes the metrics of a controller, so that they are exposed before they first change. */
  controller(name: string, concurrency: number): void {
    this.#concurrency.set(concurrency, name);
    for (const result of ["success", "requeue_after", "error"]) this.#results.add(0, name, result);
    for (const metric of [this.#errors, this.#terminal, this.#stuck, this.#stale, this.#conflicts, this.#droppedEvents])
      metric.add(0, name);
  }

  reconciled(name: string, result: ReconcileResult, seconds: number): void {
    this.#results.add(1, name, result);
    this.#times.observe(seconds, name);
    if (result === "error") this.#errors.add(1, name);
  }

  failedForGood(name: string): void {
    this.#terminal.add(1, name);
  }

  /** Counts a reconcile that has become stuck (1), or a stuck one that has ended (-1). */
  stuck(name: string, change: 1 | -1): void {
    this.#stuck.add(change, name);
  }

  delayedByCache(name: string): void {
    this.#stale.add(1, name);
  }

  refusedUpdate(name: string): void {
    this.#conflicts.add(1, name);
  }

  droppedEvent(name: string): void {
    this.#droppedEvents.add(1, name);
  }

  leads(name: string, isLeader: boolean): void {
    this.#leads.set(isLeader ? 1 : 0, name);
  }

  /** Adds a metric of another component. `update` is called before metrics are exposed. */
  add(metric: Metric, update?: () => void): void {
    this.#families.push(metric);
    if (update !== undefined) this.#onExpose.push(update);
  }

  /** Returns all metrics in the text format of Prometheus. */
  expose(): string {
    const now = this.#clock.now();
    for (const [name, queue] of this.#queues) {
      const running = queue.startTimes().map((since) => Math.max(now - since, 0) / 1000);
      this.#depth.set(queue.depth(), name, name);
      this.#unfinished.set(
        running.reduce((sum, seconds) => sum + seconds, 0),
        name,
        name,
      );
      this.#longest.set(Math.max(0, ...running), name, name);
      this.#workers.set(running.length, name);
    }
    for (const update of this.#onExpose) update();
    return this.#families.map((family) => family.expose()).join("");
  }

  #number(type: "counter" | "gauge", name: string, help: string, labels = CONTROLLER): NumberMetric {
    const metric = new NumberMetric(type, name, help, labels);
    this.#families.push(metric);
    return metric;
  }

  #histogram(
    name: string,
    help: string,
    { labels, bounds }: { readonly labels: readonly string[]; readonly bounds: readonly number[] },
  ): Histogram {
    const metric = new Histogram(name, help, labels, bounds);
    this.#families.push(metric);
    return metric;
  }
}
