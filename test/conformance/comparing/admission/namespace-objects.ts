import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import { randomPodSpec } from "./pods.ts";
import { randomToleration } from "./scheduling.ts";

/** Returns the objects of a namespace before anything limits it. */
export function coreObjects(random: Random): [plural: string, object: Parsed][] {
  const named = (kind: string, name: string, more: Parsed = {}, metadata: Parsed = {}): Parsed => ({
    apiVersion: "v1",
    kind,
    metadata: { name, ...metadata },
    ...more,
  });
  const annotations = { "kubernetes.io/enforce-mountable-secrets": "true" };
  const container = { name: "main", image: "i", resources: { limits: { cpu: "1", memory: "1Gi" } } };
  const claim = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    storageClassName: "fast",
    volumeName: "volume",
  };
  const slow = { ...claim, storageClassName: "slow", volumeName: "other" };
  const volumes = [
    { name: "a", secret: { secretName: "secret" } },
    { name: "b", configMap: { name: "config" } },
    { name: "c", persistentVolumeClaim: { claimName: "claim" } },
  ];
  const bound = { containers: [container], nodeName: "node-b", serviceAccountName: "quiet", volumes };
  const plain = { containers: [container], ...(random.chance(0.5) && { nodeName: "node-a" }) };
  const data = { limit: random.pick(["1", "3", "x"]), name: random.pick(["a", "new"]) };
  const type = random.pick(["ClusterIP", "LoadBalancer"]);
  const pulls = random.chance(0.3) ? { imagePullSecrets: [{ name: "registry" }] } : {};
  const quiet = { automountServiceAccountToken: false, imagePullSecrets: [{ name: "a" }, { name: "b" }] };
  return [
    ["serviceaccounts", named("ServiceAccount", "default", pulls)],
    ["serviceaccounts", named("ServiceAccount", "quiet", quiet)],
    ["serviceaccounts", named("ServiceAccount", "strict", { secrets: [{ name: "secret" }] }, { annotations })],
    ["secrets", named("Secret", "secret")],
    ["configmaps", named("ConfigMap", "config", { data })],
    ["persistentvolumeclaims", named("PersistentVolumeClaim", "claim", { spec: claim })],
    ["persistentvolumeclaims", named("PersistentVolumeClaim", "slow-claim", { spec: slow })],
    ["services", named("Service", "service", { spec: { type, ports: [{ port: 80 }], selector: { app: "a" } } })],
    ["pods", named("Pod", "plain", { spec: plain })],
    ["pods", named("Pod", "free", { spec: { containers: [container] } })],
    ["pods", named("Pod", "bound", { spec: bound })],
    ["pods", named("Pod", "random", { spec: randomPodSpec(random, 0.15) })],
  ];
}

/** Returns labels and annotations by which admission plugins decide about pods. */
export function namespaceMetadata(random: Random): Parsed {
  const level = () => random.pick(["baseline", "restricted", "privileged"]);
  const versions = ["latest", "v1.19", "v1.24", "v1.25", "v1.27", "v1.31", "v1.33", "v1.99"];
  const labels: Parsed = { env: random.pick(["a", "b"]) };
  for (const mode of ["enforce", "warn", "audit"]) {
    if (random.chance(mode === "enforce" ? 0.4 : 0.5)) labels[`pod-security.kubernetes.io/${mode}`] = level();
    if (random.chance(0.5)) labels[`pod-security.kubernetes.io/${mode}-version`] = random.pick(versions);
  }
  const tolerations = () => JSON.stringify(random.times(3, () => randomToleration(random)));
  const annotations: Parsed = {};
  const annotate = (name: string, value: () => string) => {
    if (random.chance(0.3)) annotations[`scheduler.alpha.kubernetes.io/${name}`] = value();
  };
  annotate("node-selector", () => random.pick(["zone=a", "env=a,zone=b", "", "bad=="]));
  annotate("defaultTolerations", tolerations);
  annotate("tolerationsWhitelist", () => random.pick([tolerations(), tolerations(), "[]", "x"]));
  return { labels, annotations };
}
