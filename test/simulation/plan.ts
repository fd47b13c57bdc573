import { below, type Random, randomOf } from "./random.ts";

/** What goes wrong, and when: milliseconds after the clients have begun. */
export interface Fault {
  readonly at: number;
  readonly kind: FaultKind;
}

/**
 *     crash      a server ends in the middle of whatever it does and starts again over what is on disk
 *     restart    a server is stopped as by SIGTERM and starts again
 *     cut        all connections of clients break
 *     full       the disk is full for a while
 *     away       a server cannot reach its store for a while
 *     compact    history is compacted up to now
 */
export type FaultKind = "crash" | "restart" | "cut" | "full" | "away" | "compact";

/** Everything that decides a run. Shrinking makes it smaller. */
export interface Plan {
  readonly seed: number;
  /** `embedded`: one server over its own store. `shared`: two servers over one store in another place, as over etcd. */
  readonly store: "embedded" | "shared";
  readonly clients: number;
  /** Requests of each client. */
  readonly operations: number;
  readonly watchers: number;
  readonly keys: number;
  /** Chance of a request, and of a response, to be lost with its connection. */
  readonly loss: number;
  /** Chance of the machine to stand still, in every turn. */
  readonly stalls: number;
  readonly faults: readonly Fault[];
  /** Whether servers have priority and fairness, which takes a fifth of the time of a start. */
  readonly fairness: boolean;
  /** Whether servers authorize with RBAC, and a role is bound to a user and unbound. */
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
