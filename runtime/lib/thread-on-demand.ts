import { clearTimeout, setTimeout } from "node:timers";
import type { Worker } from "node:worker_threads";

type WorkerClass = typeof import("node:worker_threads").Worker;

interface Waiting<Job, Outcome> {
  readonly job: Job;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface ThreadOptions {
  /** Description of the thread for the error if it ends, such as `reads YAML`. */
  readonly purpose: string;
  /** Idle time in milliseconds after which the thread ends. */
  readonly keptMs: number;
  /** Starts a script that responds to each message with one message. The caller names the script, so that the bundler finds it. */
  readonly start: (Worker: WorkerClass) => Worker;
}

/**
 * A thread that is started for the first job and ends after an idle time. Jobs run one after another in a single thread, because each thread takes
 * 20 MiB. If the thread ends during a job, only that job fails: the next one gets a new thread.
 */
export class ThreadOnDemand<Job, Outcome> {
  readonly #options: ThreadOptions;
  /** Jobs in order. The first one is in progress. */
  readonly #jobs: Waiting<Job, Outcome>[] = [];
  #worker: Worker | undefined;
  #ending: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  run(job: Job): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ job, resolve, reject });
      if (this.#jobs.length === 1) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#ending);
    const [first] = this.#jobs;
    if (first === undefined) {
      this.#worker?.unref();
      this.#ending = setTimeout(() => this.#end(), this.#options.keptMs).unref();
      return;
    }
    try {
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(first.job);
    } catch (error) {
      this.#jobs.shift()?.reject(error);
      this.#next();
    }
  }

  #start(): Worker {
    // Servers that never need a thread do not load the module.
    const worker = this.#options.start(process.getBuiltinModule("node:worker_threads").Worker);
    worker.on("message", (outcome: Outcome) => {
      this.#jobs.shift()?.resolve(outcome);
      this.#next();
    });
    worker.on("error", (error) => this.#fail(worker, error));
    worker.on("exit", (code) =>
      this.#fail(worker, new Error(`the thread that ${this.#options.purpose} ended with status ${code}`)),
    );
    return worker;
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#jobs.shift()?.reject(error);
    this.#next();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
