import { Environment as PeerEnvironment } from "@marcbachmann/cel-js";
import { Budget, CompiledExpression, createEnvironment } from "../../runtime/cel/cel.ts";
import { typeOfSchema } from "../../runtime/cel/schema/schema-type.ts";
import { fromStructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { ratesSideBySide } from "./rounds.ts";
import { RULES, SCHEMA, WORKLOAD } from "./rules.ts";

export interface RuleFigures {
  readonly name: string;
  readonly compileMicroseconds: number;
  /** Evaluations per second. */
  readonly ours: number;
  readonly byHand: number;
  readonly peer: number;
  /** Whether the other library accepts JSON numbers for the rule, or needs integers converted to BigInts. */
  readonly peerTakes: "JSON" | "BigInt";
}

export interface HostileFigures {
  readonly name: string;
  readonly outcome: string;
  readonly milliseconds: number;
}

const COMPILATIONS = 200;
const self = typeOfSchema(fromStructuralSchema(SCHEMA, "kubernetes"))!;
const environment = createEnvironment({ variables: { self } });

function compile(rule: string): CompiledExpression {
  const compiled = environment.compile(rule);
  if (!(compiled instanceof CompiledExpression)) throw new Error(compiled[0]?.display);
  return compiled;
}

/** Measures ten realistic rules: our compilation and evaluation, the same rules as handwritten functions, and evaluation by another library. */
export function benchRules(milliseconds = 8): RuleFigures[] {
  const peers = new PeerEnvironment().registerVariable("self", "dyn");
  return RULES.map(({ name, rule, byHand }) => {
    const started = performance.now();
    for (let i = 0; i < COMPILATIONS; i++) compile(rule).evaluate({ self: WORKLOAD });
    const compileMicroseconds = ((performance.now() - started) / COMPILATIONS) * 1000;
    const compiled = compile(rule);
    const bindings = { self: WORKLOAD };
    const budget = new Budget(Number.MAX_SAFE_INTEGER);
    const parsed = peers.parse(rule);
    const peerTakes = takes(() => parsed({ self: WORKLOAD })) ? "JSON" : "BigInt";
    const peerBindings = { self: peerTakes === "JSON" ? WORKLOAD : withBigInts(WORKLOAD) };
    const rates = ratesSideBySide(
      {
        ours: () => compiled.run(bindings, budget),
        byHand: () => byHand(WORKLOAD),
        peer: () => parsed(peerBindings),
      },
      milliseconds,
    );
    return { name, compileMicroseconds, peerTakes, ...rates };
  });
}

function takes(run: () => unknown): boolean {
  try {
    return run() === true;
  } catch {
    return false;
  }
}

/** Returns the object with integers as BigInts. The other library treats JSON numbers as doubles. */
function withBigInts(value: unknown): unknown {
  if (typeof value === "number") return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigInts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBigInts(item)]));
}

/** Measures expressions that are designed to run very long. Each must end, because it is cheap or because of its budget. */
export function benchHostile(): HostileFigures[] {
  const text = `${"a".repeat(20_000)}!`;
  const items = Array.from({ length: 200 }, (_, i) => ({ name: `n${i}`, port: i, protocol: "TCP" }));
  const cases: readonly [string, string][] = [
    ["a pattern that backtracks", "self.name.matches('^(a+)+$') || self.name.matches('(a|aa)+b')"],
    [
      "comprehensions within comprehensions",
      "self.ports.all(a, self.ports.all(b, self.ports.all(c, self.ports.all(d, a.port + b.port + c.port + d.port >= 0))))",
    ],
  ];
  return cases.map(([name, rule]) => {
    const compiled = compile(rule);
    const started = performance.now();
    const result = compiled.evaluate({ self: { ...WORKLOAD, name: text, ports: items } });
    const outcome = result.ok ? `answers ${String(result.value)}` : result.error.message;
    return { name, outcome, milliseconds: performance.now() - started };
  });
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** Prints the figures side by side. */
export function reportCel(): void {
  const figures = benchRules();
  console.log("rule".padEnd(26), "compile µs", "evaluations/s", "of hand-written", "of cel-js");
  for (const { name, compileMicroseconds, ours, byHand, peer, peerTakes } of figures)
    console.log(
      name.padEnd(26),
      compileMicroseconds.toFixed(0).padStart(10),
      Math.round(ours).toLocaleString("en-US").padStart(13),
      `${(byHand / ours).toFixed(1)}x its time`.padStart(15),
      `${(ours / peer).toFixed(1)}x`.padStart(9),
      peerTakes === "JSON" ? "" : "(with its integers converted to BigInts beforehand)",
    );
  const hand = geometricMean(figures.map(({ ours, byHand }) => byHand / ours));
  const peers = figures.map(({ ours, peer }) => ours / peer);
  console.log(
    `mean: ${hand.toFixed(1)} times the time of hand-written, ${geometricMean(peers).toFixed(1)} times cel-js`,
  );
  for (const { name, outcome, milliseconds } of benchHostile())
    console.log(`${name}: ${outcome}, after ${milliseconds.toFixed(0)} ms`);
}

if (process.argv[1] === import.meta.filename) reportCel();
