import { PatientClient } from "./patient-client.ts";
import type { Plan } from "./plan.ts";
import { below, type Random, randomOf } from "./random.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { LIMITED, NAMESPACES, ROLE, TOKEN } from "./simulated-server.ts";
import type { World } from "./world.ts";

/** A period in which a user certainly has the role, or certainly does not. */
interface Interval {
  readonly isBound: boolean;
  readonly from: number;
  until: number;
}

interface Use {
  readonly namespace: string;
  readonly called: number;
  readonly returned: number;
  readonly isServed: boolean;
}

const ROUNDS = 3;
const USERS = 2;
const USES = 10;
const PAUSE_MS = 12;
/** Maximum delay until a server over a shared store learns of a binding through its watch: five consecutive messages of at most 12 ms. */
const WATCH_LAG_MS = 60;
/** Maximum delay after all faults. */
const PATIENCE_MS = 5000;

const [BOUND, UNBOUND] = NAMESPACES;
const BINDINGS = `/apis/rbac.authorization.k8s.io/v1/namespaces/${BOUND}/rolebindings`;

/**
 * A user without permissions uses objects while a role binding for it is created and deleted. Over the embedded store, an acknowledged
 * binding applies to every later request; over a shared store, to every request after the delay of the watch.
 */
export class Permissions {
  readonly problems: string[] = [];
  readonly #world: World;
  readonly #admin: PatientClient;
  readonly #user: PatientClient;
  readonly #plan: Plan;
  readonly #servers: number;
  readonly #intervals: Interval[] = [];
  readonly #uses: Use[] = [];

  constructor(world: World, plan: Plan, servers: readonly SimulatedProcess[]) {
    this.#world = world;
    this.#plan = plan;
    this.#servers = servers.length;
    this.#admin = new PatientClient(world, servers, TOKEN);
    this.#user = new PatientClient(world, servers, LIMITED);
  }

  async run(): Promise<void> {
    const { seed } = this.#plan;
    const users = Array.from({ length: USERS }, (_, user) => this.#use(randomOf(seed, `user ${user}`)));
    await Promise.all([this.#bindAndUnbind(randomOf(seed, "binder")), ...users]);
  }

  /** Checks that after the faults every server learns of the last binding and of its deletion. */
  async finish(): Promise<void> {
    for (const isBound of [true, false]) {
      const name = "last";
      if (isBound) await this.#admin.until([201, 409], "POST", BINDINGS, binding(name));
      else await this.#admin.until([200, 404], "DELETE", `${BINDINGS}/${name}`);
      for (let server = 0; server < this.#servers; server++) await this.#learns(server, isBound);
    }
    this.#check();
  }

  async #learns(server: number, isBound: boolean): Promise<void> {
    // Creations with unknown outcome may have left a binding.
    if (!isBound && this.#intervals.at(-1)?.until === Number.NEGATIVE_INFINITY) return;
    for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
      const answer = await this.#user.try(server, "GET", pathOf(BOUND));
      if (answer !== undefined && (answer.status !== 403) === isBound) return;
      await this.#user.pause(PAUSE_MS);
    }
    this.problems.push(`permissions: server ${server} never learned that the role is ${isBound ? "bound" : "unbound"}`);
  }

  async #bindAndUnbind(random: Random): Promise<void> {
    this.#begin(false);
    for (let round = 0; round < ROUNDS; round++) {
      await this.#admin.pause(below(random, PAUSE_MS * 4));
      const path = `${BINDINGS}/round-${round}`;
      this.#end();
      const created = await this.#admin.try(below(random, this.#servers), "POST", BINDINGS, binding(`round-${round}`));
      if (created?.status === 201) {
        this.#begin(true);
        await this.#admin.pause(below(random, PAUSE_MS * 4));
        this.#end();
        await this.#admin.until([200, 404], "DELETE", path);
      } else if ((await this.#admin.until([200], "DELETE", path, undefined, PAUSE_MS * 20)) === undefined) {
        // An open request may still create it, so nothing is certain from here on.
        this.#intervals.push({ isBound: false, from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY });
        return;
      }
      this.#begin(false);
    }
  }

  #begin(isBound: boolean): void {
    this.#intervals.push({ isBound, from: this.#world.elapsed, until: Number.POSITIVE_INFINITY });
  }

  #end(): void {
    const last = this.#intervals.at(-1);
    if (last !== undefined) last.until = this.#world.elapsed;
  }

  async #use(random: Random): Promise<void> {
    for (let use = 0; use < USES; use++) {
      const namespace = random() < 0.8 ? BOUND : UNBOUND;
      const called = this.#world.elapsed;
      const path = random() < 0.5 ? pathOf(namespace) : `${pathOf(namespace)}/nothing`;
      const answer = await this.#user.try(below(random, this.#servers), "GET", path);
      if (answer !== undefined)
        this.#uses.push({ namespace, called, returned: this.#world.elapsed, isServed: answer.status !== 403 });
      await this.#user.pause(below(random, PAUSE_MS));
    }
  }

  #check(): void {
    const lag = this.#lag();
    for (const { namespace, called, returned, isServed } of this.#uses) {
      const when = `at ${called.toFixed(3)} to ${returned.toFixed(3)}`;
      if (namespace === UNBOUND && isServed) this.problems.push(`permissions: served without any binding, ${when}`);
      if (namespace === UNBOUND) continue;
      const during = this.#intervals.find(({ from, until }) => called >= from + lag && returned <= until);
      if (during !== undefined && during.isBound !== isServed)
        this.problems.push(
          `permissions: ${isServed ? "served" : "refused"} although the role was ${during.isBound ? "bound" : "unbound"} at ${during.from.toFixed(3)}, ${when}`,
        );
    }
  }

  #lag(): number {
    const { store, stalls, faults } = this.#plan;
    if (store === "embedded") return 0;
    const isDisturbed = stalls > 0 || faults.some(({ kind }) => kind === "away" || kind === "compact");
    return isDisturbed ? Number.POSITIVE_INFINITY : WATCH_LAG_MS;
  }
}

function pathOf(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function binding(name: string): object {
  return {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: ROLE },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: LIMITED }],
  };
}
