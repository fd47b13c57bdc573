import { describe, expect, it, onTestFinished } from "vitest";
import type { Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import { servePlaneInTest } from "../../fixtures/serve-plane.ts";
import { EtcdProcess } from "../../tools/etcd-process.ts";
import { KubeApiserverProcess } from "../../tools/kube-apiserver-process.ts";
import { findTool, skipMessage } from "../../tools/tools.ts";

const hasKubeApiserver = findTool("etcd") !== undefined && KubeApiserverProcess.isRealServer();
if (!hasKubeApiserver) console.log(skipMessage("kube-apiserver"));

const GATES = "PodLevelResources=true,DynamicResourceAllocation=true";
const PODS = "/api/v1/namespaces/default/pods";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

const container = (resources?: Parsed, more: Parsed = {}) => ({ name: "c", image: "i:1", resources, ...more });
const sidecar = (name: string, requests: Parsed) => container({ requests }, { name, restartPolicy: "Always" });

interface Case {
  readonly spec: Parsed;
  /** Of the pod while the gate is on. */
  readonly resources: Parsed | undefined;
}

const CASES: Readonly<Record<string, Case>> = {
  "requests are the limits if no container requests anything": {
    spec: { resources: { limits: { cpu: "1000m", memory: "1Gi" } }, containers: [container()] },
    resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } },
  },
  "requests are those of the containers, resource by resource": {
    spec: {
      resources: { limits: { cpu: "2", memory: "1Gi" } },
      containers: [
        container({ requests: { cpu: "300m" } }, { name: "a" }),
        container({ limits: { cpu: "400m" } }, { name: "b" }),
      ],
    },
    resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "700m", memory: "1Gi" } },
  },
  "requests of containers count for resources that the pod does not limit": {
    spec: {
      resources: { limits: { cpu: "2" } },
      containers: [container({ requests: { memory: "64Mi" } })],
    },
    resources: { limits: { cpu: "2" }, requests: { cpu: "2", memory: "64Mi" } },
  },
  "given requests stay": {
    spec: {
      resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1500m" } },
      containers: [container({ requests: { cpu: "1" } })],
    },
    resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1500m", memory: "1Gi" } },
  },
  "sidecars are added, and the largest init container counts": {
    spec: {
      resources: { limits: { cpu: "4", memory: "4Gi" } },
      initContainers: [
        sidecar("s", { cpu: "200m", memory: "1Gi" }),
        container({ requests: { cpu: "900m", memory: "1Mi" } }, { name: "i" }),
        sidecar("t", { cpu: "100m" }),
      ],
      containers: [container({ requests: { cpu: "500m", memory: "1Gi" } })],
    },
    resources: { limits: { cpu: "4", memory: "4Gi" }, requests: { cpu: "1100m", memory: "2Gi" } },
  },
  "nothing is added to requests without limits": {
    spec: { resources: { requests: { cpu: "1" } }, containers: [container({ requests: { cpu: "1" } })] },
    resources: { requests: { cpu: "1" } },
  },
  "limits of huge pages are those of the containers, and are requested": {
    spec: {
      resources: { limits: { cpu: "1", memory: "1Gi" } },
      containers: [
        container({ limits: { memory: "10Mi", "hugepages-2Mi": "4Mi" } }, { name: "a" }),
        container({ limits: { memory: "10Mi", "hugepages-2Mi": "2Mi" } }, { name: "b" }),
      ],
    },
    resources: {
      limits: { cpu: "1", memory: "1Gi", "hugepages-2Mi": "6Mi" },
      requests: { cpu: "1", memory: "20Mi", "hugepages-2Mi": "6Mi" },
    },
  },
  "limits of huge pages are added to requests without limits": {
    spec: {
      resources: { requests: { cpu: "1" } },
      containers: [container({ limits: { memory: "10Mi", "hugepages-1Gi": "1Gi" } })],
    },
    resources: {
      limits: { "hugepages-1Gi": "1Gi" },
      requests: { cpu: "1", memory: "10Mi", "hugepages-1Gi": "1Gi" },
    },
  },
  "limits of huge pages of the pod win": {
    spec: {
      resources: { limits: { memory: "1Gi", "hugepages-2Mi": "8Mi" } },
      containers: [container({ limits: { memory: "10Mi", "hugepages-2Mi": "4Mi" } })],
    },
    resources: {
      limits: { memory: "1Gi", "hugepages-2Mi": "8Mi" },
      requests: { memory: "10Mi", "hugepages-2Mi": "8Mi" },
    },
  },
  "limits are rounded up to a thousandth": {
    spec: { resources: { limits: { cpu: "1100u" } }, containers: [container({ requests: { cpu: "400u" } })] },
    resources: { limits: { cpu: "2m" }, requests: { cpu: "1m" } },
  },
  "a pod without resources of its own gets none": {
    spec: { containers: [container({ limits: { cpu: "1" } })] },
    resources: undefined,
  },
  "empty resources stay empty": {
    spec: { resources: {}, containers: [container()] },
    resources: {},
  },
};

/** Pods that are rejected while the gate is on, and the errors. */
const REFUSED: Readonly<Record<string, { readonly spec: Parsed; readonly says: readonly string[] }>> = {
  "containers that request more than the pod": {
    spec: { resources: { requests: { cpu: "1" } }, containers: [container({ requests: { cpu: "2", memory: "1Mi" } })] },
    says: [
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      'spec.resources.requests[memory]: Invalid value: "0": must be greater than or equal to aggregate container requests of 1Mi',
    ],
  },
  // The requests of the containers are rounded after their sum is computed, and so is the sum.
  "requests whose sum is rounded once": {
    spec: {
      resources: { limits: { cpu: "2m" } },
      containers: ["a", "b"].map((name) => container({ requests: { cpu: "400u" } }, { name })),
    },
    says: [
      'spec.resources.requests[cpu]: Invalid value: "1m": must be greater than or equal to aggregate container requests of 2m',
    ],
  },
  "a container that is limited to more than the pod": {
    spec: {
      resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
      containers: [container({ limits: { cpu: "1500m" }, requests: { cpu: "1" } })],
    },
    says: [
      'spec.resources.containers[0][cpu].limits: Invalid value: "1500m": must be less than or equal to pod limits of 1',
    ],
  },
  "resources that pods cannot have": {
    spec: { resources: { limits: { "example.com/gpu": "1", "ephemeral-storage": "1Gi" } }, containers: [container()] },
    says: [
      'spec.resources.limits[ephemeral-storage]: Unsupported value: ephemeral-storage: supported values: "cpu", "hugepages-", "memory"',
      'spec.resources.limits[example.com/gpu]: Unsupported value: example.com/gpu: supported values: "cpu", "hugepages-", "memory"',
    ],
  },
  "claims and a request above the limit": {
    spec: {
      resourceClaims: [{ name: "r", resourceClaimName: "r" }],
      resources: { claims: [{ name: "r" }], limits: { cpu: "1" }, requests: { cpu: "2" } },
      containers: [container()],
    },
    says: [
      "spec.resources.claims: Forbidden: claims cannot be set for Resources at pod-level",
      'spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
  },
  "huge pages alone": {
    spec: { resources: { limits: { "hugepages-2Mi": "3Mi" } }, containers: [container()] },
    says: [
      "spec.resources: Forbidden: HugePages require cpu or memory",
      'spec.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      'spec.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ],
  },
};

/** Returns the errors of a Status, sorted, because their order is random in kube-apiserver. */
const errorsOf = ({ details }: Parsed): string[] =>
  (details?.causes ?? []).map(({ field, message }: Parsed) => `${field}: ${message}`).sort();

/** Returns what a server makes of the pods of all cases, and of templates with the same spec, or its errors. */
async function made(call: PlaneClient): Promise<{ pods: Parsed; templates: Parsed }> {
  await call("POST", "/api/v1/namespaces/default/serviceaccounts", {
    body: { kind: "ServiceAccount", apiVersion: "v1", metadata: { name: "default" } },
  });
  const pods: Parsed = {};
  const templates: Parsed = {};
  const labels = { a: "b" };
  for (const [index, [title, { spec }]] of Object.entries({ ...CASES, ...REFUSED }).entries()) {
    const name = `p${index}`;
    const pod = { kind: "Pod", apiVersion: "v1", metadata: { name }, spec };
    const { status, body } = await call("POST", `${PODS}?dryRun=All`, { body: pod });
    pods[title] = status === 201 ? [body.spec.resources, body.status.qosClass] : errorsOf(body);
    const deployment = {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
    const { body: answer } = await call("POST", `${DEPLOYMENTS}?dryRun=All`, { body: deployment });
    templates[title] = answer.kind === "Status" ? errorsOf(answer) : answer.spec.template.spec.resources;
  }
  return { pods, templates };
}

describe("resources of whole pods", { timeout: 120_000 }, () => {
  it("are completed in pods and checked while the gate is on", async () => {
    const { call } = await servePlaneInTest({ flags: { "feature-gates": GATES } });
    const { pods, templates } = await made(call);
    for (const [title, { resources }] of Object.entries(CASES)) expect(pods[title][0], title).toEqual(resources);
    expect(templates["requests are the limits if no container requests anything"]).toEqual({
      limits: { cpu: "1", memory: "1Gi" },
    });
    for (const [title, { says }] of Object.entries(REFUSED)) expect(pods[title], title).toEqual([...says].sort());
    expect(templates["requests of containers count for resources that the pod does not limit"]).toEqual([
      'spec.template.spec.resources.requests[memory]: Invalid value: "0": must be greater than or equal to aggregate container requests of 64Mi',
    ]);
  });

  it("are dropped while the gate is off", async () => {
    const { call } = await servePlaneInTest({});
    const { pods, templates } = await made(call);
    for (const title of Object.keys(CASES)) {
      expect(pods[title][0], title).toBeUndefined();
      expect(templates[title], title).toBeUndefined();
    }
  });

  it.runIf(hasKubeApiserver)("are completed and checked as kube-apiserver does", async () => {
    const etcd = await EtcdProcess.start();
    onTestFinished(() => etcd.stop());
    const theirs = await KubeApiserverProcess.start(etcd.endpoint, [`--feature-gates=${GATES}`]);
    onTestFinished(() => theirs.stop());
    const mine = await servePlaneInTest({ flags: { "feature-gates": GATES } });
    expect(await made(mine.call)).toEqual(await made(theirs.call));
  });
});
