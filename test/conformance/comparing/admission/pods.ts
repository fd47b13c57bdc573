import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import { randomAffinity, randomToleration } from "./scheduling.ts";
import { containerContext, podContext } from "./security-contexts.ts";

const QUANTITIES = {
  cpu: ["100m", "1", "250m", "0", "2", "1500u"],
  memory: ["64Mi", "1Gi", "0", "1.5Gi", "100M", "1e3"],
  "ephemeral-storage": ["1Gi", "10Mi"],
  "example.com/gpu": ["1", "2"],
  "hugepages-2Mi": ["2Mi", "4Mi"],
};
const CLAIM = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
/** The first ten are allowed at every pod security level. */
const VOLUMES: readonly Parsed[] = [
  { emptyDir: {} },
  { configMap: { name: "config" } },
  { secret: { secretName: "secret" } },
  { secret: { secretName: "other" } },
  { persistentVolumeClaim: { claimName: "claim" } },
  { projected: { sources: [{ secret: { name: "secret" } }] } },
  { projected: { sources: [{ serviceAccountToken: { path: "token", audience: "a" } }] } },
  { downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "metadata.name" } }] } },
  { csi: { driver: "example.com" } },
  { ephemeral: { volumeClaimTemplate: { spec: CLAIM } } },
  { image: { reference: "registry.invalid/i:1" } },
  { hostPath: { path: "/a" } },
  { nfs: { server: "a", path: "/" } },
  { iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2000-01.com.example:a", lun: 0 } },
  { gcePersistentDisk: { pdName: "a" } },
  { awsElasticBlockStore: { volumeID: "a" } },
  { gitRepo: { repository: "a" } },
  { rbd: { monitors: ["a"], image: "a" } },
  { flexVolume: { driver: "a/b" } },
  { cephfs: { monitors: ["a"] } },
  { azureDisk: { diskName: "a", diskURI: "/subscriptions/a" } },
  { portworxVolume: { volumeID: "a" } },
  { fc: { targetWWNs: ["a"], lun: 1 } },
  { glusterfs: { endpoints: "a", path: "b" } },
  { storageos: { volumeName: "a" } },
];
const MOUNT = { volumeMounts: [{ name: "m", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }] };

/** Returns a pod spec. Most pods have none of the rare fields, so that most are accepted. */
export function randomPodSpec(random: Random, rarely = 0.07): Parsed {
  const some = (part: number, make: () => Parsed): Parsed => (random.chance(part) ? make() : {});
  const container = (name: string, isInit = false) => randomContainer(random, name, isInit, rarely);
  const inits = () => ["init", ...random.times(1, () => "prepare")].map((name) => container(name, true));
  const volume = (index: number) => ({
    name: `v${index}`,
    ...random.pick(random.chance(0.6) ? VOLUMES.slice(0, 10) : VOLUMES),
  });
  const volumes = random.chance(0.3) ? random.times(2, volume) : [];
  const spec: Parsed = {
    ...some(0.3, () => ({ securityContext: podContext(random, rarely) })),
    containers: ["main", ...random.times(1, () => "second")].map((name) => container(name)),
    ...some(0.3, () => ({ initContainers: inits() })),
    ...some(rarely, () =>
      random.pick([{ hostNetwork: true }, { hostPID: true }, { hostIPC: true }, { hostUsers: false }]),
    ),
    ...some(0.2, () => ({ tolerations: random.times(2, () => randomToleration(random)) })),
    ...some(0.15, () => ({ nodeSelector: { [random.pick(["zone", "env"])]: random.pick(["a", "b"]) } })),
    ...some(0.25, () => ({
      priorityClassName: random.pick(["high", "low", "never", "high", "absent", "system-node-critical"]),
    })),
    ...some(rarely / 2, () => ({ priority: random.pick([0, 100, 1000]) })),
    ...some(rarely / 2, () => ({ preemptionPolicy: random.pick(["Never", "PreemptLowerPriority"]) })),
    ...some(0.2, () => ({ runtimeClassName: random.pick(["plain", "heavy", "placed", "heavy", "absent"]) })),
    ...some(rarely / 2, () => ({ overhead: { cpu: "1" } })),
    ...some(0.25, () => ({ serviceAccountName: random.pick(["default", "quiet", "strict", "quiet", "absent"]) })),
    ...some(rarely, () => ({ automountServiceAccountToken: random.chance(0.5) })),
    ...some(rarely, () => ({ imagePullSecrets: [{ name: "mine" }] })),
    ...some(0.15, () => ({ affinity: randomAffinity(random) })),
    ...some(0.15, () => ({ activeDeadlineSeconds: random.pick([1, 60]) })),
    ...some(rarely / 2, () => ({ nodeName: random.pick(["node-a", "node-b", "absent"]) })),
    ...some(rarely / 2, () => ({ os: { name: random.pick(["windows", "linux"]) } })),
    ...some(rarely, () => ({ resources: randomResources(random) })),
    ...some(rarely / 2, () => ({ hostUsers: random.chance(0.3) })),
    ...some(rarely / 2, () => ({ resourceClaims: [{ name: "a", resourceClaimName: "claim" }] })),
    ...some(rarely / 3, () => ({ schedulingGates: [{ name: "example.com/a" }] })),
    ...some(rarely / 3, () => ({ ephemeralContainers: [{ name: "e", image: "i" }] })),
  };
  const isMounted = [...spec.containers, ...(spec.initContainers ?? [])].some(({ volumeMounts }) => volumeMounts);
  return { ...spec, volumes: [...volumes, ...(isMounted ? [{ name: "m", emptyDir: {} }] : [])] };
}

export function randomContainer(random: Random, name: string, isInit: boolean, rarely: number): Parsed {
  const some = (part: number, make: () => Parsed): Parsed => (random.chance(part) ? make() : {});
  const secret = () => random.pick(["secret", "other"]);
  return {
    name,
    image: random.pick(["registry.invalid/i:1", "i", "i:2"]),
    ...some(0.7, () => ({ resources: randomResources(random) })),
    ...some(0.5, () => ({ securityContext: containerContext(random, rarely) })),
    ...some(rarely, () => ({ ports: [{ containerPort: 80, hostPort: random.pick([80, 0, 8080]) }] })),
    ...some(rarely, () => ({ imagePullPolicy: random.pick(["Never", "IfNotPresent"]) })),
    ...some(rarely, () => ({ env: [{ name: "A", valueFrom: { secretKeyRef: { name: secret(), key: "k" } } }] })),
    ...some(rarely, () => ({ envFrom: [{ secretRef: { name: secret() } }] })),
    ...some(isInit ? 0.4 : 0, () => ({ restartPolicy: "Always" })),
    ...some(rarely, () => MOUNT),
    ...some(rarely / 2, () => (isInit ? {} : { livenessProbe: { httpGet: { port: 80, host: "1.2.3.4" } } })),
  };
}

export function randomPodMetadata(random: Random): Parsed {
  return {
    ...(random.chance(0.3) && { labels: { app: random.pick(["a", "b"]) } }),
    ...(random.chance(0.15) && {
      annotations: random.pick([
        {
          "container.apparmor.security.beta.kubernetes.io/main": random.pick([
            "unconfined",
            "runtime/default",
            "localhost/a",
          ]),
        },
        { "seccomp.security.alpha.kubernetes.io/pod": random.pick(["runtime/default", "unconfined"]) },
        { "container.seccomp.security.alpha.kubernetes.io/main": "localhost/a" },
        { "kubernetes.io/config.mirror": "a" },
        { "scheduler.alpha.kubernetes.io/node-selector": "a=b" },
      ]),
    }),
  };
}

export function randomResources(random: Random): Parsed {
  const names = Object.keys(QUANTITIES) as (keyof typeof QUANTITIES)[];
  const limits: Parsed = {};
  const requests: Parsed = {};
  for (const name of names) {
    if (!random.chance(name === "cpu" || name === "memory" ? 0.6 : 0.12)) continue;
    const value = random.pick(QUANTITIES[name]);
    if (name === "example.com/gpu" || name === "hugepages-2Mi" || random.chance(0.5)) limits[name] = value;
    if (limits[name] === undefined || random.chance(0.5))
      requests[name] = random.chance(0.9) ? value : random.pick(QUANTITIES[name]);
  }
  return { ...(random.chance(0.9) && { limits }), ...(random.chance(0.9) && { requests }) };
}

/** Kinds with a pod template. */
const WORKLOADS: readonly (readonly [path: string, apiVersion: string, kind: string])[] = [
  ["/apis/apps/v1", "apps/v1", "Deployment"],
  ["/apis/apps/v1", "apps/v1", "ReplicaSet"],
  ["/apis/apps/v1", "apps/v1", "StatefulSet"],
  ["/apis/apps/v1", "apps/v1", "DaemonSet"],
  ["/apis/batch/v1", "batch/v1", "Job"],
  ["/apis/batch/v1", "batch/v1", "CronJob"],
  ["/api/v1", "v1", "ReplicationController"],
  ["/api/v1", "v1", "PodTemplate"],
];

/** Returns a new workload and the path of its list. */
export function randomWorkload(random: Random, namespace: string): { readonly path: string; readonly object: Parsed } {
  const [prefix, apiVersion, kind] = random.pick(WORKLOADS);
  const isJob = kind === "Job" || kind === "CronJob";
  const { activeDeadlineSeconds: _, ...podSpec } = randomPodSpec(random);
  const { annotations } = randomPodMetadata(random);
  const template = {
    metadata: { annotations, labels: { app: "a" } },
    spec: { ...podSpec, ...(isJob && { restartPolicy: "Never" }) },
  };
  const selector = kind === "ReplicationController" ? { app: "a" } : { matchLabels: { app: "a" } };
  const object: Parsed = { apiVersion, kind, metadata: { name: "new", namespace } };
  if (kind === "PodTemplate") object.template = template;
  else if (kind === "Job") object.spec = { template };
  else if (kind === "CronJob") object.spec = { schedule: "* * * * *", jobTemplate: { spec: { template } } };
  else object.spec = { selector, template, ...(kind === "StatefulSet" && { serviceName: "a" }) };
  return { path: `${prefix}/namespaces/${namespace}/${kind.toLowerCase()}s`, object };
}
