import { below, type Random, randomOf } from "./random.ts";

/** A fault and its time, in milliseconds after the start of the clients. */
export interface Fault {
  readonly at: number;
  readonly kind: FaultKind;
}

/**
 *     crash      a server ends at any point and starts again with the data on disk
 *     restart    a server is stopped like by SIGTERM and starts again
 *     cut        all client connections break
 *     full       the disk is full for some time
 *     away       a server cannot reach its store for some time
 *     compact    history is compacted up to the current revision
 */
export type FaultKind = "crash" | "restart" | "cut" | "full" | "away" | "compact";

/** Everything that determines a run. Shrinking reduces it. */
export interface Plan {
  readonly seed: number;
  /** `embedded`: one server over its own store. `shared`: two servers over one remote store, as with etcd. */
  readonly store: "embedded" | "shared";
  readonly clients: number;
  /** Requests per client. */
  readonly operations: number;
  readonly watchers: number;
  readonly keys: number;
  /** Probability that a request or response is lost with its connection. */
  readonly loss: number;
  /** Probability that the machine stalls, per turn. */
  readonly stalls: number;
  readonly faults: readonly Fault[];
  /** Whether servers use priority and fairness, which takes a fifth of the duration of a start. */
  readonly fairness: boolean;
  /** Whether servers authorize with RBAC, and a role binding is created and deleted. */
  readonly rbac: boolean;
  /** Whether servers run controllers, and owners and namespaces are deleted. */
  readonly controllers: boolean;
}

const EMBEDDED: readonly FaultKind[] = ["crash", "restart", "cut", "full", "compact"];
const SHARED: readonly FaultKind[] = ["crash", "restart", "cut", "away", "compact"];

export function planOf(seed: number): Plan {
  const random = randomOf(seed, "plan");
  const store = random() < 0.6 ? "embedded" : "shared";
  const isCalm = random() < 0.2;
  const [clients, operations] = [2 + below(random, 3), 4 + below(random, 7)];
  return {
    seed,
    store,
    clients,
    operations,
    watchers: 1 + below(random, 3),
    keys: 1 + below(random, 3),
    loss: isCalm ? 0 : random() * 0.1,
    stalls: random() < 0.3 ? 0.01 : 0,
    faults: isCalm ? [] : faultsOf(random, store === "embedded" ? EMBEDDED : SHARED, operations * 8),
    fairness: random() < 0.25,
    rbac: random() < 0.25,
    controllers: random() < 0.25,
  };
}

function faultsOf(random: Random, kinds: readonly FaultKind[], withinMs: number): Fault[] {
  const faults = Array.from({ length: below(random, 4) }, () => ({
    at: below(random, withinMs),
    kind: kinds[below(random, kinds.length)] ?? "cut",
  }));
  return faults.sort((a, b) => a.at - b.at);
}
