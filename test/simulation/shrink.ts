import type { Plan } from "./plan.ts";

/** Returns reduced plans, those with the largest reduction first. */
function smaller(plan: Plan): Plan[] {
  const { faults, operations, clients, watchers, keys, loss, stalls, fairness, rbac, controllers } = plan;
  const half = Math.ceil(operations / 2);
  return [
    ...(faults.length > 1 ? [{ ...plan, faults: [] }] : []),
    ...faults.map((_, index) => ({ ...plan, faults: faults.filter((__, other) => other !== index) })),
    ...(clients > 1 ? [{ ...plan, clients: clients - 1 }] : []),
    ...(half < operations ? [{ ...plan, operations: half }] : []),
    ...(operations > 1 ? [{ ...plan, operations: operations - 1 }] : []),
    ...(watchers > 1 ? [{ ...plan, watchers: watchers - 1 }] : []),
    ...(keys > 1 ? [{ ...plan, keys: keys - 1 }] : []),
    ...(loss > 0 ? [{ ...plan, loss: 0 }] : []),
    ...(stalls > 0 ? [{ ...plan, stalls: 0 }] : []),
    ...(fairness ? [{ ...plan, fairness: false }] : []),
    ...(rbac ? [{ ...plan, rbac: false }] : []),
    ...(controllers ? [{ ...plan, controllers: false }] : []),
  ];
}

/** Number of seeds that are tried before a reduced plan counts as passing, because its schedule differs. */
const SEEDS_EACH = 8;

/** Returns the smallest failing plan that was found. Calls `fails` at most `mostRuns` times. */
export async function shrink(failing: Plan, fails: (plan: Plan) => Promise<boolean>, mostRuns = 300): Promise<Plan> {
  let [smallest, runs] = [failing, 0];
  const firstFailing = async (): Promise<Plan | undefined> => {
    for (const plan of smaller(smallest))
      for (let offset = 0; offset < SEEDS_EACH && runs < mostRuns; offset++) {
        runs++;
        // A seed has 32 bits. The highest ones distinguish the attempts.
        const tried = { ...plan, seed: (plan.seed + offset * 0x01000000) >>> 0 };
        if (await fails(tried)) return tried;
      }
    return undefined;
  };
  for (let found = await firstFailing(); found !== undefined; found = await firstFailing()) smallest = found;
  return smallest;
}
