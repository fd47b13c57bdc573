import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { checkDnsLabel } from "../../../runtime/values/names.ts";
import type { Pod } from "./pod.ts";
import { podCells, podRowConditions } from "./pod-cells.ts";
import { debuggingOrder, validateEphemeralContainersChange } from "./pod-debugging.ts";
import { defaultPod } from "./pod-defaults.ts";
import { preparePod, preparePodChange } from "./pod-preparation.ts";
import { resizeOrder, validatePodResize } from "./pod-resize.ts";
import { validatePodStatus } from "./pod-status-validation.ts";
import { validatePod, validatePodUpdate } from "./pod-validation.ts";
import { warnOfPod } from "./pod-warnings.ts";

export const hooks = kindHooks<Pod>({
  default: defaultPod,
  validate: validatePod,
  warn: (pod, { old, subresource, featureEnabled }) => {
    if (old === undefined)
      return [...warnOfName(pod), ...warnOfPod(pod.spec ?? { containers: [] }, pod.metadata, "", featureEnabled)];
    return subresource === "status" ? warnOfAddresses(pod) : [];
  },
  cells: podCells,
  validation: {
    update: validatePodUpdate,
    subresources: {
      status: validatePodStatus,
      ephemeralcontainers: validateEphemeralContainersChange,
      resize: validatePodResize,
    },
  },
  lifecycle: {
    acceptsStatusOnCreate: true,
    prepareForCreate: preparePod,
    prepareForUpdate: preparePodChange,
    /** Pods without a node and finished pods are deleted immediately; others get a grace period. */
    gracePeriod: ({ spec, status }, requested) => {
      const ended = status?.phase === "Failed" || status?.phase === "Succeeded";
      if (!spec?.nodeName || ended) return 0;
      const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0;
      return seconds < 0 ? 1 : seconds;
    },
    // A field manager that writes through `resize` or `ephemeralcontainers` owns every field it sent, although only some of them are stored.
    resetFields: {
      resize: [],
      ephemeralcontainers: [],
      status: ["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
    },
  },
  table: {
    rowConditions: podRowConditions,
    selectable: {
      "spec.hostNetwork": ({ spec }) => String(spec?.hostNetwork ?? false),
      "status.podIP": ({ status }) => status?.podIPs?.[0]?.ip ?? "",
    },
  },
  compatibility: {
    formerFields: { "spec.host": "spec.nodeName" },
    order: {
      update: ["metadataAsChange", "metadataAsNew", "declared", "update"],
      subresources: { resize: resizeOrder, ephemeralcontainers: debuggingOrder },
    },
  },
});

function warnOfName({ metadata }: Pod): string[] {
  const problems = checkDnsLabel(metadata?.name ?? "");
  if (problems.length === 0) return [];
  const advice =
    "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${advice}: [${problems.join(" ")}]`];
}

function warnOfAddresses({ status }: Pod): string[] {
  return (["podIPs", "hostIPs"] as const).flatMap((list) =>
    (status?.[list] ?? []).flatMap(({ ip }, index) => warnOfIp(`status.${list}[${index}].ip`, ip)),
  );
}
