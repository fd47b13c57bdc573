import { formatNumber } from "../measurement.ts";
import { aims } from "./aims.ts";
import { clusterPod, type PodSize } from "./cluster-pod.ts";
import { Client, type LoadResult, load, loadInTurn } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { reportMemory } from "./memory.ts";
import type { Target } from "./server-process.ts";
import { measurePodFanOut } from "./watch-load.ts";

const IN_FLIGHT = 8;
const WRITES = 1_000;
/** Pods that are created first and do not count. */
const COLD_PODS = 2_500;
/** Pods with a status and several managers, which the measured writes change. */
const COMPLETE_PODS = 2_000;
const WARM_UP = 1_500;
const LIST_FORMS = [
  "application/json",
  "application/vnd.kubernetes.protobuf",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
];
const PODS: Readonly<Record<PodSize, number>> = { "5.4 KB": 10_000, "20 KB": 4_000 };

/** Measures writes of pods as in clusters. The figure is processor time as measured, with the corrected one next to it. */
export async function measureClusterWrites(target: Target, size: PodSize, report: Report): Promise<void> {
  const client = new Client(target);
  const namespace = "cluster";
  const tell = (name: string, { perSecond, cost }: LoadResult): void => {
    const corrected = formatNumber(cost.undisturbed);
    const unit = `CPU ms as measured (${corrected} corrected, ${Math.round(perSecond)}/s)`;
    const aim = size === "5.4 KB" ? aims[name] : undefined;
    const bar = aim !== undefined && { bar: { atMost: aim } };
    report({ name: `${name}, pods of ${size}`, value: cost.asMeasured, unit, ...bar });
  };
  const name = (index: number) => `pod-${String(index).padStart(6, "0")}`;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const podPath = (index: number) => `${pods}/${name(index % COMPLETE_PODS)}`;
  const body = (index: number) => JSON.stringify(clusterPod(name(index), namespace, index, size));
  const create = (index: number) =>
    client.send({ method: "POST", path: `${pods}?fieldManager=kube-controller-manager`, body: body(index) });
  const annotate = (index: number, manager: string, key: string) =>
    client.send({
      method: "PATCH",
      path: `${podPath(index)}?fieldManager=${manager}`,
      headers: { "content-type": "application/merge-patch+json" },
      body: `{"metadata":{"annotations":{"${key}":"${index}"}}}`,
    });
  const update = async (index: number) => {
    const object = JSON.parse((await client.send({ path: podPath(index) })).toString("utf8"));
    object.metadata.annotations["bench/put"] = String(index);
    const path = `${podPath(index)}?fieldManager=bench`;
    await client.send({ method: "PUT", path, body: JSON.stringify(object) });
  };
  try {
    const account = { path: `/api/v1/namespaces/${namespace}/serviceaccounts` };
    await client.send({ method: "POST", path: "/api/v1/namespaces", body: `{"metadata":{"name":"${namespace}"}}` });
    await client.send({ ...account, method: "POST", body: '{"metadata":{"name":"default"}}' }).catch(() => undefined);
    await load(client, COLD_PODS, IN_FLIGHT, create);
    const created = await load(client, PODS[size] - COLD_PODS, IN_FLIGHT, (index) => create(COLD_PODS + index));
    tell("create pod", created);
    await load(client, COMPLETE_PODS, IN_FLIGHT, async (index) => {
      const path = `${podPath(index)}/status?fieldManager=kubelet`;
      await client.send({ method: "PUT", path, body: body(index) });
      await annotate(index, "kubectl-annotate", "example.com/revision");
    });
    const one = await client.send({ path: podPath(0) });
    report({ name: `bytes of one of the pods of ${size}`, value: one.length, unit: "bytes" });
    const works = {
      "update (get and put)": update,
      "merge patch": (index: number) => annotate(index, "bench", "bench/patch"),
    };
    for (const work of Object.values(works)) await load(client, WARM_UP, IN_FLIGHT, work);
    for (const inFlight of [IN_FLIGHT, 1]) {
      const loads = Object.values(works).map((work) => ({
        count: WRITES,
        inFlight,
        work: (index: number) => work(WARM_UP + inFlight * WRITES + index),
      }));
      const results = await loadInTurn(client, loads);
      for (const [index, each] of Object.keys(works).entries())
        tell(inFlight === 1 ? `${each}, one at a time` : each, results[index] as LoadResult);
    }
    if (size === "5.4 KB") {
      const changed = Array.from({ length: COMPLETE_PODS }, (_, index) => podPath(index));
      await measurePodFanOut(client, pods, changed, report);
      for (const accept of LIST_FORMS) await client.drain({ path: pods, headers: { accept } });
      const names = { now: "resident memory, pods of 5.4 KB", rested: "resident memory after a rest, pods of 5.4 KB" };
      await reportMemory(target, names, report);
    }
  } finally {
    client.close();
  }
}
