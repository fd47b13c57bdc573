import type { Store } from "../../runtime/store/store.ts";
import { PatientClient } from "./patient-client.ts";
import type { Plan } from "./plan.ts";
import { below, type Random, randomOf } from "./random.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { NAMESPACES, TOKEN } from "./simulated-server.ts";
import type { World } from "./world.ts";

type Policy = "Background" | "Foreground" | "Orphan";

interface Stored {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

const FAMILIES = 2;
/** Kinds of the objects in a deleted namespace. */
const CONTENTS = ["configmaps", "secrets"] as const;
const POLICIES: readonly Policy[] = ["Background", "Foreground", "Orphan"];
const PAUSE_MS = 15;
/** Maximum time for controllers after all faults. Their retries wait up to 30 seconds. */
const PATIENCE_MS = 120_000;
const [HOME] = NAMESPACES;
const COLLECTION = `/api/v1/namespaces/${HOME}/configmaps`;

/**
 * Deletes owners, and namespaces with objects. Dependents must be deleted, remain as orphans, or remain because their reference was removed.
 * A deleted namespace must disappear with all of its objects.
 */
export class Owners {
  readonly problems: string[] = [];
  readonly #plan: Plan;
  readonly #client: PatientClient;
  readonly #servers: number;
  readonly #doomed: string[] = [];
  readonly #kept: string[] = [];
  readonly #namespaces: string[] = [];

  constructor(world: World, plan: Plan, servers: readonly SimulatedProcess[]) {
    this.#plan = plan;
    this.#servers = servers.length;
    this.#client = new PatientClient(world, servers, TOKEN);
  }

  async run(): Promise<void> {
    const { seed } = this.#plan;
    const families = Array.from({ length: FAMILIES }, (_, family) =>
      this.#family(family, randomOf(seed, `f${family}`)),
    );
    await Promise.all([...families, this.#namespace("ns-0", randomOf(seed, "namespace"))]);
  }

  /** Waits for the controllers, then checks the store itself for remaining objects, because caches may be wrong. */
  async finish(store: () => Store): Promise<void> {
    for (const path of this.#doomed)
      if ((await this.#client.until([404], "GET", path, undefined, PATIENCE_MS)) === undefined)
        this.problems.push(`garbage: ${path} has no owner and stays`);
    for (const path of this.#kept)
      if ((await this.#client.until([200, 404], "GET", path))?.status !== 200)
        this.problems.push(`garbage: ${path} was deleted although it had no owner reference any more`);
    for (const name of this.#namespaces) {
      if ((await this.#client.until([404], "GET", `/api/v1/namespaces/${name}`, undefined, PATIENCE_MS)) === undefined)
        this.problems.push(`namespaces: the deletion of ${name} comes to no end`);
      for (const kind of CONTENTS)
        for (const { key } of (await store().range({ prefix: `/registry/${kind}/${name}/` })).entries)
          this.problems.push(`namespaces: ${key} is left of a namespace that is gone`);
    }
  }

  /** Creates an owner with two dependents, and deletes it while the reference of one of them may be removed. */
  async #family(family: number, random: Random): Promise<void> {
    const policy = POLICIES[below(random, POLICIES.length)] as Policy;
    const owner = `own-${family}`;
    const uid = await this.#created(owner);
    if (uid === undefined) return;
    const dependents = [`dep-${family}-0`, `dep-${family}-1`];
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: owner, uid, blockOwnerDeletion: true };
    for (const name of dependents) if ((await this.#created(name, [reference])) === undefined) return;
    const [first, second] = dependents.map((name) => `${COLLECTION}/${name}`) as [string, string];
    const released = random() < 0.5 ? this.#release(second, random) : undefined;
    await this.#client.pause(below(random, PAUSE_MS));
    await this.#client.until([200, 404], "DELETE", `${COLLECTION}/${owner}`, { propagationPolicy: policy });
    if (policy === "Foreground") await this.#goesLast(`${COLLECTION}/${owner}`, first);
    (policy === "Orphan" ? this.#kept : this.#doomed).push(first);
    const outcome = released === undefined ? "bound" : await released;
    if (policy === "Orphan" || outcome === "released") this.#kept.push(second);
    else if (outcome === "bound") this.#doomed.push(second);
  }

  /** Checks that an owner with foreground deletion exists as long as a dependent that blocks its deletion. */
  async #goesLast(owner: string, dependent: string): Promise<void> {
    if ((await this.#client.until([404], "GET", owner, undefined, PATIENCE_MS)) === undefined)
      this.problems.push(`garbage: the deletion of ${owner} in the foreground comes to no end`);
    else if ((await this.#client.until([200, 404], "GET", dependent))?.status === 200)
      this.problems.push(`garbage: ${owner} was deleted in the foreground before ${dependent}`);
  }

  /** Removes the references of a dependent if it still exists. `unknown`: it cannot be determined whether that happened. */
  async #release(path: string, random: Random): Promise<"released" | "bound" | "unknown"> {
    await this.#client.pause(below(random, PAUSE_MS * 3));
    const answer = await this.#client.try(below(random, this.#servers), "PATCH", path, {
      metadata: { ownerReferences: null },
    });
    if (answer === undefined) return "unknown";
    return answer.status === 200 ? "released" : "bound";
  }

  /** Creates an object. Returns its UID; undefined if it was deleted immediately. */
  async #created(name: string, ownerReferences: readonly object[] = []): Promise<string | undefined> {
    await this.#client.until([201, 409], "POST", COLLECTION, { metadata: { name, ownerReferences } });
    const found = await this.#client.until([200, 404], "GET", `${COLLECTION}/${name}`);
    return found?.status === 200 ? (found.body as Stored).metadata.uid : undefined;
  }

  /** Deletes a namespace while objects are created in it. */
  async #namespace(name: string, random: Random): Promise<void> {
    const path = `/api/v1/namespaces/${name}`;
    await this.#client.until([201, 409], "POST", "/api/v1/namespaces", { metadata: { name } });
    const fill = async (from: number): Promise<void> => {
      for (let index = 0; index < 4; index++) {
        const object = { metadata: { name: `content-${from + index}` } };
        const kind = CONTENTS[index % CONTENTS.length];
        await this.#client.try(below(random, this.#servers), "POST", `${path}/${kind}`, object);
        await this.#client.pause(below(random, PAUSE_MS));
      }
    };
    const filled = [fill(0), fill(4)];
    await this.#client.pause(below(random, PAUSE_MS * 2));
    this.#namespaces.push(name);
    await this.#client.until([200, 202, 404, 409], "DELETE", path);
    await Promise.all(filled);
  }
}
