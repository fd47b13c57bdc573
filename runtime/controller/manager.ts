import type { Server } from "node:http";
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
  /** Watch this namespace only, where a controller names none. */
  readonly namespace?: string;
  /** One process of several works at a time. Without it, this one works at once. */
  readonly leaderElection?: LeaderElectionOptions;
  /** Serves `/metrics`, in the text format of Prometheus. */
  readonly metricsPort?: Listen;
  /** Serves `/healthz` and `/readyz`. */
  readonly healthPort?: Listen;
  /** Beside those of the manager: functions that throw or reject if something is wrong. */
  readonly healthChecks?: Readonly<Record<string, HealthCheck>>;
  readonly readyChecks?: Readonly<Record<string, HealthCheck>>;
  /** How long `stop()` waits for reconciles that run; 30 s by default. */
  readonly gracefulStop?: Duration;
  /** JSON lines on stderr by default, or lines to read on a terminal. */
  readonly log?: Log;
  /** Time; by default that of the client. */
  readonly clock?: Clock;
}

/** Runs controllers together on one connection. They share informers. Begins with `start()`. */
export function manager(options: ManagerOptions): Manager {
  return new Manager(options);
}

export class Manager {
  /** What its controllers and leader election need to be allowed to do. */
  readonly permissions: readonly Permission[];
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #metrics: ControllerMetrics;
  readonly #informers: SharedInformers;
  readonly #recorder: EventRecorder;
  readonly #controllers: readonly RunningController[];
  readonly #elector: LeaderElector | undefined;
  /** Fires when reconciles should end. */
  readonly #stopping = new AbortController();
  /** Fires when the requests of reconciles must end. */
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
    // The time of the system may be set; delays and limits go on evenly.
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

  /** Begins. Resolves when the caches are complete and it is decided whether this process leads. Rejects if the manager is stopped before. */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Starts, and resolves after a graceful stop by SIGTERM or SIGINT. For programs that do nothing else. */
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
   * Ends gracefully: no reconcile begins, the `signal` of those that run fires, and their requests are ended if they take longer than
   * `gracefulStop`. Then Events are written and another process may lead.
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

  /** The name of this process in leader election. */
  get identity(): string | undefined {
    return this.#elector?.identity;
  }

  /** Ports that were chosen. */
  get ports(): { readonly metrics: number | undefined; readonly health: number | undefined } {
    const { metrics, health } = this.#servers;
    return { metrics: metrics && portOf(metrics), health: health && portOf(health) };
  }

  /** All metrics in the text format of Prometheus. */
  metrics(): string {
    return this.#metrics.expose();
  }

  /**
   * Resolves when the caches hold what the server holds now, no reconcile runs or waits, and all Events are written. Reconciles that wait for a
   * time (`requeueAfter`, backoff) do not count, nor do those of a manager that does not lead. For tests: it lists all objects.
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

  /** As `idle`, without asking the server: a plane in this process knows what it has sent. */
  async #worked(): Promise<void> {
    for (const controller of this.#controllers) await controller.idle();
    await this.#recorder.flushed();
  }

  get #turns(): number {
    return this.#controllers.reduce((sum, { turns }) => sum + turns, 0);
  }

  async #start(): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    // Timers do not keep the process alive, and there may be no connection for a while.
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

  /** Lets the controllers work until the signal fires. */
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
    // One after the other: the first is to be closed if there is no second.
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

  /** Whether something was done in time. */
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
