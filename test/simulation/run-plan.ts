import { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import type { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import type { Store } from "../../runtime/store/store.ts";
import { checkLinearizable } from "../linearizable/check-linearizable.ts";
import { checkWatches } from "../linearizable/check-watches.ts";
import type { History, WatchStep } from "../linearizable/history.ts";
import { Clients } from "./clients.ts";
import type { Defect } from "./defects.ts";
import { Owners } from "./owners.ts";
import { Permissions } from "./permissions.ts";
import type { Fault, Plan } from "./plan.ts";
import { enter, leave } from "./replaced-globals.ts";
import { SimulatedDisk } from "./simulated-disk.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { type Beginning, NAMESPACES } from "./simulated-server.ts";
import { StoreConnection } from "./store-connection.ts";
import { StuckError, World } from "./world.ts";

export interface RunOptions {
  readonly defect?: Defect | undefined;
  readonly keepsTrace?: boolean;
}

export interface RunResult {
  /** Violated guarantees; empty for a successful run. */
  readonly problems: readonly string[];
  /** Equal for two runs with identical events. */
  readonly hash: string;
  readonly trace: readonly string[];
  readonly turns: number;
  readonly requests: number;
  readonly events: number;
}

/** A run takes about one second of simulated time and some thousands of turns. A run that reaches these limits makes no progress. */
const LIMITS = { elapsedMs: 10 * 60_000, turns: 200_000 };
/** Duration of temporary faults, and of the restart of a server. */
const FAULT_MS = 40;
/** Log messages that faults cause. */
const EXPECTED_LOGS = /the connection is cut|the store has no space left/;
const HISTORY_MS = 5 * 60_000;

/** Runs a plan in its own world and checks what clients received. */
export async function runPlan(beginning: Beginning, plan: Plan, options: RunOptions = {}): Promise<RunResult> {
  const world = new World(plan.seed, { keepsTrace: options.keepsTrace ?? false, stallChance: plan.stalls });
  const cluster = new Cluster(world, beginning, plan, options.defect);
  enter(world);
  const { stackTraceLimit } = Error;
  // Most errors of a run are responses, whose stack is needed only if the run is printed.
  Error.stackTraceLimit = options.keepsTrace ? stackTraceLimit : 0;
  try {
    await world.run(cluster.run(), LIMITS);
  } catch (error) {
    const what = error instanceof StuckError ? error.message : String((error as Error).stack);
    cluster.problems.push(`stuck: ${what}`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    leave();
  }
  const { operations, lists, watches } = cluster.clients;
  return {
    problems: [...cluster.problems, ...checkHistories(cluster.clients), ...unexpectedStatuses(plan, cluster.clients)],
    hash: world.hash,
    trace: world.trace,
    turns: world.turns,
    requests: operations.length + lists.length,
    events: watches.reduce((sum, { steps }) => sum + steps.length, 0),
  };
}

/** Servers, their store, and the faults. */
class Cluster {
  readonly problems: string[] = [];
  readonly clients: Clients;
  readonly #permissions: Permissions | undefined;
  readonly #owners: Owners | undefined;
  readonly #world: World;
  readonly #plan: Plan;
  readonly #defect: Defect | undefined;
  readonly #processes: readonly SimulatedProcess[];
  readonly #connections: (StoreConnection | undefined)[] = [];
  #disk: SimulatedDisk;
  /** The store that all servers share, or that of the only server. */
  #store: Store;
  /** Servers with a current fault. */
  readonly #isBusy = new Set<number>();

  constructor(world: World, beginning: Beginning, plan: Plan, defect: Defect | undefined) {
    this.#world = world;
    this.#plan = plan;
    this.#defect = defect;
    this.#disk = this.#diskOf(beginning.tables.fork());
    this.#store = this.#storeOf(this.#disk);
    this.#processes = Array.from(
      { length: plan.store === "shared" ? 2 : 1 },
      (_, index) =>
        new SimulatedProcess({
          world,
          beginning,
          name: `server ${index}`,
          openStore: () => this.#openStore(index),
          loss: plan.loss,
          logged: (message) => void (EXPECTED_LOGS.test(message) || this.problems.push(`logged: ${message}`)),
        }),
    );
    this.clients = new Clients(world, plan, this.#processes);
    if (plan.rbac) this.#permissions = new Permissions(world, plan, this.#processes);
    if (plan.controllers) this.#owners = new Owners(world, plan, this.#processes);
  }

  async run(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.start()));
    await this.clients.watch();
    const faults = this.#plan.faults.map((fault) => this.#cause(fault));
    await Promise.all([this.clients.write(), this.#permissions?.run(), this.#owners?.run()]);
    await Promise.all(faults);
    await this.clients.finish();
    await this.#permissions?.finish();
    await this.#owners?.finish(() => this.#store);
    this.problems.push(...(this.#permissions?.problems ?? []), ...(this.#owners?.problems ?? []));
    await Promise.all(this.#processes.map((process) => process.stop()));
    await this.#store.close();
  }

  async #cause({ at, kind }: Fault): Promise<void> {
    await this.#after(at);
    const index = this.#world.choose(this.#processes.length);
    const process = this.#processes[index] as SimulatedProcess;
    // Faults do not overlap: a server that is starting is not stopped.
    if (this.#isBusy.has(index)) return;
    this.#world.note(`FAULT ${kind} server ${index}`);
    this.#isBusy.add(index);
    try {
      await this.#befall(kind, index, process);
    } finally {
      this.#isBusy.delete(index);
    }
  }

  async #befall(kind: Fault["kind"], index: number, process: SimulatedProcess): Promise<void> {
    switch (kind) {
      case "cut":
        for (const each of this.#processes) each.cut();
        break;
      case "full":
        this.#disk.isFull = true;
        await this.#after(FAULT_MS);
        this.#disk.isFull = false;
        break;
      case "away":
        this.#connections[index]?.cut();
        await this.#after(FAULT_MS);
        this.#connections[index]?.mend();
        break;
      case "compact":
        // Another fault may make the call fail.
        await this.#store
          .currentRevision()
          .then((revision) => this.#store.compact(revision))
          .catch(() => undefined);
        break;
      case "crash":
        process.crash();
        if (this.#plan.store === "embedded") this.#disk = this.#diskOf(this.#disk.crash());
        else await this.#connections[index]?.close();
        await this.#after(this.#world.choose(FAULT_MS));
        await process.start();
        break;
      case "restart":
        await process.stop();
        if (this.#plan.store === "embedded") this.#disk = this.#diskOf(this.#disk.crash());
        await process.start();
        break;
    }
  }

  #openStore(index: number): Store {
    if (this.#plan.store === "embedded") {
      this.#store = this.#storeOf(this.#disk);
      return this.#broken(this.#store);
    }
    const connection = new StoreConnection(this.#world, this.#store);
    this.#connections[index] = connection;
    return this.#broken(connection);
  }

  #broken(store: Store): Store {
    return this.#defect?.breakStore?.(store, this.#world) ?? store;
  }

  #diskOf(tables: MemoryEngine): SimulatedDisk {
    return new SimulatedDisk(this.#world, tables, { acknowledgesEarly: this.#defect?.acknowledgesEarly ?? false });
  }

  #storeOf(disk: SimulatedDisk): Store {
    return new EmbeddedStore({
      engine: disk,
      clock: this.#world.clock(() => disk === this.#disk),
      historyMs: HISTORY_MS,
    });
  }

  #after(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#world.timer(milliseconds, resolve, "fault"));
  }
}

/** Checks the linearizability of each object, and the guarantees of watches. */
function checkHistories(clients: Clients): string[] {
  const problems = new Set<string>();
  for (const namespace of NAMESPACES) {
    const all = historyOf(clients, namespace);
    for (const problem of checkWatches(all)) problems.add(problem);
    const lists = clients.lists.filter(({ isCurrent }) => isCurrent);
    for (const problem of checkLinearizable(historyOf({ ...selected(clients), lists }, namespace)))
      problems.add(problem);
  }
  for (const problem of checkWatches(historyOf(clients, undefined))) problems.add(problem);
  return [...problems];
}

type Recorded = Pick<Clients, "operations" | "lists" | "watches">;

function selected({ operations, lists, watches }: Clients): Recorded {
  return { operations, lists, watches };
}

/**
 * Returns the history of a namespace, including what clients with a wider scope recorded. Without a namespace, returns only what the latter
 * recorded.
 */
function historyOf({ operations, lists, watches }: Recorded, namespace: string | undefined): History {
  const isIn = (key: string): boolean => namespace === undefined || key.startsWith(`${namespace}/`);
  const sees = ({ scope }: { readonly scope: string | undefined }): boolean =>
    scope === undefined || scope === namespace;
  const ofNamespace = (step: WatchStep): boolean => step.step !== "event" || isIn(step.key);
  return {
    operations: operations.filter(({ key }) => isIn(key)),
    lists: lists
      .filter(sees)
      .map((list) => ({ ...list, items: new Map([...list.items].filter(([key]) => isIn(key))) })),
    watches: watches.filter(sees).map(({ name, steps }) => ({ name, steps: steps.filter(ofNamespace) })),
  };
}

/** Returns unexpected statuses. Without faults a server has no reason to fail. */
function unexpectedStatuses({ faults }: Plan, { problems }: Clients): readonly string[] {
  const isExplained = faults.some(({ kind }) => kind !== "cut" && kind !== "compact");
  return isExplained ? problems.filter((problem) => !problem.startsWith("status: ")) : problems;
}
