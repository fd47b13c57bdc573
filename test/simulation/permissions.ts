import { PatientClient } from "./patient-client.ts";
import type { Plan } from "./plan.ts";
import { below, type Random, randomOf } from "./random.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { LIMITED, NAMESPACES, ROLE, TOKEN } from "./simulated-server.ts";
import type { World } from "./world.ts";

/** A time in which a user certainly has the role, or certainly has not. */
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
/** A server over another store hears of a binding by a watch, which takes at most so long: five messages one after another, 12 ms each. */
const WATCH_LAG_MS = 60;
/** How long it may take in the end, when nothing is in the way any more. */
const PATIENCE_MS = 5000;

const [BOUND, UNBOUND] = NAMESPACES;
const BINDINGS = `/apis/rbac.authorization.k8s.io/v1/namespaces/${BOUND}/rolebindings`;

/**
 * A user without rights uses objects while a role is bound to it and unbound again. Over the embedded store an acknowledged binding
 * decides every later request; over another store, every request that comes later than its watch takes.
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

  /** When faults are over, every server learns the last binding, and that it is gone. */
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
    // Creations of unknown outcome may have left a binding.
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
        // It may still be created by a request that is under way: nothing is certain any more.
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
