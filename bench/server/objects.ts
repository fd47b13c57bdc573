import { samplePod } from "../encoding/sample-pod.ts";

export const NAMESPACE = "bench";
export const PODS_PATH = `/api/v1/namespaces/${NAMESPACE}/pods`;
export const MAPS_PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
/** One pod of this many has the label that the selector matches. */
const RARE = 100;

const podName = (index: number) => `pod-${String(index).padStart(6, "0")}`;

export function podPath(index: number): string {
  return `${PODS_PATH}/${podName(index)}`;
}

export function pod(index: number): string {
  const labels = { ...samplePod.metadata.labels, rare: index % RARE === 0 ? "yes" : "no" };
  const { serviceAccountName: _, ...spec } = samplePod.spec;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: podName(index), namespace: NAMESPACE, labels },
    spec,
  });
}

export function configMap(name: string, value: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: NAMESPACE },
    data: { value, text: "x".repeat(900) },
  });
}

export function deployment(name: string, image: string): string {
  const labels = { app: name };
  const container = {
    name: "main",
    image,
    ports: [{ containerPort: 80 }],
    env: Array.from({ length: 12 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value-${index}` })),
    resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "1", memory: "1Gi" } },
  };
  return JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: NAMESPACE, labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
}
