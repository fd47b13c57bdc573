import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { getOwn } from "../../../runtime/lib/json-object.ts";
import { formatTime } from "../../../runtime/values/times.ts";
import { keepMetadata } from "../../meta/v1/status-metadata.ts";
import type { Container } from "./container.ts";
import { dropDisabledPodFields } from "./disabled-pod-fields.ts";
import type { Pod } from "./pod.ts";
import { syncAppArmor } from "./pod-app-armor.ts";
import { qosClassOf } from "./pod-qos.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { PodAffinityTerm } from "./scheduling.ts";

const TERMS = {
  required: "requiredDuringSchedulingIgnoredDuringExecution",
  preferred: "preferredDuringSchedulingIgnoredDuringExecution",
} as const;

/** Sets the initial status of a new pod, pending or held back by its scheduling gates, and completes its spec. */
export function preparePod(pod: Pod, context: HookContext): void {
  const spec = pod.spec;
  dropDisabledPodFields(spec, undefined, context);
  // As in Kubernetes, the QoS class is the only status field that a client may set on creation.
  const qosClass = pod.status?.qosClass || (spec && qosClassOf(spec));
  pod.status = { phase: "Pending", ...(qosClass && { qosClass }) };
  if (spec === undefined) return;
  if ((spec.schedulingGates ?? []).length > 0) {
    pod.status.conditions = [
      {
        type: "PodScheduled",
        status: "False",
        lastTransitionTime: formatTime(context.now()),
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ];
  }
  syncAppArmor(pod, spec, context.warn);
  applyLabelKeys(pod, spec);
}

/** Restores everything that a request through its subresource cannot change. */
export function preparePodChange(pod: Pod, old: Pod, context: HookContext): void {
  const { subresource } = context;
  dropDisabledPodFields(pod.spec, old.spec, context);
  if (subresource === "status") {
    keepStatusMetadata(pod, old);
    if (old.status?.qosClass !== undefined && pod.status !== undefined) pod.status.qosClass ||= old.status.qosClass;
    keepObservedGenerations(pod, old);
  } else if (subresource === "ephemeralcontainers") {
    const added = pod.spec?.ephemeralContainers;
    restoreOthers(pod, old);
    const { ephemeralContainers: _former, ...spec } = old.spec ?? { containers: [] };
    pod.spec = { ...spec, ...(added && { ephemeralContainers: added }) };
  } else if (subresource === "resize") {
    prepareResize(pod, old);
  }
}

function keepStatusMetadata(pod: Pod, old: Pod): void {
  const { ownerReferences: _owners, deletionTimestamp: _time, ...metadata } = pod.metadata ?? {};
  pod.metadata = {
    ...metadata,
    ...(old.metadata?.ownerReferences && { ownerReferences: old.metadata.ownerReferences }),
  };
}

/** Writes of the status cannot remove `observedGeneration` from the status or its conditions. Conditions of the same type are matched in order. */
function keepObservedGenerations({ status }: Pod, { status: former }: Pod): void {
  if (status === undefined) return;
  if (former?.observedGeneration) status.observedGeneration ||= former.observedGeneration;
  const left = [...(former?.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const index = left.findIndex(({ type }) => type === condition.type);
    const [old] = index < 0 ? [] : left.splice(index, 1);
    if (old?.observedGeneration) condition.observedGeneration ||= old.observedGeneration;
  }
}

/** Restores the old status and most of the metadata. */
function restoreOthers(pod: Pod, old: Pod): void {
  keepMetadata(pod, old);
  if (old.status !== undefined) pod.status = old.status;
}

/** Keeps only changes of resources and resize policies, if both pods have the same containers. */
function prepareResize(pod: Pod, old: Pod): void {
  const [spec, before] = [pod.spec, old.spec];
  if (spec === undefined || before === undefined) return;
  const sameLength = (list: "containers" | "initContainers") =>
    (spec[list] ?? []).length === (before[list] ?? []).length;
  if (!sameLength("containers") || !sameLength("initContainers")) return;
  const containers = resized(spec.containers, before.containers);
  const initContainers = spec.initContainers && resized(spec.initContainers, before.initContainers ?? []);
  restoreOthers(pod, old);
  pod.spec = { ...before, containers, ...(initContainers && { initContainers }) };
}

function resized(next: readonly Container[], old: readonly Container[]): Container[] {
  if (next.some(({ name }, index) => old[index]?.name !== name)) return [...next];
  return next.map(({ resources, resizePolicy }, index) => {
    const { resources: _before, resizePolicy: _policy, ...container } = old[index] as Container;
    return { ...container, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
  });
}

/** Adds the pod's own values of the label keys of affinity terms to the label selectors of these terms. */
function applyLabelKeys(pod: Pod, spec: PodSpec): void {
  if (spec.affinity?.podAffinity === undefined && spec.affinity?.podAntiAffinity === undefined) return;
  // A copy, because the same pod is prepared again if its generated name already exists.
  const affinity = structuredClone(spec.affinity);
  pod.spec = { ...spec, affinity };
  for (const kind of [affinity.podAffinity, affinity.podAntiAffinity]) {
    const preferred = (kind?.[TERMS.preferred] ?? []).map(({ podAffinityTerm }) => podAffinityTerm);
    for (const term of [...preferred, ...(kind?.[TERMS.required] ?? [])])
      selectByKeys(term, pod.metadata?.labels ?? {});
  }
}

function selectByKeys(term: PodAffinityTerm, labels: Readonly<Record<string, string>>): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  if (labelSelector === undefined) return;
  const requirements = (keys: readonly string[], operator: "In" | "NotIn") =>
    keys.flatMap((key) => {
      const value = getOwn(labels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const added = [...requirements(matchLabelKeys, "In"), ...requirements(mismatchLabelKeys, "NotIn")];
  if (added.length > 0) labelSelector.matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
}
