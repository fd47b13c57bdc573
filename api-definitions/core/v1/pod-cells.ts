import { since } from "../../../runtime/values/human-duration.ts";
import type { ContainerStatus } from "./container-status.ts";
import type { Pod } from "./pod.ts";

/** Totals over the containers of a pod, and the reason that is shown as its status. */
interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

/** Returns the cells of columns whose value is not that of a single field. */
export function podCells(pod: Pod, { now }: { readonly now: () => Date }): Record<string, unknown> {
  const spec = pod.spec;
  const status = pod.status;
  const restartable = new Set(
    (spec?.initContainers ?? [])
      .filter((container) => container.restartPolicy === "Always")
      .map((container) => container.name),
  );
  const summary = summarize(pod, restartable);
  const total = (spec?.containers?.length ?? 0) + restartable.size;
  return {
    Ready: `${summary.ready}/${total}`,
    Status: summary.reason,
    Restarts:
      summary.restarts !== 0 && summary.lastRestart !== ""
        ? `${summary.restarts} (${since(summary.lastRestart, now)} ago)`
        : String(summary.restarts),
    IP: status?.podIPs?.[0]?.ip || "<none>",
    Node: spec?.nodeName || "<none>",
    "Nominated Node": status?.nominatedNodeName || "<none>",
    "Readiness Gates": readinessGates(pod),
  };
}

/** Marks finished pods so that clients can hide them. */
export function podRowConditions(pod: Pod): { type: string; status: string; reason: string; message: string }[] {
  const phase = pod.status?.phase;
  if (phase === "Succeeded")
    return [{ type: "Completed", status: "True", reason: phase, message: "The pod has completed successfully." }];
  if (phase === "Failed") return [{ type: "Completed", status: "True", reason: phase, message: "The pod failed." }];
  return [];
}

function summarize(pod: Pod, restartable: ReadonlySet<string>): Summary {
  const status = pod.status;
  const gated = status?.conditions?.some(
    (condition) => condition.type === "PodScheduled" && condition.reason === "SchedulingGated",
  );
  const summary: Summary = {
    reason: gated ? "SchedulingGated" : status?.reason || status?.phase || "",
    ready: 0,
    restarts: 0,
    lastRestart: "",
  };
  const sidecars: Summary = { reason: "", ready: 0, restarts: 0, lastRestart: "" };
  const initializing = summarizeInit(pod, restartable, summary, sidecars);
  if (!initializing || hasCondition(pod, "Initialized")) {
    summary.restarts = sidecars.restarts;
    summary.lastRestart = sidecars.lastRestart;
    summarizeContainers(pod, summary);
  }
  if (pod.metadata?.deletionTimestamp) {
    if (status?.reason === "NodeLost") summary.reason = "Unknown";
    else if (status?.phase !== "Succeeded" && status?.phase !== "Failed") summary.reason = "Terminating";
  }
  return summary;
}

/** Adds up the init containers until one is unfinished; that one determines the reason. Returns whether there is an unfinished one. */
function summarizeInit(pod: Pod, restartable: ReadonlySet<string>, summary: Summary, sidecars: Summary): boolean {
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    addRestarts(summary, container);
    const isSidecar = restartable.has(container.name);
    if (isSidecar) addRestarts(sidecars, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready) summary.ready++;
      continue;
    }
    if (terminated !== undefined) summary.reason = `Init:${terminatedReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`;
    return true;
  }
  return false;
}

function summarizeContainers(pod: Pod, summary: Summary): void {
  let running = false;
  for (const container of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    addRestarts(summary, container);
    const { waiting, terminated, running: started } = container.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated !== undefined) summary.reason = terminatedReason(terminated);
    else if (container.ready && started !== undefined) {
      running = true;
      summary.ready++;
    }
  }
  if (summary.reason === "Completed" && running) summary.reason = hasCondition(pod, "Ready") ? "Running" : "NotReady";
}

function terminatedReason(terminated: { reason?: string; signal?: number; exitCode: number }): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
}

function addRestarts(summary: Summary, container: ContainerStatus): void {
  summary.restarts += container.restartCount;
  const finished = container.lastState?.terminated?.finishedAt ?? "";
  if (finished > summary.lastRestart) summary.lastRestart = finished;
}

function hasCondition(pod: Pod, type: string): boolean {
  return pod.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  return `${gates.filter((gate) => hasCondition(pod, gate.conditionType)).length}/${gates.length}`;
}
