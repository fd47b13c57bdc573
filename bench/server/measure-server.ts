import { formatNumber, type Measurement } from "../measurement.ts";
import { aims } from "./aims.ts";
import { droppedDuring } from "./cache-drops.ts";
import { measureClusterWrites } from "./cluster-writes.ts";
import { type Call, Client, type LoadResult, load, loadInTurn } from "./load.ts";
import { reportMemory } from "./memory.ts";
import { configMap, deployment, MAPS_PATH, NAMESPACE, PODS_PATH, pod, podPath } from "./objects.ts";
import { Pace } from "./pace.ts";
import { measureReads } from "./reads.ts";
import { startServer, type Target } from "./server-process.ts";
import { measureFanOut } from "./watch-load.ts";

const PODS = 10_000;
/** The first pods, which a freshly started server creates while V8 compiles its code. They are reported separately. */
const COLD_PODS = 2_500;
const IN_FLIGHT = 16;
const WRITES = 1_000;
/** Calls of the same type that the server has handled before its writes are measured. */
const WARM_UP = 3_000;
const DEPLOYMENTS_PATH = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;

export type Report = (measurement: Measurement) => void;
/** Runs a load under the name that the table shows. Returns its cost. */
export type Run = (
  name: string,
  count: number,
  inFlight: number,
  work: (index: number) => Promise<unknown>,
) => Promise<LoadResult>;

/** Measures every operation that users notice, on one server with 10,000 pods. */
export async function measureServer(target: Target, report: Report): Promise<void> {
  const client = new Client(target);
  const tell = (name: string, { perSecond, cost }: LoadResult, warning?: string): void => {
    if (target.pids.length === 0) {
      report({ name, value: perSecond, unit: "/s" });
      return;
    }
    const aim = aims[name];
    const unit = `CPU ms (${formatNumber(cost.asMeasured)} as measured, ${Math.round(perSecond)}/s)`;
    report({
      name,
      value: cost.undisturbed,
      unit,
      ...(aim !== undefined && { bar: { atMost: aim } }),
      ...(warning !== undefined && { warning }),
    });
  };
  const run: Run = async (name, count, inFlight, work) => {
    const { result, warning } = await droppedDuring(client, () => load(client, count, inFlight, work));
    tell(name, result, warning);
    return result;
  };
  try {
    await client.send({
      method: "POST",
      path: "/api/v1/namespaces",
      body: JSON.stringify({ metadata: { name: NAMESPACE } }),
    });
    await untilReady(client);
    const pods = (index: number) => client.send({ method: "POST", path: PODS_PATH, body: pod(index) });
    await run(`create pod, the first ${COLD_PODS.toLocaleString("en")} after the start`, COLD_PODS, IN_FLIGHT, pods);
    await run("create pod", PODS - COLD_PODS, IN_FLIGHT, (index) => pods(COLD_PODS + index));
    const maps = (index: number) =>
      client.send({ method: "POST", path: MAPS_PATH, body: configMap(`map-${index}`, "0") });
    await run("create ConfigMap", 2_000, IN_FLIGHT, maps);
    await measureReads(client, run, report);
    await measureWrites(client, tell);
    await measureFanOut(target, report);
    await run("delete", 1_000, IN_FLIGHT, (index) =>
      client.send({ method: "DELETE", path: `${MAPS_PATH}/map-${index}` }),
    );
    const names = { now: "resident memory at the end of the load", rested: "resident memory after the above" };
    await reportMemory(target, names, report);
  } finally {
    client.close();
  }
}

/** Measures each pod size on a separate server, which keeps nothing else in memory. */
export async function measureClusterPods(pace: Pace, report: Report): Promise<void> {
  for (const size of ["5.4 KB", "20 KB"] as const) {
    const target = await startServer();
    try {
      await measureClusterWrites({ ...target, pace }, size, report);
    } finally {
      await target.stop();
    }
  }
}

/** Measures another server, which is not restarted between the parts. */
export async function measurePeer(target: Target, report: Report): Promise<void> {
  if (target.pids.length === 0) return measureServer(target, report);
  const pace = await Pace.start();
  try {
    await measureServer({ ...target, pace }, report);
    await measureClusterWrites({ ...target, pace }, "5.4 KB", report);
  } finally {
    pace.stop();
  }
}

/** Waits for the service account of the namespace, without which pods are not admitted. */
async function untilReady(client: Client): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default`;
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await client.send({ path });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`${path} did not appear: is a controller-manager missing?`);
}

/** Measures writes on a warm server: the first calls of each type do not count. */
async function measureWrites(client: Client, tell: (name: string, result: LoadResult) => void): Promise<void> {
  const update = async (index: number) => {
    const object = JSON.parse((await client.send({ path: podPath(index) })).toString("utf8"));
    object.metadata.annotations = { ...object.metadata.annotations, bench: "put" };
    await client.send({ method: "PUT", path: podPath(index), body: JSON.stringify(object) });
  };
  const patch = (index: number): Call => ({
    method: "PATCH",
    path: podPath(WARM_UP + WRITES + index),
    headers: { "content-type": "application/merge-patch+json" },
    body: `{"metadata":{"annotations":{"bench":"${index}"}}}`,
  });
  const apply = (path: string, body: string): Call => ({
    method: "PATCH",
    path: `${path}?fieldManager=bench`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body,
  });
  // Applies change one value of fifty objects in turn.
  const name = (index: number) => `applied-${index % 50}`;
  const writes: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    "update (get and put)": update,
    "merge patch": (index) => client.send(patch(index)),
    "apply ConfigMap": (index) =>
      client.send(apply(`${MAPS_PATH}/${name(index)}`, configMap(name(index), String(index)))),
    "apply Deployment": (index) =>
      client.send(
        apply(`${DEPLOYMENTS_PATH}/${name(index)}`, deployment(name(index), `registry.invalid/app:${index}`)),
      ),
  };
  for (const work of Object.values(writes)) await load(client, WARM_UP, 8, work);
  const loads = Object.values(writes).map((work) => ({
    count: WRITES,
    inFlight: 8,
    work: (index: number) => work(WARM_UP + index),
  }));
  const results = await loadInTurn(client, loads);
  for (const [index, each] of Object.keys(writes).entries()) tell(each, results[index] as LoadResult);
}
