/** The watches of all nodes, in a separate thread: each node follows its own pods, controllers follow all objects. */
import { once } from "node:events";
import { request } from "node:https";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { Target } from "../server/server-process.ts";
import { nodeName } from "./cluster-objects.ts";

/** Number of controllers and schedulers, each of which watches all pods, nodes, leases and endpoint slices. */
const CONTROLLERS = 4;
const FOLLOWED = [
  "/api/v1/pods",
  "/api/v1/nodes",
  "/apis/coordination.k8s.io/v1/leases",
  "/apis/discovery.k8s.io/v1/endpointslices",
];
const OPENED_AT_ONCE = 32;

interface Task {
  readonly url: string;
  readonly options: Pick<Target, "headers" | "tls">;
  readonly nodes: number;
  readonly from: string;
}

/** What the watches have received so far. */
export interface Received {
  readonly watches: number;
  readonly bytes: number;
  /** Watches that the server ended. */
  readonly ended: number;
}

export class NodeWatchers {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Resolves when every watch is established. The watches receive events after the revision `from`. */
  static async open(target: Target, nodes: number, from: string): Promise<NodeWatchers> {
    const { url, headers, tls } = target;
    const task: Task = { url, options: { headers, tls }, nodes, from };
    const opened = new NodeWatchers(new Worker(new URL(import.meta.url), { workerData: task }));
    await opened.#answer();
    return opened;
  }

  async received(): Promise<Received> {
    this.#worker.postMessage("tell");
    return (await this.#answer()) as Received;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Returns the next message of the thread. Rejects if the thread fails. */
  async #answer(): Promise<unknown> {
    const [answer] = await once(this.#worker, "message");
    return answer;
  }
}

async function watchCluster({ url, options, nodes, from }: Task): Promise<void> {
  const paths = Array.from({ length: CONTROLLERS }, () => FOLLOWED.map((path) => `${path}?`)).flat();
  for (let node = 0; node < nodes; node++) paths.push(`/api/v1/pods?fieldSelector=spec.nodeName%3D${nodeName(node)}&`);
  let bytes = 0;
  let ended = 0;
  const open = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const watch = request(
        `${url}${path}watch=1&allowWatchBookmarks=true&resourceVersion=${from}`,
        { agent: false, headers: options.headers, ...options.tls },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
          });
          response.on("close", () => {
            ended += 1;
          });
          resolve();
        },
      );
      watch.on("error", reject);
      watch.end();
    });
  let next = 0;
  const opener = async () => {
    while (next < paths.length) await open(paths[next++] as string);
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, opener));
  parentPort?.on("message", () => parentPort?.postMessage({ watches: paths.length, bytes, ended } satisfies Received));
  parentPort?.postMessage("opened");
}

if (parentPort !== null) await watchCluster(workerData as Task);
