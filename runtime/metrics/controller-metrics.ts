import type { ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import { StatusError } from "../contract/status.ts";
import type { QueueObserver } from "../lib/work-queue.ts";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";

/** From 10 ns to 10 s, as in Kubernetes. */
const QUEUE_BOUNDS = Array.from({ length: 10 }, (_, power) => Number(`1e${power - 8}`));
const REQUEST_BOUNDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const QUEUE = ["name"];

type Watched = Parameters<QueueObserver["watch"]>[0];

/** Metrics of the server's own controllers: their queues, their requests, and their leadership. */
export class ControllerMetrics {
  readonly #queues = new Map<string, Watched>();
  readonly #depth = new NumberMetric("gauge", "workqueue_depth", "Number of keys that wait in a queue.", QUEUE);
  readonly #adds = new NumberMetric("counter", "workqueue_adds_total", "Number of keys added to a queue.", QUEUE);
  readonly #retries = new NumberMetric("counter", "workqueue_retries_total", "Number of retries of a queue.", QUEUE);
  readonly #waited = new Histogram(
    "workqueue_queue_duration_seconds",
    "Time that keys waited in a queue, in seconds.",
    QUEUE,
    QUEUE_BOUNDS,
  );
  readonly #worked = new Histogram(
    "workqueue_work_duration_seconds",
    "Time to process a key of a queue, in seconds.",
    QUEUE,
    QUEUE_BOUNDS,
  );
  readonly #unfinished = new NumberMetric(
    "gauge",
    "workqueue_unfinished_work_seconds",
    "Seconds since processing began, of all keys that are being processed together.",
    QUEUE,
  );
  readonly #longest = new NumberMetric(
    "gauge",
    "workqueue_longest_running_processor_seconds",
    "Seconds since processing began, of the key that is being processed for the longest time.",
    QUEUE,
  );
  readonly #requests = new NumberMetric(
    "counter",
    "rest_client_requests_total",
    "Number of requests of the server's own controllers, by status code, method and host.",
    ["code", "method", "host"],
  );
  readonly #requestTimes = new Histogram(
    "rest_client_request_duration_seconds",
    "Duration of requests of the server's own controllers, in seconds, by verb and host.",
    ["verb", "host"],
    REQUEST_BOUNDS,
  );
  readonly #leads = new NumberMetric(
    "gauge",
    "leader_election_master_status",
    "Whether this server runs the controller of this name: 1 if it does.",
    ["name"],
  );

  get families(): readonly Metric[] {
    return [
      this.#depth,
      this.#adds,
      this.#retries,
      this.#waited,
      this.#worked,
      this.#unfinished,
      this.#longest,
      this.#requests,
      this.#requestTimes,
      this.#leads,
    ];
  }

  queue(name: string): QueueObserver {
    const [adds, retries] = [this.#adds.of(name), this.#retries.of(name)];
    const [waited, worked] = [this.#waited.of(name), this.#worked.of(name)];
    return {
      watch: (queue) => void this.#queues.set(name, queue),
      added: () => void adds.value++,
      retried: () => void retries.value++,
      began: (milliseconds) => waited.observe(milliseconds / 1000),
      ended: (milliseconds) => worked.observe(milliseconds / 1000),
    };
  }

  /** Wraps access to objects. Its requests are counted as those of a client of `host`. */
  client(objects: ObjectReader & ObjectWriter, host: () => string): ObjectReader & ObjectWriter {
    const count = <T>(method: string, code: number, send: () => Promise<T>) => this.#count(method, host(), code, send);
    return {
      get: (...of) => count("GET", 200, () => objects.get(...of)),
      list: (...of) => count("GET", 200, () => objects.list(...of)),
      listMetadata: (...of) => count("GET", 200, () => objects.listMetadata(...of)),
      create: (...of) => count("POST", 201, () => objects.create(...of)),
      update: (...of) => count("PUT", 200, () => objects.update(...of)),
      delete: (...of) => count("DELETE", 200, () => objects.delete(...of)),
    };
  }

  async #count<T>(method: string, host: string, code: number, send: () => Promise<T>): Promise<T> {
    const began = performance.now();
    let result = String(code);
    try {
      return await send();
    } catch (error) {
      result = error instanceof StatusError ? String(error.httpStatus) : "<error>";
      throw error;
    } finally {
      this.#requests.add(1, result, method, host);
      this.#requestTimes.observe((performance.now() - began) / 1000, method, host);
    }
  }

  leads(name: string, isLeader: boolean): void {
    this.#leads.set(isLeader ? 1 : 0, name);
  }

  /** Updates the gauges before metrics are read. */
  collect(): void {
    const now = performance.now();
    for (const [name, queue] of this.#queues) {
      const running = queue.startTimes().map((since) => (now - since) / 1000);
      this.#depth.set(queue.depth(), name);
      this.#unfinished.set(
        running.reduce((sum, seconds) => sum + seconds, 0),
        name,
      );
      this.#longest.set(Math.max(0, ...running), name);
    }
  }
}
