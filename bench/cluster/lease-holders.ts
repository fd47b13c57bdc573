import { Client } from "../server/load.ts";
import type { Target } from "../server/server-process.ts";
import { lease, leasePath } from "./cluster-objects.ts";

/** Nodes that renew their leases in turn, like kubelets: each renewal contains the resourceVersion of the previous one. */
export class LeaseHolders {
  readonly #versions: string[];
  /** Nodes without an open request, in the order of their last renewal. */
  readonly #waiting: number[];
  #renewals = 0;

  private constructor(versions: string[]) {
    this.#versions = versions;
    this.#waiting = versions.map((_, node) => node);
  }

  /** Reads the lease of every node. */
  static async of(target: Target, nodes: number): Promise<LeaseHolders> {
    const client = new Client(target);
    const versions: string[] = [];
    for (let node = 0; node < nodes; node++) versions.push(versionOf(await client.send({ path: leasePath(node) })));
    client.close();
    return new LeaseHolders(versions);
  }

  /** Renews the lease with the oldest renewal. */
  async renew(client: Client): Promise<void> {
    const node = this.#waiting.shift();
    if (node === undefined) throw new Error("every node waits for the response to its last renewal");
    try {
      const { body } = lease(node, ++this.#renewals, this.#versions[node]);
      this.#versions[node] = versionOf(await client.send({ method: "PUT", path: leasePath(node), body }));
    } finally {
      this.#waiting.push(node);
    }
  }
}

function versionOf(body: Buffer): string {
  const version = /"resourceVersion":"(\d+)"/.exec(body.toString("utf8"))?.[1];
  if (version === undefined) throw new Error("the response has no resourceVersion");
  return version;
}
