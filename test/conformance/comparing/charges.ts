import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { randomPodSpec, randomResources, randomWorkload } from "./admission/pods.ts";
import { randomLimitRange, randomQuota } from "./admission/quotas.ts";
import type { ComparedRequest, SequenceMaker } from "./compared-request.ts";

const STEPS = 8;

/** Objects that are created and changed in a namespace with a quota, and the usage that the quota finally shows. */
export const charges: SequenceMaker = (random) => {
  const name = `charged-${random.int(2 ** 31)}`;
  const inside = `/api/v1/namespaces/${name}`;
  const quota = randomQuota(random);
  const { hard } = quota.spec;
  const status = { hard, used: Object.fromEntries(Object.keys(hard).map((each) => [each, "0"])) };
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  return [
    post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } }),
    post(`${inside}/serviceaccounts`, { ...account, automountServiceAccountToken: false }),
    ...(random.chance(0.3) ? [post(`${inside}/limitranges`, randomLimitRange(random))] : []),
    post(`${inside}/resourcequotas`, quota),
    patch(`${inside}/resourcequotas/quota/status`, { status }),
    ...Array.from({ length: STEPS }, (_, index) => step(random, name, index)),
    {
      method: "GET",
      path: `${inside}/resourcequotas/quota`,
      what: "in the end",
      view: ({ spec, status }) => ({ spec, status }),
    },
  ];
};

function post(path: string, body: Parsed): ComparedRequest {
  return { method: "POST", path, bodies: [body, body], what: body.kind };
}

function patch(path: string, body: Parsed, kind = "strategic-merge"): ComparedRequest {
  return { method: "PATCH", path, type: `application/${kind}-patch+json`, bodies: [body, body], what: "change" };
}

function step(random: Random, namespace: string, index: number): ComparedRequest {
  const inside = `/api/v1/namespaces/${namespace}`;
  const existing = random.int(Math.max(1, index));
  const object = (kind: string, rest: Parsed): Parsed => ({
    apiVersion: "v1",
    kind,
    metadata: { name: `o${index}` },
    ...rest,
  });
  const podSpec = (): Parsed => {
    const { serviceAccountName: _, runtimeClassName: _r, priorityClassName: _p, ...spec } = randomPodSpec(random, 0.01);
    return spec;
  };
  const serviceSpec = (): Parsed => ({
    type: random.pick(["ClusterIP", "NodePort", "LoadBalancer"]),
    ports: ["a", ...random.times(2, (at) => `b${at}`)].map((name, at) => ({ name, port: 80 + at })),
  });
  const claim = (storage: string): Parsed => ({
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage } },
    storageClassName: random.pick(["fast", "slow", ""]),
  });
  return random.one<ComparedRequest>(
    () => post(`${inside}/pods`, object("Pod", { spec: podSpec() })),
    () => post(`${inside}/pods`, object("Pod", { spec: podSpec() })),
    () => patch(`${inside}/pods/o${existing}`, { spec: { activeDeadlineSeconds: 30 } }),
    () =>
      patch(`${inside}/pods/o${existing}/resize`, {
        spec: { containers: [{ name: "main", resources: randomResources(random) }] },
      }),
    () => patch(`${inside}/pods/o${existing}/status`, { status: { phase: "Succeeded" } }),
    () => ({ method: "DELETE", path: `${inside}/pods/o${existing}?gracePeriodSeconds=0`, what: "deletion" }),
    () =>
      post(`${inside}/pods/o${existing}/binding`, {
        ...object("Binding", { target: { kind: "Node", name: "node-a" } }),
        metadata: { name: `o${existing}` },
      }),
    () => ({
      method: "GET",
      path: `${inside}/pods/o${existing}`,
      what: "pod",
      view: ({ metadata: { labels }, spec, status }) => ({ labels, spec, status }),
    }),
    () => post(`${inside}/services`, object("Service", { spec: serviceSpec() })),
    () => patch(`${inside}/services/o${existing}`, { spec: serviceSpec() }, "merge"),
    () => post(`${inside}/persistentvolumeclaims`, object("PersistentVolumeClaim", { spec: claim("1Gi") })),
    () => post(`${inside}/${random.pick(["configmaps", "secrets"])}`, { metadata: { name: `o${index}` } }),
    () => {
      const { path, object: workload } = randomWorkload(random, namespace);
      return post(path, { ...workload, metadata: { name: `o${index}` } });
    },
  );
}
