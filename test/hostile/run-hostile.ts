import { setTimeout as sleep } from "node:timers/promises";
import { answerOrFreeze, FROZEN_MS } from "./answer-or-freeze.ts";
import { ParserAttack } from "./attack-parsers.ts";
import { ATTACKERS } from "./attackers.ts";
import { type Baseline, checkAfterRound, measure } from "./checks.ts";
import { type Finding, Findings } from "./findings.ts";
import type { Attacker, Input, Outcome } from "./input.ts";
import { judgeOutcome } from "./judge-outcome.ts";
import { scrape } from "./metrics.ts";
import { prepare, sweep } from "./prepare.ts";
import { Random } from "./random.ts";
import { HOLD_LIMIT_MS, holdOf, lagOf, sendInput } from "./repeat-input.ts";
import { type LateTurn, Target } from "./target.ts";

export interface HostileOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Names of attackers. Defaults to all. */
  readonly only?: readonly string[];
  /** Duration of a round, after which the server must be in its initial state again. The last round uses the remaining time. */
  readonly roundSeconds?: number;
  readonly flags?: readonly string[];
  /** Maximum time that one input may block the event loop. More than 100 ms for slow machines. */
  readonly holdLimitMs?: number;
  readonly progress?: (line: string) => void;
}

export interface HostileReport {
  readonly seed: number;
  /** Number of inputs by attacker. */
  readonly inputs: Readonly<Record<string, number>>;
  /** Problems, each kind only once. */
  readonly findings: readonly Finding[];
  /** By attacker: number of responses by status, and of connections that ended without a response. */
  readonly outcomes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Longest time that an input blocked the event loop when it was repeated alone. */
  readonly longestHoldMs: number;
  /** Event loop turns that were late by more than 100 ms under load, caused by all inputs of that time. */
  readonly lateTurns: readonly LateTurn[];
  /** Anonymous memory before and after. */
  readonly memoryMiB: readonly [before: number, after: number];
}

/** First input number of each thread that attacks parsers. */
const FIRST_PARSER_INPUTS = [1, 1_000_000_001];
const WATCH_EVERY_MS = 5000;
/** Maximum time for repeating suspected inputs after a round. */
const CONFIRM_MS = 45_000;
const MOST_SUSPECTS = 20;

interface Sent {
  readonly attacker: Attacker;
  readonly number: number;
  readonly started: number;
  /** Absent while the input is running. */
  milliseconds?: number;
}

/** Attacks a separate server for some time. */
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
  readonly #findings: Findings;
  /** Running inputs and those of the last seconds. */
  #recent: Sent[] = [];
  #longestHoldMs = 0;
  #longestStallMs = 0;
  readonly #lateTurns: LateTurn[] = [];
  #logRead = 0;

  constructor(options: HostileOptions, target: Target) {
    this.#options = options;
    this.#target = target;
    this.#findings = new Findings(options.seed, options.progress);
    const { only = [], holdLimitMs = HOLD_LIMIT_MS } = options;
    this.#holdLimitMs = holdLimitMs;
    const withParsers = only.length === 0 || only.includes("parsers");
    this.#parsers = (withParsers ? FIRST_PARSER_INPUTS : []).map(
      (first) =>
        new ParserAttack(options.seed, first, this.#holdLimitMs, ({ number, what }) =>
          this.#findings.add("parsers", number, what),
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
      // A first round loads code and fills caches before measurements.
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
        findings: this.#findings.all,
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

  /** Monitors the server during the attack. Ends the round if the server is dead or frozen. */
  async #watch(ending: AbortController): Promise<void> {
    const since = performance.now() - WATCH_EVERY_MS - 500;
    this.#readLog();
    if (!this.#target.alive) {
      ending.abort();
      await this.#recover("the process ended", lastLines(this.#target.server.log));
      return;
    }
    const probe = await answerOrFreeze(
      this.#target,
      scrape(this.#target).catch((error: Error) => error),
    );
    if (probe === "frozen") {
      ending.abort();
      const what = `the server answered nothing while its main thread was busy for more than ${FROZEN_MS / 1000} s`;
      await this.#recover(what, await this.#target.stack());
    } else if (probe instanceof Error) {
      this.#findings.add("metrics", 0, probe.message);
    } else {
      const lagMs = lagOf(probe);
      this.#longestStallMs = Math.max(this.#longestStallMs, lagMs);
      if (lagMs > this.#holdLimitMs) await this.#explainStall(since);
    }
    const old = performance.now() - WATCH_EVERY_MS - 3000;
    this.#recent = this.#recent.filter(({ started, milliseconds }) => milliseconds === undefined || started > old);
  }

  async #lane(attacker: Attacker, signal: AbortSignal): Promise<void> {
    const client = this.#target.client();
    while (!signal.aborted) {
      const number = (this.#inputs[attacker.name] ?? 0) + 1;
      this.#inputs[attacker.name] = number;
      const input = attacker.make(Random.ofInput(this.#options.seed, attacker.name, number), number);
      const sent: Sent = { attacker, number, started: performance.now() };
      this.#recent.push(sent);
      const outcome = await sendInput(this.#target, client, input, signal, attacker.patienceMs);
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
    const wrong = judgeOutcome(attacker, input, outcome);
    if (wrong !== undefined) this.#findings.add(attacker.name, number, wrong);
  }

  /** Repeats the inputs that were running during a stall, each alone, and checks whether they stall the server again. */
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

  /** Checks the idle server after a round. */
  async #settle(baseline: Baseline): Promise<number> {
    this.#options.progress?.(`attacked; ${this.#suspected.length} inputs are tried again by themselves`);
    this.#lateTurns.push(...this.#target.takeLateTurns());
    await this.#confirmStalls();
    this.#options.progress?.("cleaning up");
    await sweep(this.#target).catch((error: Error) => this.#findings.add("sweep", 0, error.message));
    const problems = await checkAfterRound(this.#target, baseline);
    for (const problem of problems) this.#findings.add("after the round", 0, problem);
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
        this.#findings.add(
          attacker.name,
          number,
          `holds the event loop for ${Math.round(held)} ms each time`,
          "holds the event loop",
        );
      }
    }
  }

  /** Restarts the server and repeats the inputs that were running one by one, to identify the one that caused the failure. */
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
      const probe = await answerOrFreeze(
        this.#target,
        holdOf(this.#target, attacker, number, this.#options.seed).catch(() => 0),
      );
      await sleep(5);
      if (this.#target.alive && probe !== "frozen") continue;
      this.#findings.add(attacker.name, number, `${what}\n${lastLines(this.#target.server.log)}`);
      named = true;
      await this.#target.restart();
      await prepare(this.#target);
      break;
    }
    if (!named) {
      const listed = suspects.slice(0, 8).map(({ attacker, number }) => `${attacker.name} ${number}`);
      this.#findings.add("unnamed", 0, `${what}\n${log}\nunder way: ${listed.join(", ")}`);
    }
    this.#logRead = 0;
  }

  #readLog(): void {
    const { log } = this.#target.server;
    this.#findings.addLog(log.slice(this.#logRead));
    this.#logRead = log.length;
  }

  #countParsers(): void {
    if (this.#parsers.length > 0) this.#inputs.parsers = this.#parsers.reduce((sum, { tried }) => sum + tried, 0);
  }

  #line(round: number, memoryMiB: number): string {
    this.#countParsers();
    const count = Object.values(this.#inputs).reduce((sum, one) => sum + one, 0);
    return `round ${round}: ${count} inputs, ${this.#findings.all.length} findings, ${memoryMiB.toFixed(0)} MiB, longest stall ${this.#longestStallMs.toFixed(0)} ms`;
  }
}

function lastLines(log: string): string {
  return log.trimEnd().split("\n").slice(-15).join("\n");
}
