import type { ConfigMap } from "../../../api-definitions/core/v1/config-map.ts";
import { isAlreadyExists, isNotFound, type KindClient } from "../../../runtime/client.ts";

/** A write that the server acknowledged. */
export interface AckedWrite {
  readonly name: string;
  readonly uid: string;
  /** Undefined for a deletion, whose response does not contain it. */
  readonly version: number | undefined;
}

/** Creates, changes and deletes ConfigMaps concurrently, but never has two writes of the same object open. */
export class Writer {
  readonly acked: AckedWrite[] = [];
  /** Number of writes without a response, whose outcome is unknown. */
  unknown = 0;
  readonly #maps: KindClient<ConfigMap>;
  readonly #namespace: string;
  readonly #objects: number;
  readonly #random: () => number;
  /** UIDs of the objects that exist. */
  readonly #existing = new Map<string, string>();
  #count = 0;

  constructor(maps: KindClient<ConfigMap>, options: { namespace: string; objects: number; random: () => number }) {
    this.#maps = maps;
    this.#namespace = options.namespace;
    this.#objects = options.objects;
    this.#random = options.random;
  }

  /** Creates all objects that do not exist. */
  async fill(workers: number): Promise<void> {
    await this.#share(workers, async (worker) => {
      for (let index = worker; index < this.#objects; index += workers) await this.#write(`o-${index}`, "create");
    });
  }

  /** Makes random writes until the signal fires. */
  async run(workers: number, signal: AbortSignal): Promise<void> {
    await this.#share(workers, async (worker) => {
      const own = Math.floor(this.#objects / workers);
      while (!signal.aborted) {
        const name = `o-${Math.floor(this.#random() * own) * workers + worker}`;
        const exists = this.#existing.has(name);
        await this.#write(name, !exists ? "create" : this.#random() < 0.1 ? "delete" : "patch");
      }
    });
  }

  async #share(workers: number, work: (worker: number) => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  }

  async #write(name: string, how: "create" | "patch" | "delete"): Promise<void> {
    const key = { namespace: this.#namespace, name };
    const data = { count: String(++this.#count) };
    try {
      if (how === "delete") {
        await this.#maps.delete(key);
        this.acked.push({ name, uid: this.#existing.get(name) ?? "", version: undefined });
        this.#existing.delete(name);
        return;
      }
      const { metadata } =
        how === "create"
          ? await this.#maps.create({ metadata: key, data })
          : await this.#maps.patch(key, { merge: { data } });
      this.#existing.set(name, metadata.uid);
      this.acked.push({ name, uid: metadata.uid, version: Number(metadata.resourceVersion) });
    } catch (error) {
      // An earlier write without a response had taken effect.
      if (isAlreadyExists(error)) this.#existing.set(name, (await this.#uidOf(key)) ?? "");
      else if (isNotFound(error)) this.#existing.delete(name);
      else {
        this.unknown++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async #uidOf(key: { namespace: string; name: string }): Promise<string | undefined> {
    return this.#maps.get(key).then(
      ({ metadata }) => metadata.uid,
      () => undefined,
    );
  }
}
