import { setTimeout as sleep } from "node:timers/promises";
import { ParserAttack } from "./attack-parsers.ts";
import { ATTACKERS } from "./attackers.ts";
import { type Baseline, checkAfterRound, measure } from "./checks.ts";
import type { Attacker, Input, Outcome } from "./input.ts";
import { unchunked } from "./keep-alive-client.ts";
import { type Samples, scrape } from "./metrics.ts";
import { prepare, sweep } from "./prepare.ts";
import { Random } from "./random.ts";
import { runScript } from "./run-script.ts";
import { type LateTurn, Target } from "./target.ts";

export interface HostileOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Names of attackers; all by default. */
  readonly only?: readonly string[];
  /** After each the server must be as it was before; the last is as long as what is left. */
  readonly roundSeconds?: number;
  readonly flags?: readonly string[];
  /** How long one input may hold the event loop; more than 100 ms where the machine may be slow. */
  readonly holdLimitMs?: number;
  readonly progress?: (line: string) => void;
}

export interface Finding {
  readonly attacker: string;
  readonly number: number;
  readonly what: string;
}

export interface HostileReport {
  readonly seed: number;
  /** Inputs tried, by attacker. */
  readonly inputs: Readonly<Record<string, number>>;
  /** What should not have been, each kind once. */
  readonly findings: readonly Finding[];
  /** By attacker: responses by status, and connections that ended without one. */
  readonly outcomes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Longest time an input held the event loop when sent again by itself. */
  readonly longestHoldMs: number;
  /** Turns of the event loop that were late for more than 100 ms under load, of all inputs at that time together. */
  readonly lateTurns: readonly LateTurn[];
  /** Of the anonymous memory, before and after. */
  readonly memoryMiB: readonly [before: number, after: number];
}

/** Of the threads that attack parsers, each with numbers of its own. */
const FIRST_PARSER_INPUTS = [1, 1_000_000_001];
/** How long one input may hold the event loop. */
export const HOLD_LIMIT_MS = 100;
/** The monitor of Node counts from one of its ticks to the next. */
const MONITOR_TICK_MS = 20;
const PATIENCE_MS = 1500;
const WATCH_EVERY_MS = 5000;
const FROZEN_MS = 5000;
const LONGEST_WAIT_SECONDS = 120;
const PENDING = Symbol("pending");
/** Of trying suspects again after a round. */
const CONFIRM_MS = 45_000;
const MOST_SUSPECTS = 20;

interface Sent {
  readonly attacker: Attacker;
  readonly number: number;
  readonly started: number;
  /** Absent while it is under way. */
  milliseconds?: number;
}

/** Attacks a server of its own for a while. */
export async function runHostile(options: HostileOptions): Promise<HostileReport> {
  return new HostileRun(options, await Target.started(options.flags)).run();
}

class HostileRun {
  readonly #options: HostileOptions;
  readonly #target: Target;
  readonly #attackers: readonly Attacker[];
  readonly #holdLimitMs: number;
  readonly #parsers: readonly ParserAttack[];
  readonly #inputs: Record<string, number> = {};
  readonly #outcomes: Record<string, Record<string, number>> = {};
  readonly #findings = new Map<string, Finding>();
  /** Inputs under way and those of the last seconds. */
  #recent: Sent[] = [];
  #longestHoldMs = 0;
  #longestStallMs = 0;
  readonly #lateTurns: LateTurn[] = [];
  #logRead = 0;

  constructor(options: HostileOptions, target: Target) {
    this.#options = options;
    this.#target = target;
    const { only = [], holdLimitMs = HOLD_LIMIT_MS } = options;
    this.#holdLimitMs = holdLimitMs;
    const withParsers = only.length === 0 || only.includes("parsers");
    this.#parsers = (withParsers ? FIRST_PARSER_INPUTS : []).map(
      (first) =>
        new ParserAttack(options.seed, first, this.#holdLimitMs, ({ number, what }) =>
          this.#find("parsers", number, what),
        ),
    );
    this.#attackers = ATTACKERS.filter(({ name }) => only.length === 0 || only.includes(name));
  }

  async run(): Promise<HostileReport> {
    const { seconds, seed, roundSeconds = 120, progress } = this.#options;
    const end = performance.now() + seconds * 1000;
    const ending = new AbortController();
    const parsers = this.#parsers.map((each) => each.run(ending.signal));
    try {
      await prepare(this.#target);
      // So that code is loaded and caches are filled before anything is measured.
      await this.#round(performance.now() + Math.min(10_000, seconds * 150));
      await sweep(this.#target);
      let baseline = await measure(this.#target);
      this.#target.takeLateTurns();
      const first = baseline;
      for (let round = 1; performance.now() < end; round++) {
        const pid = this.#target.server.pid;
        await this.#round(Math.min(end, performance.now() + roundSeconds * 1000));
        if (this.#target.server.pid !== pid) baseline = await measure(this.#target);
        const memory = await this.#settle(baseline);
        progress?.(this.#line(round, memory));
        if (performance.now() < end) await prepare(this.#target);
        this.#target.takeLateTurns();
      }
      ending.abort();
      await Promise.all(parsers);
      this.#countParsers();
      return {
        seed,
        inputs: this.#inputs,
        findings: [...this.#findings.values()],
        outcomes: this.#outcomes,
        longestHoldMs: this.#longestHoldMs,
        lateTurns: this.#lateTurns,
        memoryMiB: [first.residentMiB, this.#target.residentMiB],
      };
    } finally {
      ending.abort();
      await this.#target.stop();
    }
  }

  async #round(end: number): Promise<void> {
    const ending = new AbortController();
    const lanes = this.#attackers.flatMap((attacker) =>
      Array.from({ length: attacker.lanes }, () => this.#lane(attacker, ending.signal)),
    );
    await scrape(this.#target).catch(() => undefined);
    while (performance.now() < end) {
      await sleep(Math.min(WATCH_EVERY_MS, Math.max(1, end - performance.now())));
      await this.#watch(ending);
      if (ending.signal.aborted) break;
    }
    ending.abort();
    await Promise.all(lanes);
  }

  /** Looks after the server while it is attacked; ends the round when it is dead or frozen. */
  async #watch(ending: AbortController): Promise<void> {
    const since = performance.now() - WATCH_EVERY_MS - 500;
    this.#readLog();
    if (!this.#target.alive) {
      ending.abort();
      await this.#recover("the process ended", lastLines(this.#target.server.log));
      return;
    }
    const probe = await this.#answerOrFreeze(scrape(this.#target).catch((error: Error) => error));
    if (probe === "frozen") {
      ending.abort();
      const what = `the server answered nothing while its main thread was busy for ${FROZEN_MS / 1000} s`;
      await this.#recover(what, await this.#target.stack());
    } else if (probe instanceof Error) {
      this.#find("metrics", 0, probe.message);
    } else {
      const lagMs = lagOf(probe);
      this.#longestStallMs = Math.max(this.#longestStallMs, lagMs);
      if (lagMs > this.#holdLimitMs) await this.#explainStall(since);
    }
    const old = performance.now() - WATCH_EVERY_MS - 3000;
    this.#recent = this.#recent.filter(({ started, milliseconds }) => milliseconds === undefined || started > old);
  }

  /** Frozen is who works and does not answer; on a busy machine a server that is well may have to wait for its turn. */
  async #answerOrFreeze<T>(answer: Promise<T>): Promise<T | "frozen"> {
    const spent = this.#target.mainThreadMs;
    for (let seconds = 0; seconds < LONGEST_WAIT_SECONDS && this.#target.alive; seconds++) {
      const pause = new AbortController();
      const first = await Promise.race([
        answer.finally(() => pause.abort()),
        sleep(1000, PENDING, { signal: pause.signal }).catch(() => answer),
      ]);
      if (first !== PENDING) return first as T;
      if (this.#target.alive && this.#target.mainThreadMs - spent > FROZEN_MS) return "frozen";
    }
    return this.#target.alive ? "frozen" : answer;
  }

  async #lane(attacker: Attacker, signal: AbortSignal): Promise<void> {
    const client = this.#target.client();
    while (!signal.aborted) {
      const number = (this.#inputs[attacker.name] ?? 0) + 1;
      this.#inputs[attacker.name] = number;
      const input = attacker.make(Random.ofInput(this.#options.seed, attacker.name, number), number);
      const sent: Sent = { attacker, number, started: performance.now() };
      this.#recent.push(sent);
      const outcome = await send(this.#target, client, input, signal, attacker.patienceMs);
      sent.milliseconds = outcome.milliseconds;
      this.#note(attacker, number, input, outcome);
      if (outcome.ended === "refused") await sleep(20);
    }
    client.close();
  }

  #note(attacker: Attacker, number: number, input: Input, outcome: Outcome): void {
    const told = outcome.statuses.length > 0 ? outcome.statuses : [outcome.ended];
    this.#outcomes[attacker.name] ??= {};
    const outcomes = this.#outcomes[attacker.name] as Record<string, number>;
    for (const one of told) outcomes[one] = (outcomes[one] ?? 0) + 1;
    const wrong = judge(attacker, input, outcome);
    if (wrong !== undefined) this.#find(attacker.name, number, wrong);
  }

  /** Sends what was under way during a stall again, each by itself, and looks whether it stalls the server again. */
  async #explainStall(since: number): Promise<void> {
    const suspects = this.#recent
      .filter(
        ({ attacker, started, milliseconds = Infinity }) =>
          attacker.isSlow !== true && started + milliseconds > since && milliseconds > this.#holdLimitMs / 2,
      )
      .sort((a, b) => (b.milliseconds ?? Infinity) - (a.milliseconds ?? Infinity))
      .slice(0, MOST_SUSPECTS);
    this.#suspected.push(...suspects);
  }

  readonly #suspected: Sent[] = [];

  /** After a round, with nothing else going on. */
  async #settle(baseline: Baseline): Promise<number> {
    this.#options.progress?.(`attacked; ${this.#suspected.length} inputs are tried again by themselves`);
    this.#lateTurns.push(...this.#target.takeLateTurns());
    await this.#confirmStalls();
    this.#options.progress?.("cleaning up");
    await sweep(this.#target).catch((error: Error) => this.#find("sweep", 0, error.message));
    const problems = await checkAfterRound(this.#target, baseline);
    for (const problem of problems) this.#find("after the round", 0, problem);
    this.#readLog();
    return this.#target.residentMiB;
  }

  async #confirmStalls(): Promise<void> {
    const seen = new Set<string>();
    const end = performance.now() + CONFIRM_MS;
    for (const { attacker, number } of this.#suspected.splice(0).slice(0, 6 * MOST_SUSPECTS)) {
      const key = `${attacker.name} ${number}`;
      if (seen.has(key) || performance.now() > end) continue;
      seen.add(key);
      let held = Infinity;
      for (let times = 0; times < 4 && held > this.#holdLimitMs; times++) {
        held = Math.min(held, await holdOf(this.#target, attacker, number, this.#options.seed));
        if (!this.#target.alive) return this.#recover("the process ended", lastLines(this.#target.server.log));
      }
      if (held === Infinity) continue;
      this.#longestHoldMs = Math.max(this.#longestHoldMs, held);
      if (held > this.#holdLimitMs) {
        this.#find(
          attacker.name,
          number,
          `holds the event loop for ${Math.round(held)} ms each time`,
          "holds the event loop",
        );
      }
    }
  }

  /** Starts the server again and tries the inputs that were under way one by one, to name the one that it was. */
  async #recover(what: string, log: string): Promise<void> {
    const recent = this.#recent.slice(-400).reverse();
    const underWay = recent.filter(({ milliseconds }) => milliseconds === undefined);
    const suspects = [...underWay, ...recent.filter(({ milliseconds }) => milliseconds !== undefined)];
    this.#recent = [];
    await this.#target.restart();
    await prepare(this.#target);
    let named = false;
    const stop = performance.now() + 60_000;
    for (const { attacker, number } of suspects) {
      if (performance.now() > stop) break;
      const probe = await this.#answerOrFreeze(
        holdOf(this.#target, attacker, number, this.#options.seed).catch(() => 0),
      );
      await sleep(5);
      if (this.#target.alive && probe !== "frozen") continue;
      this.#find(attacker.name, number, `${what}\n${lastLines(this.#target.server.log)}`);
      named = true;
      await this.#target.restart();
      await prepare(this.#target);
      break;
    }
    if (!named) {
      const listed = suspects.slice(0, 8).map(({ attacker, number }) => `${attacker.name} ${number}`);
      this.#find("unnamed", 0, `${what}\n${log}\nunder way: ${listed.join(", ")}`);
    }
    this.#logRead = 0;
  }

  /** Each kind of message once: numbers and quoted parts differ from one to the next. */
  #find(attacker: string, number: number, what: string, kind = what): void {
    const key = `${attacker} ${kind.replace(/"[^"]*"|\d+|\/\S*/g, "…").slice(0, 160)}`;
    if (this.#findings.has(key)) return;
    this.#findings.set(key, { attacker, number, what });
    this.#options.progress?.(`FOUND ${describeFinding({ attacker, number, what }, this.#options.seed)}`);
  }

  #readLog(): void {
    const { log } = this.#target.server;
    for (const line of log.slice(this.#logRead).split("\n")) {
      if (/"level":"error"|unexpected error|UnhandledPromise|Warning: /.test(line))
        this.#find("log", 0, line.slice(0, 1500), line.replace(/^.*"message":/, ""));
    }
    this.#logRead = log.length;
  }

  #countParsers(): void {
    if (this.#parsers.length > 0) this.#inputs.parsers = this.#parsers.reduce((sum, { tried }) => sum + tried, 0);
  }

  #line(round: number, memoryMiB: number): string {
    this.#countParsers();
    const count = Object.values(this.#inputs).reduce((sum, one) => sum + one, 0);
    return `round ${round}: ${count} inputs, ${this.#findings.size} findings, ${memoryMiB.toFixed(0)} MiB, longest stall ${this.#longestStallMs.toFixed(0)} ms`;
  }
}

function send(
  target: Target,
  client: ReturnType<Target["client"]>,
  input: Input,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<Outcome> {
  return input.kind === "request"
    ? client.send(input.request, patienceMs)
    : runScript(target.endpoint, input.script, signal);
}

function judge(attacker: Attacker, input: Input, outcome: Outcome): string | undefined {
  const bad = outcome.statuses.find((status) => status >= 500 && !attacker.expects?.includes(status));
  if (bad !== undefined) {
    // The response to HEAD does not say why; the server's log does.
    if (input.kind === "request" && input.request.method === "HEAD") return undefined;
    const text = unchunked(outcome.received).slice(0, 400);
    const all = outcome.received.toString("utf8");
    // Options of a deletion that cannot be decoded are answered so, as by Kubernetes, without a reason. Of several responses in a script the
    // log says which was unexpected.
    const isExplained = input.kind === "script" || input.request.method === "DELETE";
    if (bad === 500 && isExplained && !all.includes("InternalError")) return undefined;
    return isKnown(bad, all) ? undefined : `answered ${bad}: ${text}`;
  }
  return attacker.judge?.(input, outcome);
}

/** Answers of 500 and above that Kubernetes gives to the same request, or to the same request on a cluster without nodes. */
const KNOWN: readonly [status: number, message: RegExp][] = [
  // Bodies whose kind is looked for first are decoded before anything translates errors.
  [
    500,
    /json: cannot unmarshal|couldn't get version\/kind|couldn''t get version\/kind|does not appear to be a protobuf/,
  ],
  [500, /yaml: |error converting YAML to JSON/],
  [
    500,
    /failed to create typed (patch|live|new) object|failed to convert merged object to last applied version|cbor: /,
  ],
  // A live object that does not fit the schema of another version of its kind, in which a manager has applied it.
  [500, /: expected (list|map|string|numeric \(int or float\)|boolean), got &\{/],
  // What is wrong with a binding is told by an error that is no Status.
  [500, /target\.(kind|name): /],
  // The administrator has deleted the range, or the service has no name yet.
  [500, /failed to allocate a serviceIP/],
  // The webhook that the attacker's definitions name does not exist.
  [500, /conversion webhook for .* failed/],
  [500, /the spec replicas field .* does not exist/],
  [500, /unsupported map key of type|unable to find api field in struct/],
  // A resourceVersion is read by the storage there.
  [500, /resourceVersion: Invalid value/],
  [500, /without impersonating a user/],
  [500, /failed to create RequestInfo/],
  // The object of an apply is decoded late, by the conversion to the stored version.
  [500, /failed to convert new object/],
  [500, /unknown patch type/],
  // Directives of strategic patches that do not fit.
  [500, /, but received a |does not contain declared merge key/],
  [500, /no preferred addresses found/],
  [503, /this server has no connection to nodes/],
  // A proxied service that no pod is behind.
  [503, /no endpoints available for service/],
];

function isKnown(status: number, text: string): boolean {
  return KNOWN.some(([known, message]) => known === status && message.test(text));
}

/**
 * How long an input by itself held the event loop: the processor time of its thread meanwhile, or how late the loop ran at
 * the most where that is less. On a busy machine the loop is late for reasons of others, too.
 */
export async function holdOf(target: Target, attacker: Attacker, number: number, seed: number): Promise<number> {
  const before = target.mainThreadMs;
  await repeatInput(target, attacker, number, seed);
  const spent = target.mainThreadMs - before;
  if (spent < HOLD_LIMIT_MS) return spent;
  await scrape(target);
  await repeatInput(target, attacker, number, seed);
  return Math.min(spent, lagOf(await scrape(target)));
}

function lagOf(samples: Samples): number {
  return (samples.get('nodejs_eventloop_lag_seconds{quantile="1"}') ?? 0) * 1000 - MONITOR_TICK_MS;
}

export async function repeatInput(
  target: Target,
  attacker: Attacker,
  number: number,
  seed: number,
): Promise<[Input, Outcome]> {
  const client = target.client();
  const input = attacker.make(Random.ofInput(seed, attacker.name, number), number);
  const outcome = await send(target, client, input, AbortSignal.timeout(5000), attacker.patienceMs);
  client.close();
  return [input, outcome];
}

export function describeFinding({ attacker, number, what }: Finding, seed: number): string {
  const repeat = number > 0 ? `\n  repeat it with: make hostile SEED=${seed} ONLY=${attacker} AT=${number}` : "";
  return `${attacker}: ${what}${repeat}`;
}

function lastLines(log: string): string {
  return log.trimEnd().split("\n").slice(-15).join("\n");
}
