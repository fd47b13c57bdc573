import { StoredValueCodec } from "../../runtime/kinds/stored-value-codec.ts";
import type { PlainObject } from "../../runtime/watch/cached-object.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";

export const PODS = "/registry/pods/";

/** Returns an object like a pod with two KiB of JSON. One in a hundred has the label `tier: one-percent`. */
export function samplePod(index: number): PlainObject {
  const container = {
    name: "main",
    image: "registry.example/app/server:1.27.3",
    args: Array.from({ length: 21 }, (_, i) => `--option-number-${i}=value-of-option-${index}-${i}`),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "1", memory: "512Mi" } },
    env: Array.from({ length: 8 }, (_, i) => ({ name: `VARIABLE_${i}`, value: `the value of variable ${i}` })),
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `pod-${index}`,
      namespace: `namespace-${index % 100}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      creationTimestamp: "2025-01-01T00:00:00Z",
      labels: { app: `app-${index % 500}`, tier: index % 100 === 0 ? "one-percent" : "rest" },
    },
    spec: { nodeName: `node-${index % 1000}`, containers: [container] },
    status: { phase: "Running", podIP: "10.0.0.1" },
  };
}

export function podKey(index: number): string {
  return `${PODS}namespace-${index % 100}/pod-${index}`;
}

export function podCodec(budget = new MemoBudget(64 << 20)): StoredValueCodec {
  return new StoredValueCodec({
    reader: {
      budget,
      parse: (json) => JSON.parse(json.toString()) as PlainObject,
      stringify: JSON.stringify,
      selectableFields: (object) => {
        const { metadata, spec } = object as { metadata: Record<string, string>; spec: { nodeName: string } };
        const { name = "", namespace = "" } = metadata;
        return { "metadata.name": name, "metadata.namespace": namespace, "spec.nodeName": spec.nodeName };
      },
    },
  });
}
