import { describe, expect, it } from "vitest";
import { hooks as policyBindingHooks } from "../../api-definitions/admissionregistration/v1/validating-admission-policy-binding.hooks.ts";
import { hooks as deploymentHooks } from "../../api-definitions/apps/v1/deployment.hooks.ts";
import { hooks as autoscalerHooks } from "../../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.hooks.ts";
import { hooks as jobHooks } from "../../api-definitions/batch/v1/job.hooks.ts";
import type { ContainerStatus } from "../../api-definitions/core/v1/container-status.ts";
import { hooks as endpointsHooks } from "../../api-definitions/core/v1/endpoints.hooks.ts";
import { hooks as eventHooks } from "../../api-definitions/core/v1/event.hooks.ts";
import { hooks as nodeHooks } from "../../api-definitions/core/v1/node.hooks.ts";
import { hooks as claimHooks } from "../../api-definitions/core/v1/persistent-volume-claim.hooks.ts";
import { hooks as podHooks } from "../../api-definitions/core/v1/pod.hooks.ts";
import type { Pod } from "../../api-definitions/core/v1/pod.ts";
import { hooks as serviceHooks } from "../../api-definitions/core/v1/service.hooks.ts";
import { hooks as ingressHooks } from "../../api-definitions/networking/v1/ingress.hooks.ts";
import { hooks as taintRuleHooks } from "../../api-definitions/resource/v1alpha3/device-taint-rule.hooks.ts";
import { humanDuration } from "../../runtime/values/human-duration.ts";
import { selectorText } from "../../runtime/values/table-text.ts";

const now = () => new Date("2026-01-02T00:00:00Z");

describe("ages", () => {
  it.each([
    [-5, "<invalid>"],
    [-1, "0s"],
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [305, "5m5s"],
    [600, "10m"],
    [3 * 3600, "3h"],
    [3 * 3600 + 300, "3h5m"],
    [8 * 3600 + 300, "8h"],
    [49 * 3600, "2d1h"],
    [9 * 86400, "9d"],
    [800 * 86400, "2y70d"],
    [3000 * 86400, "8y"],
  ])("%i seconds read %s", (seconds, text) => {
    expect(humanDuration(seconds * 1000)).toBe(text);
  });
});

const container = (name: string, status: Partial<ContainerStatus>): ContainerStatus => ({
  name,
  ready: false,
  restartCount: 0,
  image: "i",
  imageID: "",
  ...status,
});
const pod = (status: Pod["status"], spec: Partial<NonNullable<Pod["spec"]>> = {}, deleted = false): Pod => ({
  metadata: deleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {},
  spec: { containers: [{ name: "a", image: "i" }], ...spec },
  status,
});
const podStatus = (value: Pod) => {
  const cells = podHooks.cells!(value, { now });
  return `${cells.Ready} ${cells.Status} ${cells.Restarts}`;
};

describe("cells of pods", () => {
  it.each<[string, Pod, string]>([
    ["a pending pod", pod({ phase: "Pending" }), "0/1 Pending 0"],
    [
      "a running pod",
      pod({ phase: "Running", containerStatuses: [container("a", { ready: true, state: { running: {} } })] }),
      "1/1 Running 0",
    ],
    [
      "a container that waits",
      pod({
        phase: "Running",
        containerStatuses: [container("a", { state: { waiting: { reason: "CrashLoopBackOff" } }, restartCount: 3 })],
      }),
      "0/1 CrashLoopBackOff 3",
    ],
    [
      "restarts with their last time",
      pod({
        phase: "Running",
        containerStatuses: [
          container("a", {
            ready: true,
            restartCount: 2,
            state: { running: {} },
            lastState: { terminated: { exitCode: 1, finishedAt: "2026-01-01T23:55:00Z" } },
          }),
        ],
      }),
      "1/1 Running 2 (5m ago)",
    ],
    [
      "a signal without a reason",
      pod({
        phase: "Failed",
        containerStatuses: [container("a", { state: { terminated: { exitCode: 137, signal: 9 } } })],
      }),
      "0/1 Signal:9 0",
    ],
    [
      "the second init container at work",
      pod(
        {
          phase: "Pending",
          initContainerStatuses: [
            container("x", { state: { terminated: { exitCode: 0 } } }),
            container("y", { state: { running: {} } }),
          ],
        },
        {
          initContainers: [
            { name: "x", image: "i" },
            { name: "y", image: "i" },
          ],
        },
      ),
      "0/1 Init:1/2 0",
    ],
    [
      "a sidecar counts as a container",
      pod(
        {
          phase: "Running",
          initContainerStatuses: [
            container("s", { ready: true, started: true, state: { running: {} }, restartCount: 1 }),
          ],
          containerStatuses: [container("a", { ready: true, state: { running: {} } })],
        },
        { initContainers: [{ name: "s", image: "i", restartPolicy: "Always" }] },
      ),
      "2/2 Running 1",
    ],
    ["a pod going away", pod({ phase: "Running" }, {}, true), "0/1 Terminating 0"],
    ["a pod of a lost node", pod({ phase: "Running", reason: "NodeLost" }, {}, true), "0/1 Unknown 0"],
    [
      "a gated pod",
      pod({ phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] }),
      "0/1 SchedulingGated 0",
    ],
  ])("tell of %s", (_, value, text) => {
    expect(podStatus(value)).toBe(text);
  });

  it("mark finished pods", () => {
    expect(podHooks.table?.rowConditions?.(pod({ phase: "Succeeded" }))).toEqual([
      { type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." },
    ]);
    expect(podHooks.table?.rowConditions?.(pod({ phase: "Running" }))).toEqual([]);
  });
});

describe("cells of other kinds", () => {
  it("write selectors as kubectl takes them", () => {
    expect(
      selectorText({
        matchLabels: { b: "2", a: "1" },
        matchExpressions: [{ key: "c", operator: "NotIn", values: ["y", "x"] }],
      }),
    ).toBe("a=1,b=2,c notin (x,y)");
    expect(selectorText({})).toBe("<none>");
    expect(selectorText({ matchExpressions: [{ key: "c", operator: "Odd" }] })).toBe("<error>");
  });

  it("count a deployment's replicas", () => {
    const cells = deploymentHooks.cells!(
      {
        spec: {
          replicas: 3,
          selector: { matchLabels: { app: "x" } },
          template: { spec: { containers: [{ name: "a", image: "i:1" }] } },
        },
        status: { readyReplicas: 2, updatedReplicas: 1 },
      },
      { now },
    );
    expect(cells).toEqual({
      Ready: "2/3",
      "Up-to-date": 1,
      Available: 0,
      Containers: "a",
      Images: "i:1",
      Selector: "app=x",
    });
  });

  it("show where a service is reached", () => {
    const cells = (spec: object, status?: object) => serviceHooks.cells!({ spec, status } as never, { now });
    expect(
      cells({ type: "NodePort", clusterIPs: ["10.0.0.1"], ports: [{ port: 80, nodePort: 30080, protocol: "TCP" }] }),
    ).toMatchObject({
      "Cluster-IP": "10.0.0.1",
      "External-IP": "<none>",
      "Port(s)": "80:30080/TCP",
    });
    expect(cells({ type: "LoadBalancer" })["External-IP"]).toBe("<pending>");
    expect(
      cells({ type: "LoadBalancer" }, { loadBalancer: { ingress: [{ hostname: "balancer.example.com" }] } })[
        "External-IP"
      ],
    ).toBe("balancer.example.com");
    expect(cells({ type: "ExternalName", externalName: "x.example" })["External-IP"]).toBe("x.example");
  });

  it("show all addresses of an ingress, however long they are", () => {
    const ingress = [{ hostname: "long-name-of-a-balancer.example.com" }, { ip: "2001:db8::1" }, { ip: "192.0.2.7" }];
    expect(ingressHooks.cells!({ spec: {}, status: { loadBalancer: { ingress } } }, { now }).Address).toBe(
      "192.0.2.7,2001:db8::1,long-name-of-a-balancer.example.com",
    );
  });

  it("show the parameters of a policy's binding, a selector as Go prints it", () => {
    const cell = (paramRef?: object) => policyBindingHooks.cells!({ spec: { paramRef } } as never, { now }).ParamRef;
    expect(cell()).toBe("<unset>");
    expect(cell({ name: "a", namespace: "b" })).toBe("b/a");
    expect(cell({ name: "a" })).toBe("*/a");
    const matchExpressions = [
      { key: "c", operator: "In", values: ["x", "y"] },
      { key: "d", operator: "Exists" },
    ];
    expect(cell({ selector: { matchLabels: { b: "2", a: "1" }, matchExpressions } })).toBe(
      "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{" +
        "LabelSelectorRequirement{Key:c,Operator:In,Values:[x y],},LabelSelectorRequirement{Key:d,Operator:Exists,Values:[],},},}",
    );
    expect(cell({ selector: {} })).toBe(
      "&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}",
    );
  });

  it("show how long ago a device was tainted", () => {
    const cells = (timeAdded?: string) => taintRuleHooks.cells!({ spec: { taint: { timeAdded } } } as never, { now });
    expect(cells("2026-01-01T00:00:00Z")).toEqual({ TimeAdded: "24h" });
    expect(cells()).toEqual({ TimeAdded: "" });
  });

  it("sum up nodes, jobs, claims, events, endpoints, ingresses and autoscalers", () => {
    const labels = { "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "edge" };
    expect(nodeHooks.cells!({ metadata: { labels }, spec: { unschedulable: true } }, { now })).toMatchObject({
      Status: "Unknown,SchedulingDisabled",
      Roles: "control-plane,edge",
    });
    expect(
      jobHooks.cells!(
        { spec: { parallelism: 4, template: {} }, status: { startTime: "2026-01-01T23:00:00Z" } } as never,
        { now },
      ),
    ).toMatchObject({
      Status: "Running",
      Completions: "0/1 of 4",
      Duration: "60m",
    });
    expect(
      claimHooks.cells!(
        {
          spec: { volumeName: "v" },
          status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteMany", "ReadWriteOnce"] },
        },
        { now },
      ),
    ).toMatchObject({ Status: "Bound", Capacity: "1Gi", "Access Modes": "RWO,RWX" });
    expect(
      eventHooks.cells!(
        {
          metadata: {},
          involvedObject: { kind: "Pod", name: "p" },
          message: " hi \n",
          source: { component: "kubelet", host: "n" },
        },
        { now },
      ),
    ).toMatchObject({ Object: "pod/p", Source: "kubelet, n", Message: "hi", Count: 1, "Last Seen": "<unknown>" });
    expect(
      endpointsHooks.cells!(
        { subsets: [{ addresses: [{ ip: "1.1.1.1" }, { ip: "::1" }], ports: [{ port: 1 }, { port: 2 }] }] },
        { now },
      ),
    ).toEqual({ Endpoints: "1.1.1.1:1,[::1]:1,1.1.1.1:2 + 1 more..." });
    expect(ingressHooks.cells!({ spec: { tls: [{}], rules: [{ host: "a" }, {}, { host: "b" }] } }, { now })).toEqual({
      Class: "<none>",
      Hosts: "a,b",
      Address: "",
      Ports: "80, 443",
    });
    expect(
      autoscalerHooks.cells!(
        {
          spec: {
            maxReplicas: 5,
            scaleTargetRef: { kind: "Deployment", name: "web" },
            metrics: [
              { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
            ],
          },
        },
        { now },
      ),
    ).toMatchObject({ Reference: "Deployment/web", Targets: "cpu: <unknown>/80%", MinPods: "<unset>" });
  });

  it("tell metrics of an autoscaler without a value from those without a status", () => {
    const pods = { type: "Pods", pods: { metric: { name: "a" }, target: { type: "AverageValue", averageValue: "3" } } };
    const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "AverageValue", averageValue: "2" } } };
    const spec = { maxReplicas: 5, scaleTargetRef: { kind: "Deployment", name: "web" }, metrics: [pods, cpu] };
    const currentMetrics = [
      { type: "Pods", pods: { metric: { name: "a" }, current: {} } },
      { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 7 } } },
    ];
    const targets = (status: object) => autoscalerHooks.cells!({ spec, status } as never, { now })["Targets"];
    expect(targets({ currentMetrics })).toBe("<nil>/3, cpu: <nil>/2");
    expect(targets({ currentMetrics: [] })).toBe("<unknown>/3, cpu: <unknown>/2");
  });
});
