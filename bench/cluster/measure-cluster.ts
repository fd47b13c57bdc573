import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { percentile } from "../measurement.ts";
import { Client, load } from "../server/load.ts";
import type { Report } from "../server/measure-server.ts";
import { cpuMs, residentMiB, startServer, type Target } from "../server/server-process.ts";
import {
  endpointSlice,
  event,
  lease,
  namespaceOf,
  namespaces,
  node,
  PODS_PER_NODE,
  pod,
  podPath,
  podStatus,
  type Written,
} from "./cluster-objects.ts";
import { startControllerManager } from "./controller-manager.ts";
import { LeaseHolders } from "./lease-holders.ts";
import { NodeWatchers } from "./node-watchers.ts";
import { type Operation, runSteadily } from "./steady-load.ts";

/** Kubernetes' service level objectives for each kind of request, as 99th percentile over five minutes. */
const CALL_MS = 1_000;
const LIST_MS = 30_000;
const STEADY_SECONDS = 300;
const IN_FLIGHT = 32;
/** Interval in which a kubelet renews its lease. */
const RENEWAL_SECONDS = 10;
const LEASE_SECONDS = 10;
const UNLIMITED = ["--max-requests-inflight=0", "--max-mutating-requests-inflight=0"];
const FILLED = "cluster-is-filled";
const PROTOBUF = "application/vnd.kubernetes.protobuf";

/**
 * Simulates a whole cluster: nodes with 30 pods each, leases, endpoint slices and events, a watch for each node, and sixteen watches of
 * controllers. All nodes renew their leases every ten seconds; statuses, events and endpoints change at the same time. `NODES=5000` means
 * 150,000 pods. The data directory `kept` is filled once and reused. If a kube-controller-manager is given, it replaces the server's own
 * controllers.
 */
export async function measureCluster(
  report: Report,
  nodes: number,
  kept?: string,
  controllerManager?: string,
): Promise<void> {
  const dir = kept ?? mkdtempSync(join(tmpdir(), "typeplane-cluster-"));
  try {
    const filled = join(dir, FILLED);
    if (!existsSync(filled)) {
      const target = await startServer({ dataDir: dir });
      try {
        await fill(target, nodes, report);
      } finally {
        await target.stop();
      }
      writeFileSync(filled, String(nodes));
    } else if (readFileSync(filled, "utf8") !== String(nodes)) {
      throw new Error(`${dir} was filled for ${readFileSync(filled, "utf8")} nodes`);
    }
    const target = await startServer({
      dataDir: dir,
      flags: [...UNLIMITED, ...(controllerManager === undefined ? [] : ["--controllers=false"])],
    });
    report({ name: `start with ${nodes * PODS_PER_NODE} pods`, value: target.startMs, unit: "ms" });
    try {
      const holders = await LeaseHolders.of(target, nodes);
      const steady = (): Promise<void> => measureSteadyState(target, nodes, holders, report);
      if (controllerManager === undefined) await steady();
      else await besideControllerManager(controllerManager, target, report, steady);
      await measureLeases(target, holders, report);
    } finally {
      await target.stop();
    }
  } finally {
    if (kept === undefined) rmSync(dir, { recursive: true, force: true });
  }
}

async function besideControllerManager(
  binary: string,
  target: Target,
  report: Report,
  measure: () => Promise<void>,
): Promise<void> {
  const manager = startControllerManager(binary, target);
  try {
    const began = performance.now();
    await measure();
    const why = manager.whyEnded();
    if (why !== undefined) throw new Error(`kube-controller-manager ended: ${why}`);
    const pids = [manager.pid];
    report({ name: "kube-controller-manager", value: cpuMs(pids) / (performance.now() - began), unit: "cores" });
    report({ name: "resident memory of kube-controller-manager", value: residentMiB(pids), unit: "MiB" });
  } finally {
    await manager.stop();
  }
}

async function fill(target: Target, nodes: number, report: Report): Promise<void> {
  const client = new Client(target);
  const post = ({ path, body }: Written) => client.send({ method: "POST", path, body });
  for (const name of namespaces(nodes))
    await post({ path: "/api/v1/namespaces", body: JSON.stringify({ metadata: { name } }) });
  for (const name of namespaces(nodes)) await untilServiceAccounts(client, name);
  const began = performance.now();
  const before = cpuMs(target.pids);
  await load(client, nodes, IN_FLIGHT, (index) => post(node(index)));
  await load(client, nodes, IN_FLIGHT, (index) => post(lease(index)));
  await load(client, nodes, IN_FLIGHT, (index) => post(endpointSlice(index)));
  await load(client, nodes * PODS_PER_NODE, IN_FLIGHT, (index) => post(pod(index)));
  const objects = nodes * (PODS_PER_NODE + 3);
  report({
    name: `fill with ${objects} objects`,
    value: (cpuMs(target.pids) - before) / objects,
    unit: `CPU ms an object (${Math.round(objects / ((performance.now() - began) / 1000))}/s)`,
  });
  report({ name: "resident memory after that", value: residentMiB(target.pids), unit: "MiB" });
  client.close();
}

async function untilServiceAccounts(client: Client, namespace: string): Promise<void> {
  for (;;) {
    try {
      await client.send({ path: `/api/v1/namespaces/${namespace}/serviceaccounts/default` });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function measureSteadyState(target: Target, nodes: number, holders: LeaseHolders, report: Report): Promise<void> {
  const client = new Client(target, 256);
  const first = await client.send({ path: "/api/v1/pods?limit=1" });
  const from = /"resourceVersion":"(\d+)"/.exec(first.toString("utf8"))?.[1] ?? "0";
  const watchers = await NodeWatchers.open(target, nodes, from);
  const before = cpuMs(target.pids);
  const began = performance.now();
  const lateness = monitorEventLoopDelay({ resolution: 10 });
  lateness.enable();
  const results = await runSteadily(operations(client, nodes, holders), STEADY_SECONDS);
  lateness.disable();
  // The run takes longer than planned if requests are still open at its end.
  const busy = (cpuMs(target.pids) - before) / (performance.now() - began);
  const { watches, bytes, ended } = await watchers.received();
  await watchers.close();
  let failed = 0;
  for (const { name, perSecond, asked, latencies, firstMinute, longest, failures, limitMs } of results) {
    failed += failures.length;
    const slow = longest.flatMap((ms, second) => (ms > limitMs / 2 ? [`${second} (${(ms / 1000).toFixed(1)} s)`] : []));
    if (slow.length > 0) console.log(`${name}: longer than ${limitMs / 2} ms in seconds ${slow.join(", ")}`);
    if (failures.length > 0) console.log(`${name}: ${failures.length} failed, the first: ${failures[0]}`);
    report({
      name: `${name}, p99`,
      value: percentile(latencies, 0.99),
      unit: `ms (p50 ${percentile(latencies, 0.5).toFixed(1)}, ${perSecond.toFixed(1)}/s of ${asked}; p99 of the first minute after a start ${percentile(firstMinute, 0.99).toFixed(0)})`,
      bar: { atMost: limitMs },
    });
  }
  report({ name: "requests that failed", value: failed, unit: "", bar: { atMost: 0 } });
  report({ name: `${watches} watches: received`, value: bytes / 2 ** 20, unit: "MiB" });
  report({ name: "watches that the server ended", value: ended, unit: "", bar: { atMost: 0 } });
  report({
    name: "load generator: turns of its event loop, p99",
    value: lateness.percentile(99) / 1e6,
    unit: `ms (longest ${(lateness.max / 1e6).toFixed(0)})`,
  });
  report({ name: "processors busy by the server", value: busy, unit: "cores" });
  report({ name: "resident memory under load", value: residentMiB(target.pids), unit: "MiB" });
  report({ name: "resident memory of the load generator", value: residentMiB([process.pid]), unit: "MiB" });
  client.close();
}

/** Operations that nodes and controllers perform all the time, with their rates. */
function operations(client: Client, nodes: number, holders: LeaseHolders): Operation[] {
  const pods = nodes * PODS_PER_NODE;
  const share = nodes / 5_000;
  const put = (path: string, { body }: Written) => client.send({ method: "PUT", path, body });
  const patch = ({ path, body }: Written) =>
    client.send({ method: "PATCH", path, body, headers: { "content-type": "application/merge-patch+json" } });
  const firstEvent = Date.now() * 1000;
  const somePod = (index: number) => (index * 7_919) % pods;
  const list = (path: string, accept: string) => client.drain({ path, headers: { accept } });
  return [
    {
      name: "renew a lease",
      perSecond: nodes / RENEWAL_SECONDS,
      limitMs: CALL_MS,
      call: () => holders.renew(client),
    },
    {
      name: "patch the status of a pod",
      perSecond: 50 * share,
      limitMs: CALL_MS,
      call: (index) => patch(podStatus(somePod(index), index)),
    },
    {
      name: "create an event",
      perSecond: 50 * share,
      limitMs: CALL_MS,
      call: (index) => {
        const { path, body } = event(somePod(index), firstEvent + index);
        return client.send({ method: "POST", path, body });
      },
    },
    {
      name: "update an endpoint slice",
      perSecond: 10 * share,
      limitMs: CALL_MS,
      call: (index) => {
        const slice = endpointSlice(index % nodes, index);
        return put(`${slice.path}/app-${index % nodes}`, slice);
      },
    },
    {
      name: "get a pod",
      perSecond: 100 * share,
      limitMs: CALL_MS,
      call: (index) => client.send({ path: podPath(somePod(index)) }),
    },
    {
      name: "list the pods of a namespace, JSON",
      perSecond: 0.5,
      limitMs: LIST_MS,
      call: (index) => list(`/api/v1/namespaces/${namespaceOf((index * 50) % nodes)}/pods`, "application/json"),
    },
    { name: "list all pods, protobuf", perSecond: 0.05, limitMs: LIST_MS, call: () => list("/api/v1/pods", PROTOBUF) },
    {
      name: "list all nodes, JSON",
      perSecond: 0.1,
      limitMs: LIST_MS,
      call: () => list("/api/v1/nodes", "application/json"),
    },
  ];
}

/** Measures how many leases the server can renew per second, without pauses and without watches. */
async function measureLeases(target: Target, holders: LeaseHolders, report: Report): Promise<void> {
  const client = new Client(target, 128);
  let renewals = 0;
  const until = performance.now() + LEASE_SECONDS * 1000;
  const before = cpuMs(target.pids);
  const renew = async (): Promise<void> => {
    for (; performance.now() < until; renewals++) await holders.renew(client);
  };
  await Promise.all(Array.from({ length: 32 }, renew));
  report({
    name: "lease updates as fast as they go",
    value: renewals / LEASE_SECONDS,
    unit: `/s (${((cpuMs(target.pids) - before) / renewals).toFixed(3)} CPU ms each)`,
  });
  client.close();
}
