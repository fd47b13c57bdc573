import { describe, expect, it } from "vitest";
import { hooks as revisionHooks } from "../../../api-definitions/apps/v1/controller-revision.hooks.ts";
import { hooks as daemonSetHooks } from "../../../api-definitions/apps/v1/daemon-set.hooks.ts";
import { hooks as deploymentHooks } from "../../../api-definitions/apps/v1/deployment.hooks.ts";
import type { Deployment } from "../../../api-definitions/apps/v1/deployment.ts";
import { hooks as replicaSetHooks } from "../../../api-definitions/apps/v1/replica-set.hooks.ts";
import { hooks as statefulSetHooks } from "../../../api-definitions/apps/v1/stateful-set.hooks.ts";
import { DEFAULT_CONTEXT } from "../../fixtures/default-context.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

const template = {
  metadata: { labels: { app: "web" } },
  spec: {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    terminationGracePeriodSeconds: 30,
    containers: [
      {
        name: "main",
        image: "web:1",
        imagePullPolicy: "IfNotPresent",
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
      },
    ],
  },
};
const selector = { matchLabels: { app: "web" } };
const deployment = {
  metadata: { name: "web" },
  spec: {
    replicas: 1,
    selector,
    template,
    progressDeadlineSeconds: 600,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
  },
};
const percentWords =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

describe("a deployment", () => {
  it("is accepted if it is valid", () => {
    expect(refusals(deploymentHooks, deployment)).toEqual([]);
    expect(refusals(deploymentHooks, deployment, { old: deployment })).toEqual([]);
  });

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    [
      "spec.selector",
      undefined,
      "spec.selector: Required value",
      'spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      "spec.selector",
      {},
      "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment",
    ],
    [
      "spec.selector.matchLabels",
      { app: "db" },
      'spec.template.metadata.labels: Invalid value: map[string]string{"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      "spec.template.spec.restartPolicy",
      "Never",
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      "spec.template.spec.activeDeadlineSeconds",
      5,
      "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported",
    ],
    [
      "spec.progressDeadlineSeconds",
      0,
      "spec.progressDeadlineSeconds: Invalid value: 0: must be greater than minReadySeconds",
    ],
    [
      "spec.strategy.type",
      "Recreate",
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      "spec.strategy",
      { type: "Odd" },
      'spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"Odd", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      "spec.strategy.rollingUpdate",
      { maxUnavailable: 0, maxSurge: 0 },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:""}: may not be 0 when `maxSurge` is 0',
    ],
    [
      "spec.strategy.rollingUpdate.maxUnavailable",
      "101%",
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
    ],
    [
      "spec.strategy.rollingUpdate.maxSurge",
      "lots",
      `spec.strategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"lots"}: ${percentWords}`,
    ],
  ])("is refused for %s = %j", (path, value, ...problems) => {
    expect(refusals(deploymentHooks, withValue(deployment, path, value))).toEqual(problems);
  });

  it("cannot change its selector", () => {
    const changed = withValue(deployment, "spec.selector.matchLabels", { app: "web", tier: "front" });
    const relabelled = withValue(changed, "spec.template.metadata.labels", { app: "web", tier: "front" });
    expect(refusals(deploymentHooks, relabelled, { old: deployment })).toEqual([
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web", "tier":"front"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ]);
  });

  it("must have a consistent status", () => {
    const broken = { ...deployment, status: { replicas: 1, readyReplicas: 2, availableReplicas: -1 } };
    const old = { ...deployment, status: { collisionCount: 3 } };
    expect(refusals(deploymentHooks, broken, { old, subresource: "status" })).toEqual([
      "status.availableReplicas: Invalid value: -1: must be greater than or equal to 0",
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.collisionCount: Invalid value: 0: cannot be decremented",
    ]);
  });

  it("counts changed annotations as a new generation", () => {
    const annotated = withValue(deployment, "metadata.annotations", { note: "x" });
    expect(deploymentHooks.lifecycle?.raisesGeneration?.(annotated as never, deployment as never)).toBe(true);
    const labelled = withValue(deployment, "metadata.labels", { note: "x" });
    expect(deploymentHooks.lifecycle?.raisesGeneration?.(labelled as never, deployment as never)).toBe(false);
  });

  it("warns about names that are not valid host names", () => {
    const [warning] = deploymentHooks.warn?.({ metadata: { name: "a.b" } } as never, contextFor()) ?? [];
    expect(warning).toMatch(/^metadata\.name: this is used in Pod names and hostnames.*\[must not contain dots\]$/);
  });
});

describe("other workloads", () => {
  it("a ReplicaSet has messages about deployments, as in Kubernetes", () => {
    const set = { metadata: { name: "web" }, spec: { replicas: 1, selector: {}, template } };
    expect(refusals(replicaSetHooks, set)).toEqual([
      expect.stringContaining("empty selector is invalid for deployment"),
    ]);
  });

  it.each<[rolling: object, ...problems: string[]]>([
    [{ maxUnavailable: 1, maxSurge: 0 }],
    [
      { maxUnavailable: 1, maxSurge: 1 },
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: may not be set when maxUnavailable is non-zero',
    ],
    [
      { maxUnavailable: 0, maxSurge: "0%" },
      "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
    ],
  ])("a DaemonSet has the rolling update %j", (rollingUpdate, ...problems) => {
    const set = { spec: { selector, template, updateStrategy: { type: "RollingUpdate", rollingUpdate } } };
    expect(refusals(daemonSetHooks, set)).toEqual(problems);
  });

  it("a DaemonSet increments its template generation when the template changes", () => {
    const set = { metadata: { name: "agent" }, spec: { selector, template } };
    const key = "deprecated.daemonset.template.generation";
    const created = structuredClone(set) as never as Parameters<NonNullable<typeof daemonSetHooks.default>>[0];
    daemonSetHooks.lifecycle?.prepareForCreate?.(created, contextFor());
    expect(created.metadata?.annotations?.[key]).toBe("1");
    const same = structuredClone(set) as typeof created;
    daemonSetHooks.lifecycle?.prepareForUpdate?.(same, created, contextFor());
    expect(same.metadata?.annotations?.[key]).toBe("1");
    const changed = withValue(set, "spec.template.metadata.labels.x", "y") as typeof created;
    daemonSetHooks.lifecycle?.prepareForUpdate?.(changed, created, contextFor());
    expect(changed.metadata?.annotations?.[key]).toBe("2");
  });

  const statefulSet = {
    metadata: { name: "db" },
    spec: {
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      selector,
      template,
      serviceName: "db",
    },
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.serviceName", "db"],
    ["spec.serviceName", "Not_A_Name", expect.stringContaining("spec.serviceName: Invalid value")],
    [
      "spec.podManagementPolicy",
      "Odd",
      `spec.podManagementPolicy: Invalid value: "Odd": must be 'OrderedReady' or 'Parallel'`,
    ],
    [
      "spec.updateStrategy.type",
      "OnDelete",
      "spec.updateStrategy.rollingUpdate: Invalid value: apps.RollingUpdateStatefulSetStrategy{Partition:0, MaxUnavailable:(*intstr.IntOrString)(nil)}: only allowed for updateStrategy 'RollingUpdate'",
    ],
    ["spec.ordinals", { start: -1 }, "spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0"],
    [
      "spec.persistentVolumeClaimRetentionPolicy",
      { whenDeleted: "Retain", whenScaled: "Burn" },
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Burn": supported values: "Retain", "Delete"',
    ],
  ])("a stateful set is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(statefulSetHooks, withValue(statefulSet, path, value))).toEqual(problems);
  });

  it("a StatefulSet cannot change most fields of its spec", () => {
    const forbidden = refusals(statefulSetHooks, withValue(statefulSet, "spec.serviceName", "other"), {
      old: statefulSet,
    });
    expect(forbidden).toEqual([
      expect.stringMatching(/^spec: Forbidden: updates to statefulset spec for fields other than/),
    ]);
    expect(refusals(statefulSetHooks, withValue(statefulSet, "spec.replicas", 5), { old: statefulSet })).toEqual([]);
  });

  it("a ControllerRevision has data that cannot be changed", () => {
    expect(refusals(revisionHooks, { revision: 1 })).toEqual(["data: Required value: data is mandatory"]);
    expect(refusals(revisionHooks, { revision: 1, data: [1] })).toEqual([
      "data: Required value: data must be a valid JSON object",
    ]);
    expect(refusals(revisionHooks, { revision: 1, data: { a: 2 } }, { old: { revision: 1, data: { a: 1 } } })).toEqual([
      "data: Invalid value: runtime.RawExtension{Raw:[]uint8{0x7b, 0x22, 0x61, 0x22, 0x3a, 0x32, 0x7d}, Object:runtime.Object(nil)}: field is immutable",
    ]);
  });
});

describe("the annotation of a deployment that asks for a rollback", () => {
  const KEY = "deprecated.deployment.rollback.to";
  const asking = (revision: string) => ({ ...deployment, metadata: { name: "web", annotations: { [KEY]: revision } } });
  const read = (revision: string) => {
    const object = structuredClone(asking(revision)) as unknown as Deployment;
    deploymentHooks.default?.(object, DEFAULT_CONTEXT);
    return object.metadata;
  };

  it("is read as a number", () => {
    expect(read("05")).toEqual({ name: "web", annotations: { [KEY]: "5" } });
    expect(read("")).toEqual({ name: "web" });
    expect(deploymentHooks.compatibility?.unconvertible?.(asking("x") as never)).toBe(
      `failed to parse annotation[${KEY}]=x as int64: strconv.ParseInt: parsing "x": invalid syntax`,
    );
    expect(deploymentHooks.compatibility?.unconvertible?.(asking("5") as never)).toBeUndefined();
  });

  it("must not be negative", () => {
    const problem = "spec.rollback.version: Invalid value: -1: must be greater than or equal to 0";
    expect(refusals(deploymentHooks, asking("-1"))).toEqual([problem]);
    expect(refusals(deploymentHooks, asking("-1"), { old: deployment })).toEqual([problem]);
  });

  it("is not changed by updates of the status", () => {
    const changed = structuredClone(asking("7")) as unknown as Deployment;
    const context = { ...contextFor({ subresource: "status" }), old: undefined };
    deploymentHooks.lifecycle?.prepareForUpdate?.(changed, asking("5") as never, context as never);
    expect(changed.metadata?.annotations).toEqual({ [KEY]: "5" });
    deploymentHooks.lifecycle?.prepareForUpdate?.(changed, deployment as never, context as never);
    expect(changed.metadata).toEqual({ name: "web" });
  });
});

describe("a rolling update of a daemon set that is updated on deletion", () => {
  it("has no pods of both kinds by default", () => {
    const daemonSet = { spec: { updateStrategy: { type: "OnDelete", rollingUpdate: {} } } };
    daemonSetHooks.default?.(daemonSet as never, DEFAULT_CONTEXT);
    expect(daemonSet.spec.updateStrategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 0 });
  });
});
