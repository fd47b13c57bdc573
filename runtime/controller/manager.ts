import type { Server } from "node:http";
import { clearInterval, setInterval } from "node:timers";
import type { Client } from "../client/client.ts";
import { follow, waitFor } from "../client/requester.ts";
import { type Clock, steadyClock } from "../lib/clock.ts";
import { createLog, type Log } from "../lib/log.ts";
import type { Controller } from "./controller.ts";
import { type Duration, millisecondsOf } from "./duration.ts";
import { closeServer, type HealthCheck, healthPage, type Listen, type Pages, portOf, servePages } from "./endpoints.ts";
import { EventRecorder } from "./events.ts";
import { type LeaderElectionOptions, LeaderElector } from "./leader-election.ts";
import { ControllerMetrics } from "./metrics.ts";
import { LEASES, mergePermissions, type Permission } from "./permissions.ts";
import { RunningController } from "./running-controller.ts";
import { SharedInformers } from "./shared-informers.ts";

export interface ManagerOptions {
  readonly client: Client;
  readonly controllers: readonly Controller[];
  /** Namespace to watch for sources that name none; all namespaces by default. */
  readonly namespace?: string;
  /** Lets one of several processes work at a time. If undefined, this process works without election. */
  readonly leaderElection?: LeaderElectionOptions;
  /** Port for `/metrics` in the text format of Prometheus. */
  readonly metricsPort?: Listen;
  /** Port for `/healthz` and `/readyz`. */
  readonly healthPort?: Listen;
  /** Additional checks by name. A check fails if it throws or rejects. */
  readonly healthChecks?: Readonly<Record<string, HealthCheck>>;
  readonly readyChecks?: Readonly<Record<string, HealthCheck>>;
  /** How long `stop()` waits for running reconciles; 30 s by default. */
  readonly gracefulStop?: Duration;
  /** By default, JSON lines on stderr, or readable lines on a terminal. */
  readonly log?: Log;
  /** By default the clock of the client. */
  readonly clock?: Clock;
}

/** Creates a manager that runs controllers with one client and shared informers. Call its `start()`. */
export function manager(options: ManagerOptions): Manager {
  return new Manager(options);
}

export class Manager {
  /** Permissions that the controllers and the leader election need. */
  readonly permissions: readonly Permission[];
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #metrics: ControllerMetrics;
  readonly #informers: SharedInformers;
  readonly #recorder: EventRecorder;
  readonly #controllers: readonly RunningController[];
  readonly #elector: LeaderElector | undefined;
  /** Aborted when reconciles should end. */
  readonly #stopping = new AbortController();
  /** Aborted when requests of reconciles must end. */
  readonly #stopped = new AbortController();
  #servers: { readonly metrics?: Server; readonly health?: Server } = {};
  #starting: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  #isSynced = false;
  #keepAlive: NodeJS.Timeout | undefined;
  #leavePlane: (() => void) | undefined;

  constructor(options: ManagerOptions) {
    const { client, controllers, leaderElection } = options;
    const clock = options.clock ?? client.clock;
    const log = options.log ?? createLog(process.stderr, () => new Date());
    // The system time may be set: delays and limits use a monotonic clock.
    const steady = steadyClock(clock);
    const metrics = new ControllerMetrics(steady);
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#metrics = metrics;
    this.permissions = mergePermissions([
      ...controllers.flatMap(({ permissions }) => permissions),
      ...(leaderElection === undefined ? [] : [LEASES]),
    ]);
    this.#recorder = new EventRecorder({ client, clock, log, metrics });
    const informers = new SharedInformers({ client, namespace: options.namespace, log });
    this.#informers = informers;
    const names = new Set<string>();
    for (const { name } of controllers) {
      if (names.has(name)) throw new TypeError(`there are two controllers with the name "${name}"`);
      names.add(name);
    }
    const parts = { client, informers, metrics, recorder: this.#recorder, clock: steady, log };
    this.#controllers = controllers.map((controller) => new RunningController(controller, parts));
    informers.addMetrics(metrics);
    this.#elector = leaderElection && this.#createElector(leaderElection);
  }

  /**
   * Starts the manager. Resolves when the caches are complete and the first attempt of the leader election is finished. Rejects if the manager is
   * stopped before.
   */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Starts the manager and resolves after a graceful stop by SIGTERM or SIGINT. For programs whose only task is the manager. */
  async run(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const signals = ["SIGTERM", "SIGINT"] as const;
    for (const signal of signals) process.once(signal, resolve);
    try {
      await Promise.race([this.start().then(() => promise), promise]);
    } finally {
      for (const signal of signals) process.off(signal, resolve);
      await this.stop();
    }
  }

  /**
   * Stops gracefully. No reconcile is started, the `signal` of running reconciles is aborted, and their requests are aborted after `gracefulStop`.
   * Then Events are written and the leadership is released.
   */
  stop(): Promise<void> {
    this.#ending ??= this.#stop();
    return this.#ending;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Whether this process may work: it is the leader, or there is no leader election. */
  get isLeader(): boolean {
    return this.#elector?.isLeader ?? !this.#stopping.signal.aborted;
  }

  /** Identity of this process in the leader election. */
  get identity(): string | undefined {
    return this.#elector?.identity;
  }

  /** Ports on which the manager listens. */
  get ports(): { readonly metrics: number | undefined; readonly health: number | undefined } {
    const { metrics, health } = this.#servers;
    return { metrics: metrics && portOf(metrics), health: health && portOf(health) };
  }

  /** Returns all metrics in the text format of Prometheus. */
  metrics(): string {
    return this.#metrics.expose();
  }

  /**
   * For tests: resolves when the caches are equal to the server, no reconcile runs or waits, and all Events are written. Ignores reconciles with a
   * delay (`requeueAfter`, backoff), and those of a manager that is not the leader. Lists all objects to compare.
   */
  async idle(): Promise<void> {
    await this.start();
    for (;;) {
      for (const controller of this.#controllers) await controller.idle();
      const turns = this.#turns;
      await Promise.all(this.#informers.all.map((informer) => informer.caughtUp().then(() => informer.idle())));
      await this.#recorder.flushed();
      const isIdle = this.#turns === turns && this.#controllers.every((controller) => controller.isIdle);
      if (isIdle || this.#stopping.signal.aborted) return;
      for (const controller of this.#controllers) controller.wake();
    }
  }

  /** Like `idle`, but without requests to the server: an in-process plane knows which events it has sent. */
  async #worked(): Promise<void> {
    for (const controller of this.#controllers) await controller.idle();
    await this.#recorder.flushed();
  }

  get #turns(): number {
    return this.#controllers.reduce((sum, { turns }) => sum + turns, 0);
  }

  async #start(): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    // Keeps the process alive: timers do not, and there may be no connection for a while.
    this.#keepAlive = setInterval(() => undefined, 2 ** 30);
    this.#leavePlane = this.#options.client.join({ idle: () => this.#worked(), activity: () => this.#turns });
    await this.#serve();
    await this.#informers.start();
    this.#isSynced = true;
    if (this.#stopping.signal.aborted) return;
    if (this.#elector === undefined) this.#lead({ signal: new AbortController().signal, check: () => undefined });
    else await this.#elector.start();
  }

  #createElector(options: LeaderElectionOptions): LeaderElector {
    const { client } = this.#options;
    this.#metrics.leads(options.name, false);
    return new LeaderElector(options, {
      client,
      clock: this.#clock,
      random: client.random,
      log: this.#log,
      onLeading: (leadership) => {
        this.#metrics.leads(options.name, true);
        leadership.signal.addEventListener("abort", () => this.#metrics.leads(options.name, false), { once: true });
        this.#lead(leadership);
      },
    });
  }

  /** Lets the controllers work until the signal is aborted. */
  #lead({ signal, check }: { readonly signal: AbortSignal; check(): void }): void {
    const [ended, requests] = [new AbortController(), new AbortController()];
    follow(signal, ended);
    follow(signal, requests);
    const unfollow = [follow(this.#stopping.signal, ended), follow(this.#stopped.signal, requests)];
    signal.addEventListener(
      "abort",
      () => {
        for (const controller of this.#controllers) controller.pause();
        for (const stop of unfollow) stop();
      },
      { once: true },
    );
    for (const controller of this.#controllers)
      controller.begin({ signal: ended.signal, requests: requests.signal, check });
  }

  async #serve(): Promise<void> {
    const { metricsPort, healthPort, healthChecks, readyChecks } = this.#options;
    const metrics: Pages = {
      "/metrics": () => ({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8", text: this.metrics() }),
    };
    const health: Pages = {
      "/healthz": () => healthPage({ ping: () => undefined, ...healthChecks }),
      "/readyz": () => healthPage({ informers: () => this.#checkSynced(), ...readyChecks }),
    };
    const isShared = JSON.stringify(metricsPort) === JSON.stringify(healthPort) && metricsPort !== 0;
    if (metricsPort !== undefined && isShared) {
      const server = await servePages(metricsPort, { ...metrics, ...health });
      this.#servers = { metrics: server, health: server };
      return;
    }
    // Sequential, so that the first server can be closed if the second cannot be opened.
    if (metricsPort !== undefined) this.#servers = { metrics: await servePages(metricsPort, metrics) };
    if (healthPort !== undefined) this.#servers = { ...this.#servers, health: await servePages(healthPort, health) };
  }

  #checkSynced(): void {
    if (!this.#isSynced) throw new Error("the caches are not complete yet");
  }

  async #stop(): Promise<void> {
    const reason = new DOMException("the manager was stopped", "AbortError");
    this.#stopping.abort(reason);
    for (const controller of this.#controllers) controller.stop();
    const limit = millisecondsOf(this.#options.gracefulStop ?? "30s");
    const isDone = await this.#within(limit, Promise.all(this.#controllers.map((controller) => controller.idle())));
    this.#stopped.abort(reason);
    if (!isDone) this.#log("warn", `reconciles did not end within ${limit / 1000} s`);
    if (!(await this.#within(limit, this.#recorder.stop()))) this.#recorder.abort();
    await this.#elector?.stop({ release: isDone });
    await this.#informers.stop();
    await this.#starting?.catch(() => undefined);
    for (const server of new Set(Object.values(this.#servers))) await closeServer(server);
    clearInterval(this.#keepAlive);
    this.#leavePlane?.();
  }

  /** Resolves with whether `done` was resolved in time. */
  async #within(milliseconds: number, done: Promise<unknown>): Promise<boolean> {
    const over = new AbortController();
    const late = waitFor(this.#clock, milliseconds, over.signal).then(
      () => false,
      () => true,
    );
    const isDone = await Promise.race([done.then(() => true), late]);
    over.abort();
    return isDone;
  }
}
