import { describe, expect, it } from "vitest";
import { hooks as deploymentHooks } from "../../api-definitions/apps/v1/deployment.hooks.ts";
import { hooks as statefulSetHooks } from "../../api-definitions/apps/v1/stateful-set.hooks.ts";
import { hooks as autoscalerHooks } from "../../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.hooks.ts";
import { hooks as jobHooks } from "../../api-definitions/batch/v1/job.hooks.ts";
import { hooks as limitRangeHooks } from "../../api-definitions/core/v1/limit-range.hooks.ts";
import { hooks as namespaceHooks } from "../../api-definitions/core/v1/namespace.hooks.ts";
import { hooks as podHooks } from "../../api-definitions/core/v1/pod.hooks.ts";
import { defaultPullPolicy } from "../../api-definitions/core/v1/pod-defaults.ts";
import { hooks as serviceHooks } from "../../api-definitions/core/v1/service.hooks.ts";
import { hooks as policyHooks } from "../../api-definitions/networking/v1/network-policy.hooks.ts";
import { hooks as bindingHooks } from "../../api-definitions/rbac/v1/role-binding.hooks.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";

/** The object after its computed defaults, which must not change it further when run again. */
function defaulted<T>(hooks: KindHooks<T>, object: unknown): T {
  const value = structuredClone(object) as T;
  hooks.default!(value, DEFAULT_CONTEXT);
  const again = structuredClone(value);
  hooks.default!(again, DEFAULT_CONTEXT);
  expect(again).toEqual(value);
  return value;
}

describe("computed defaults", () => {
  it.each([
    ["app", "Always"],
    ["app:latest", "Always"],
    ["app:1", "IfNotPresent"],
    ["host:5000/app", "Always"],
    ["host:5000/app:2", "IfNotPresent"],
    ["app@sha256:00", "IfNotPresent"],
    ["app:latest@sha256:00", "IfNotPresent"],
  ])("pull %s %s", (image, policy) => {
    expect(defaultPullPolicy(image)).toBe(policy);
  });

  it("complete a pod", () => {
    const pod = defaulted(podHooks, {
      spec: {
        hostNetwork: true,
        serviceAccount: "robot",
        volumes: [{ name: "v" }, { name: "s", secret: {} }],
        containers: [
          {
            name: "a",
            image: "i:1",
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "0.0001" } },
          },
        ],
      },
    });
    expect(pod.spec).toEqual({
      hostNetwork: true,
      enableServiceLinks: true,
      serviceAccount: "robot",
      serviceAccountName: "robot",
      volumes: [
        { name: "v", emptyDir: {} },
        { name: "s", secret: {} },
      ],
      containers: [
        {
          name: "a",
          image: "i:1",
          imagePullPolicy: "IfNotPresent",
          ports: [{ containerPort: 80, hostPort: 80 }],
          resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1m", memory: "1Gi" } },
        },
      ],
    });
  });

  it("follow the type of a service", () => {
    const spec = (value: object) => defaulted(serviceHooks, { spec: { sessionAffinity: "None", ...value } }).spec;
    expect(spec({ type: "ClusterIP", ports: [{ port: 80 }, { port: 81, targetPort: "web" }] })).toMatchObject({
      internalTrafficPolicy: "Cluster",
      ports: [{ targetPort: 80 }, { targetPort: "web" }],
    });
    expect(spec({ type: "ClusterIP" })).not.toHaveProperty("externalTrafficPolicy");
    expect(spec({ type: "LoadBalancer" })).toMatchObject({
      externalTrafficPolicy: "Cluster",
      allocateLoadBalancerNodePorts: true,
    });
    expect(spec({ type: "ExternalName" })).not.toHaveProperty("internalTrafficPolicy");
    expect(spec({ type: "ClusterIP", sessionAffinity: "ClientIP" })).toMatchObject({
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    });
  });

  it("fill in rolling updates only where the strategy rolls", () => {
    expect(
      defaulted(deploymentHooks, { spec: { strategy: { type: "RollingUpdate" } } }).spec?.strategy?.rollingUpdate,
    ).toEqual({
      maxUnavailable: "25%",
      maxSurge: "25%",
    });
    expect(defaulted(deploymentHooks, { spec: { strategy: { type: "Recreate" } } }).spec?.strategy).toEqual({
      type: "Recreate",
    });
    expect(defaulted(statefulSetHooks, { spec: {} }).spec?.updateStrategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { partition: 0 },
    });
    expect(
      defaulted(statefulSetHooks, { spec: { updateStrategy: { type: "RollingUpdate" } } }).spec?.updateStrategy,
    ).toEqual({ type: "RollingUpdate" });
  });

  it("complete jobs, autoscalers, limit ranges, namespaces, policies and bindings", () => {
    expect(defaulted(jobHooks, { spec: { template: { metadata: { labels: { a: "b" } } } } })).toMatchObject({
      metadata: { labels: { a: "b" } },
      spec: {
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        completionMode: "NonIndexed",
        suspend: false,
        podReplacementPolicy: "TerminatingOrFailed",
      },
    });
    expect(defaulted(jobHooks, { spec: { parallelism: 2 } }).spec).not.toHaveProperty("completions");
    expect(defaulted(autoscalerHooks, { spec: { behavior: { scaleUp: { selectPolicy: "Min" } } } }).spec).toMatchObject(
      {
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { averageUtilization: 80 } } }],
        behavior: {
          scaleUp: { selectPolicy: "Min", stabilizationWindowSeconds: 0 },
          scaleDown: { selectPolicy: "Max" },
        },
      },
    );
    expect(
      defaulted(limitRangeHooks, {
        spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } }] },
      }).spec?.limits[0],
    ).toMatchObject({
      default: { cpu: "2" },
      defaultRequest: { cpu: "2", memory: "1Mi" },
    });
    expect(defaulted(namespaceHooks, { metadata: { name: "n" } }).metadata?.labels).toEqual({
      "kubernetes.io/metadata.name": "n",
    });
    expect(defaulted(policyHooks, { spec: { egress: [{}] } }).spec?.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(
      defaulted(bindingHooks, {
        roleRef: { kind: "Role", name: "r" },
        subjects: [
          { kind: "User", name: "u" },
          { kind: "ServiceAccount", name: "s" },
        ],
      }),
    ).toMatchObject({
      roleRef: { apiGroup: "rbac.authorization.k8s.io" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io" }, { kind: "ServiceAccount", name: "s" }],
    });
  });
});
