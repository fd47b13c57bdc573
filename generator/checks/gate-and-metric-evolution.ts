import type { GateSnapshot } from "../evolution/snapshot.ts";
import type { EvolutionContext } from "./evolution-context.ts";
import { GATES_FILE, METRICS_FILE, namedPlace } from "./evolution-places.ts";
import { minorOf } from "./stability-policies.ts";

/** Number of releases in which a gate is still accepted after its feature became stable or was deprecated. */
const GATE_NOTICE: { readonly [stage: string]: number } = { stable: 2, deprecated: 1 };
/** Minimum number of releases from the introduction of a metric to its deprecation, and from its deprecation to its removal. */
const METRIC_LIFE = { STABLE: [4, 3], BETA: [2, 1], ALPHA: [0, 0] } as const;

/** Checks that alpha gates are off by default, and that the removal of a gate is announced. */
export function checkGates(context: EvolutionContext): void {
  const { api, released } = context;
  const former = new Map(released?.gates.map((gate) => [gate.name, JSON.stringify(gate)]));
  for (const gate of api.gates) if (former.get(gate.name) !== JSON.stringify(gate)) checkGate(context, gate);
}

function checkGate({ tree, report }: EvolutionContext, { name, steps, dropped }: GateSnapshot): void {
  const last = steps.at(-1);
  for (const { stage, since, enabled } of steps) {
    if (stage === "alpha" && enabled)
      report("evolution-gate-alpha-on", namedPlace(tree, GATES_FILE, name), { name, since });
  }
  const notice = GATE_NOTICE[last?.stage ?? ""] ?? 0;
  if (dropped === undefined || last === undefined) return;
  const place = namedPlace(tree, GATES_FILE, name);
  if (last.stage === "beta") report("evolution-gate-unwarned", place, { name, since: last.since, dropped });
  if (minorOf(dropped) - minorOf(last.since) >= notice) return;
  report("evolution-gate-dropped", place, { name, stage: last.stage, since: last.since, dropped, notice });
}

/** Checks that metrics are kept as long as their stability level promises. */
export function checkMetrics({ tree, model, api, released, report }: EvolutionContext): void {
  const placeOf = (name: string) => namedPlace(tree, METRICS_FILE, name);
  for (const { name, stability, introduced, deprecated } of api.metrics) {
    const [life] = METRIC_LIFE[stability];
    if (introduced === undefined || deprecated === undefined) continue;
    if (minorOf(deprecated) - minorOf(introduced) >= life) continue;
    report("evolution-metric-early", placeOf(name), { name, stability, introduced, deprecated, life });
  }
  const present = new Map(api.metrics.map(({ name, stability }) => [name, stability]));
  for (const { name, stability: former, deprecated } of released?.metrics ?? []) {
    const stability = present.get(name);
    if (stability !== undefined && METRIC_LIFE[stability][0] < METRIC_LIFE[former][0])
      report("evolution-metric-demoted", placeOf(name), { name, former, stability });
    const [, notice] = METRIC_LIFE[former];
    const isAnnounced = deprecated !== undefined && minorOf(model.release) - minorOf(deprecated) > notice;
    if (stability === undefined && !isAnnounced && former !== "ALPHA")
      report("evolution-metric-removed", placeOf(name), { name, stability: former, notice });
  }
}
