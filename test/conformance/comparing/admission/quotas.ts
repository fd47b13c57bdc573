import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import { GROUP } from "../custom-kinds.ts";

const COMPUTE = [
  ...["pods", "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"],
  ...["requests.ephemeral-storage", "requests.example.com/gpu", "hugepages-2Mi", "requests.hugepages-2Mi"],
  "ephemeral-storage",
];
/** Resources that can be limited together with most scopes. */
const SCOPED = COMPUTE.slice(0, 7);
const COUNTS = [
  ...["configmaps", "secrets", "services", "services.nodeports", "services.loadbalancers", "resourcequotas"],
  ...["replicationcontrollers", "persistentvolumeclaims", "requests.storage", "count/pods", "count/services"],
  ...["fast.storageclass.storage.k8s.io/requests.storage", "count/deployments.apps", "count/jobs.batch"],
  ...["slow.storageclass.storage.k8s.io/persistentvolumeclaims", "count/configmaps", `count/widgets.${GROUP}`],
  ...["count/ingresses.networking.k8s.io", "count/leases.coordination.k8s.io", "count/events"],
  ...["count/persistentvolumeclaims", "count/resourceclaims.resource.k8s.io"],
  ...["gpu.deviceclass.resource.k8s.io/devices", "net.deviceclass.resource.k8s.io/devices"],
];

export function randomLimitRange(random: Random): Parsed {
  const limits = limitItems(random);
  return { apiVersion: "v1", kind: "LimitRange", metadata: { name: "limits" }, spec: { limits } };
}

function limitItems(random: Random): Parsed[] {
  const some = (part: number, name: string, choices: Readonly<Record<string, readonly string[]>>): Parsed => {
    const chosen = Object.entries(choices).filter(() => random.chance(0.6));
    return random.chance(part)
      ? { [name]: Object.fromEntries(chosen.map(([key, all]) => [key, random.pick(all)])) }
      : {};
  };
  const low = { cpu: ["50m", "100m"], memory: ["1Mi", "64Mi"] };
  const high = { cpu: ["1", "4"], memory: ["1Gi", "4Gi"] };
  const middle = {
    cpu: ["200m", "0.5"],
    memory: ["100Mi", "128M"],
    "ephemeral-storage": ["1Gi"],
    "example.com/gpu": ["1"],
  };
  const container = {
    type: "Container",
    ...some(0.4, "min", low),
    ...some(0.4, "max", high),
    ...some(0.5, "default", middle),
    ...some(0.3, "defaultRequest", low),
    ...some(0.2, "maxLimitRequestRatio", { cpu: ["2", "10"], memory: ["1.5", "4"] }),
  };
  const pod = {
    type: "Pod",
    ...some(0.4, "min", low),
    ...some(0.4, "max", high),
    ...some(0.3, "maxLimitRequestRatio", { cpu: ["3"], memory: ["2"] }),
  };
  const claim = {
    type: "PersistentVolumeClaim",
    ...some(0.8, "min", { storage: ["1Gi"] }),
    ...some(0.8, "max", { storage: ["1Gi", "5Gi", "2G"] }),
  };
  return [container, pod, claim, { type: "example.com/other", max: { cpu: "1" } }].filter(() => random.chance(0.6));
}

export function randomQuota(random: Random): Parsed {
  return { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "quota" }, spec: quotaSpec(random) };
}

function quotaSpec(random: Random): Parsed {
  const amount = (name: string): string => {
    if (/memory|storage$|hugepages/.test(name)) return random.pick(["1Gi", "2Gi", "3.5G"]);
    return random.pick(/cpu/.test(name) ? ["1", "2", "2500m"] : ["1", "2", "3", "4"]);
  };
  const hard = (names: readonly string[], part: number): Parsed =>
    Object.fromEntries(names.filter(() => random.chance(part)).map((name) => [name, amount(name)]));
  const scope = (scopeName: string, operator: string, values?: string[]): Parsed => ({
    scopeSelector: { matchExpressions: [{ scopeName, operator, values }] },
  });
  if (random.chance(0.5)) return { hard: { ...hard(COMPUTE, 0.3), ...hard(COUNTS, 0.5) } };
  return random.one<Parsed>(
    () => ({ hard: { pods: random.pick(["0", "1"]) }, scopes: ["BestEffort"] }),
    () => ({
      hard: hard(SCOPED, 0.5),
      scopes: random.pick([["NotBestEffort"], ["Terminating"], ["NotTerminating", "NotBestEffort"]]),
    }),
    () => ({ hard: hard(SCOPED, 0.5), ...scope("PriorityClass", random.pick(["In", "NotIn"]), ["high", "never"]) }),
    () => ({ hard: { pods: "1" }, ...scope("PriorityClass", random.pick(["Exists", "DoesNotExist"])) }),
    () => ({ hard: { pods: random.pick(["0", "5"]) }, scopes: ["CrossNamespacePodAffinity"] }),
    () => ({
      hard: { persistentvolumeclaims: "1", "requests.storage": "2Gi" },
      ...scope("VolumeAttributesClass", random.pick(["In", "NotIn"]), ["gold", "silver"]),
    }),
    () => ({
      hard: { persistentvolumeclaims: "1" },
      ...scope("VolumeAttributesClass", random.pick(["Exists", "DoesNotExist"])),
    }),
  );
}

/** Returns some usage of each resource, sometimes of none that the quota limits. */
export function randomUsage(random: Random, hard: Parsed): Parsed {
  const names = Object.keys(hard).filter(() => random.chance(0.97));
  const used = (name: string) =>
    random.chance(0.2) ? hard[name] : random.pick(["0", "1", /cpu/.test(name) ? "500m" : "0"]);
  return Object.fromEntries(names.map((name) => [name, used(name)]));
}
