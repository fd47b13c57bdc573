import { createHook } from "node:async_hooks";
import { beforeAll, describe, expect, it } from "vitest";
import { DEFECTS, type Defect } from "./defects.ts";
import { type Plan, planOf } from "./plan.ts";
import { shrink } from "./shrink.ts";
import { Simulation } from "./simulation.ts";

/**
 * Maximum number of seeds until a defective server must be detected. The rarest defect shows with one seed in nine: with 25 seeds, one change of the
 * server in twenty would hide it by chance.
 */
const BOUND = 100;

describe("a simulated server", () => {
  let simulation: Simulation;
  beforeAll(async () => {
    simulation = await Simulation.prepare();
  });

  const seedOf = (store: Plan["store"]): number => {
    for (let seed = 1; ; seed++) if (planOf(seed).store === store) return seed;
  };

  it.each(["embedded", "shared"] as const)(
    "over a store that is %s repeats a run exactly for the same seed",
    async (store) => {
      const plan = planOf(seedOf(store));
      const [first, second] = [
        await simulation.run(plan, { keepsTrace: true }),
        await simulation.run(plan, { keepsTrace: true }),
      ];
      expect(second.trace).toEqual(first.trace);
      expect(second.hash).toBe(first.hash);
      expect(first.requests).toBeGreaterThan(10);
      const other = await simulation.run({ ...plan, seed: plan.seed + 1 });
      expect(other.hash).not.toBe(first.hash);
    },
  );

  it("uses no timer, file or thread of the real world during a run", async () => {
    const used = new Set<string>();
    const note = (type: string): void => {
      // Node itself and the test runner have timers, too, and the simulation runs every turn in an immediate.
      if (!["Timeout", "Immediate"].includes(type) || new Error().stack?.includes("/runtime/")) used.add(type);
    };
    const hook = createHook({ init: (_, type) => note(type) }).enable();
    try {
      // Stacks are recorded only in runs that keep a trace.
      await simulation.run(planOf(seedOf("shared")), { keepsTrace: true });
    } finally {
      hook.disable();
    }
    // The histogram is a metric of the event loop.
    const allowed = ["PROMISE", "TickObject", "Microtask", "ELDHISTOGRAM"];
    expect([...used].filter((type) => !allowed.includes(type))).toEqual([]);
  });

  it("keeps every promise under crashes, restarts, cut connections, a full disk, compaction and an unreachable store", async () => {
    for (let seed = 100; seed < 112; seed++) {
      const { problems } = await simulation.run(planOf(seed));
      expect(problems, `make simulate SEED=${seed}`).toEqual([]);
    }
  });

  it.each(["embedded", "shared"] as const)(
    "keeps the promises of roles, owners and namespaces over a store that is %s",
    async (store) => {
      for (let seed = 200; seed < 205; seed++) {
        const plan = { ...planOf(seed), faults: [], store, rbac: true, controllers: true };
        const [first, second] = [await simulation.run(plan), await simulation.run(plan)];
        expect(first.problems, JSON.stringify(plan)).toEqual([]);
        expect(second.hash).toBe(first.hash);
      }
    },
  );

  /** Returns the first seed for which the checks detect a defect. */
  const caughtBy = async (defect: Defect): Promise<number | undefined> => {
    for (let seed = 1; seed <= BOUND; seed++) {
      const { problems } = await simulation.run({ ...planOf(seed), ...defect.needs }, { defect });
      if (problems.some((problem) => defect.foundAs.test(problem))) return seed;
    }
    return undefined;
  };

  it.each(Object.entries<Defect>(DEFECTS))("is caught if %s", async (_, defect) => {
    expect(await caughtBy(defect)).toBeDefined();
  });

  it("that fails is shrunk to a smaller plan that still fails", async () => {
    const defect = DEFECTS["a write does not compare the revision"];
    const fails = async (plan: Plan): Promise<boolean> =>
      (await simulation.run(plan, { defect })).problems.some((problem) => defect.foundAs.test(problem));
    const failing = planOf((await caughtBy(defect)) ?? 0);
    const smallest = await shrink(failing, fails, 25);
    expect(await fails(smallest)).toBe(true);
    const sizeOf = (plan: Plan): number => plan.clients * plan.operations + plan.faults.length;
    expect(sizeOf(smallest)).toBeLessThan(sizeOf(failing));
  });
});
