import type { Plan } from "./plan.ts";
import { type RunOptions, type RunResult, runPlan } from "./run-plan.ts";
import { type Beginning, prepareBeginning } from "./simulated-server.ts";

const EVERYTHING = {
  seed: 0,
  clients: 4,
  operations: 20,
  watchers: 3,
  keys: 3,
  loss: 0.05,
  stalls: 0,
  fairness: true,
  rbac: true,
  controllers: true,
};

/** Plans that load every module that a server loads on first use. */
const WARM_UP: readonly Plan[] = [
  {
    ...EVERYTHING,
    store: "embedded",
    faults: (["cut", "full", "compact", "restart", "crash"] as const).map((kind, index) => ({ at: index * 60, kind })),
  },
  {
    ...EVERYTHING,
    store: "shared",
    fairness: false,
    faults: (["cut", "away", "compact", "restart", "crash"] as const).map((kind, index) => ({ at: index * 60, kind })),
  },
];

/** Runs plans in this process. */
export class Simulation {
  readonly #beginning: Beginning;

  private constructor(beginning: Beginning) {
    this.#beginning = beginning;
  }

  /** Starts a server once in real time and loads all lazily loaded modules, because files are not part of the simulated world. */
  static async prepare(): Promise<Simulation> {
    const simulation = new Simulation(await prepareBeginning());
    for (const plan of WARM_UP) await simulation.run(plan);
    return simulation;
  }

  run(plan: Plan, options: RunOptions = {}): Promise<RunResult> {
    const { config } = this.#beginning;
    const { controllers } = plan;
    const budgets = { ...config.budgets, fairness: plan.fairness };
    const authorizationModes = [plan.rbac ? "RBAC" : "AlwaysAllow"];
    const changed = { ...config, budgets, authorizationModes, controllers, ...options.defect?.config };
    return runPlan({ ...this.#beginning, config: changed }, plan, options);
  }
}
