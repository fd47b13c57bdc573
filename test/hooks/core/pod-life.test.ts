import { describe, expect, it } from "vitest";
import { hooks } from "../../../api-definitions/core/v1/pod.hooks.ts";
import type { Pod } from "../../../api-definitions/core/v1/pod.ts";
import { qosClassOf } from "../../../api-definitions/core/v1/pod-qos.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import { contextWith, NOW, prepared, preparedChange, problemsOf, problemsOfChange } from "./run-hooks.ts";

const container = { name: "a", image: "i", imagePullPolicy: "Always", terminationMessagePolicy: "File" };

function pod(changes: object = {}, others: object = {}): Pod {
  return {
    metadata: { name: "p", namespace: "here" },
    spec: {
      containers: [container],
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
      terminationGracePeriodSeconds: 30,
      ...changes,
    },
    ...others,
  } as Pod;
}

describe("a pod with scheduling gates", () => {
  const gated = (changes: object) => pod({ schedulingGates: [{ name: "g" }], ...changes });
  const expression = (key: string) => ({ key, operator: "Exists" });
  const nodes = (...keys: string[]) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: keys.map((key) => ({ matchExpressions: key.split("+").map(expression) })),
      },
    },
  });
  const terms = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

  it.each<[change: object, old: object]>([
    [{ nodeSelector: { a: "1", b: "2" } }, { nodeSelector: { a: "1" } }],
    [{ affinity: nodes("a") }, {}],
    [{ affinity: nodes("a+b") }, { affinity: nodes("a") }],
  ])("may get further scheduling constraints: %j", (change, old) => {
    expect(problemsOfChange(hooks, gated(change), gated(old))).toEqual([]);
    expect(problemsOfChange(hooks, pod(change), pod(old))).not.toEqual([]);
  });

  it.each<[change: object, old: object, problem: string]>([
    [
      { nodeSelector: { a: "2" } },
      { nodeSelector: { a: "1" } },
      'spec.nodeSelector: Invalid value: map[string]string{"a":"2"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
    [
      { affinity: nodes("a", "b") },
      { affinity: nodes("a") },
      `${terms}: Invalid value: []core.NodeSelectorTerm{core.NodeSelectorTerm{MatchExpressions:[]core.NodeSelectorRequirement{core.NodeSelectorRequirement{Key:"a", Operator:"Exists", Values:[]string(nil)}}, MatchFields:[]core.NodeSelectorRequirement(nil)}, core.NodeSelectorTerm{MatchExpressions:[]core.NodeSelectorRequirement{core.NodeSelectorRequirement{Key:"b", Operator:"Exists", Values:[]string(nil)}}, MatchFields:[]core.NodeSelectorRequirement(nil)}}: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ],
    [
      { affinity: nodes("b") },
      { affinity: nodes("a") },
      `${terms}[0]: Invalid value: core.NodeSelectorTerm{MatchExpressions:[]core.NodeSelectorRequirement{core.NodeSelectorRequirement{Key:"b", Operator:"Exists", Values:[]string(nil)}}, MatchFields:[]core.NodeSelectorRequirement(nil)}: only additions are allowed (no mutations or deletions)`,
    ],
  ])("cannot get other scheduling constraints: %j", (change, old, problem) => {
    expect(problemsOfChange(hooks, gated(change), gated(old))).toEqual([problem]);
  });

  it("cannot get further gates; of two with the same name, the second is reported", () => {
    const gates = [{ name: "g" }, { name: "h" }, { name: "h" }];
    expect(problemsOfChange(hooks, gated({ schedulingGates: gates }), gated({}))).toEqual([
      'spec.schedulingGates[2]: Duplicate value: "h"',
      "spec.schedulingGates[2].name: Forbidden: only deletion is allowed, but found new scheduling gate 'h'",
    ]);
  });

  it("cannot change other fields", () => {
    const neighbours = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };
    expect(problemsOfChange(hooks, gated({ affinity: { ...nodes("a"), ...neighbours } }), gated({}))).toEqual([
      expect.stringMatching(/^spec: Forbidden: pod updates may not change fields other than/),
    ]);
  });
});

describe("the class of service of a pod", () => {
  const equal = { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "1000m", memory: "1Gi" } };
  it.each<[string, object[]]>([
    ["BestEffort", [{}]],
    ["BestEffort", [{ resources: { requests: { "example.com/gpu": "1", cpu: "0" } } }]],
    ["Guaranteed", [{ resources: equal }]],
    ["Burstable", [{ resources: equal }, {}]],
    ["Burstable", [{ resources: { requests: { cpu: "1" } } }]],
    ["Burstable", [{ resources: { limits: { cpu: "1" }, requests: { cpu: "1" } } }]],
    ["Burstable", [{ resources: { ...equal, requests: { cpu: "1", memory: "1Mi" } } }]],
  ])("is %s with %j", (expected, containers) => {
    expect(qosClassOf({ containers } as unknown as PodSpec)).toBe(expected);
  });
});

describe("a new pod", () => {
  it("has the phase Pending", () => {
    expect(prepared(hooks, pod({}, { status: { phase: "Running" } })).status).toEqual({
      phase: "Pending",
      qosClass: "BestEffort",
    });
  });

  it("has the condition SchedulingGated", () => {
    expect(prepared(hooks, pod({ schedulingGates: [{ name: "g" }] })).status?.conditions).toEqual([
      {
        type: "PodScheduled",
        status: "False",
        lastTransitionTime: NOW,
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ]);
  });

  it("puts its own labels where its affinity names their keys", () => {
    const term = { topologyKey: "t", labelSelector: {}, matchLabelKeys: ["a", "none"], mismatchLabelKeys: ["b"] };
    const object = pod({
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    });
    object.metadata = { labels: { a: "1", b: "2" } };
    const before = structuredClone(object);
    hooks.lifecycle?.prepareForCreate?.({ ...object }, contextWith());
    expect(object).toEqual(before);
    const [result] =
      prepared(hooks, object).spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    expect(result?.labelSelector).toEqual({
      matchExpressions: [
        { key: "a", operator: "In", values: ["1"] },
        { key: "b", operator: "NotIn", values: ["2"] },
      ],
    });
  });

  it("has its AppArmor profile as field and as annotation", () => {
    const key = "container.apparmor.security.beta.kubernetes.io/a";
    const byField = prepared(hooks, pod({ securityContext: { appArmorProfile: { type: "RuntimeDefault" } } }));
    expect(byField.metadata?.annotations).toEqual({ [key]: "runtime/default" });
    const annotated = pod();
    annotated.metadata = { annotations: { [key]: "localhost/mine" } };
    expect(prepared(hooks, annotated).spec?.containers[0]?.securityContext).toEqual({
      appArmorProfile: { type: "Localhost", localhostProfile: "mine" },
    });
  });

  it("returns a warning for AppArmor profiles in annotations, unless the field has the same profile", () => {
    const key = "container.apparmor.security.beta.kubernetes.io/a";
    const warningsOf = (annotation: string, changes: object = {}) => {
      const warnings: string[] = [];
      const annotated = pod({ containers: [{ ...container }], ...changes });
      annotated.metadata = { annotations: { [key]: annotation } };
      hooks.lifecycle?.prepareForCreate?.(annotated, contextWith({ warn: (message) => warnings.push(message) }));
      return warnings;
    };
    const warning = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
    expect(warningsOf("unconfined")).toEqual([warning]);
    expect(warningsOf("nonsense")).toEqual([warning]);
    const ofPod = { securityContext: { appArmorProfile: { type: "Unconfined" } } };
    expect(warningsOf("unconfined", ofPod)).toEqual([]);
    expect(warningsOf("runtime/default", ofPod)).toEqual([warning]);
    const own = { containers: [{ ...container, ...ofPod }] };
    expect(warningsOf("unconfined", own)).toEqual([]);
  });

  it("leaves out image volumes while the feature is off", () => {
    const changes = {
      volumes: [
        { name: "v", image: { reference: "r" } },
        { name: "w", emptyDir: {} },
      ],
      containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] }],
    };
    const off = prepared(hooks, pod(changes)).spec;
    expect(off?.volumes).toEqual([{ name: "w", emptyDir: {} }]);
    expect(off?.containers[0]?.volumeMounts).toBeUndefined();
    expect(prepared(hooks, pod(changes), contextWith({}, ["ImageVolume"])).spec?.volumes).toHaveLength(2);
  });
});

describe("a pod that is deleted", () => {
  it.each<[string, Pod, number | undefined, number]>([
    ["has the time its spec gives", pod({ nodeName: "n" }), undefined, 30],
    ["has the time that was asked for", pod({ nodeName: "n" }), 5, 5],
    ["goes at once without a node", pod(), 5, 0],
    ["goes at once when it has ended", pod({ nodeName: "n" }, { status: { phase: "Failed" } }), 5, 0],
  ])("%s", (_what, object, requested, expected) => {
    expect(hooks.lifecycle?.gracePeriod?.(object, requested)).toBe(expected);
  });
});

describe("the status of a pod", () => {
  const context = contextWith({ subresource: "status" });

  it("keeps class of service and owners", () => {
    const old = pod({}, { status: { qosClass: "BestEffort" } });
    old.metadata = { ...old.metadata, ownerReferences: [{ apiVersion: "v1", kind: "A", name: "a", uid: "1" }] };
    const change = preparedChange(hooks, pod({}, { status: { phase: "Running" } }), old, context);
    expect(change.status).toEqual({ phase: "Running", qosClass: "BestEffort" });
    expect(change.metadata?.ownerReferences).toEqual(old.metadata.ownerReferences);
    const changed = pod({}, { status: { qosClass: "Guaranteed" } });
    expect(problemsOfChange(hooks, changed, old, context)).toEqual([
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    ]);
  });

  it("keeps the generations that were observed, those of conditions of one type in their order", () => {
    const conditions = [
      { type: "Ready", status: "True", observedGeneration: 2 },
      { type: "Ready", status: "False", observedGeneration: 3 },
      { type: "Other", status: "True" },
    ];
    const old = pod({}, { status: { observedGeneration: 4, conditions } });
    const given = [
      { type: "Other", status: "True" },
      { type: "Ready", status: "True" },
      { type: "Ready", status: "True", observedGeneration: 5 },
      { type: "New", status: "True" },
    ];
    const { status } = preparedChange(hooks, pod({}, { status: { conditions: given } }), old, context);
    expect(status?.observedGeneration).toBe(4);
    expect(status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([
      undefined,
      2,
      5,
      undefined,
    ]);
    const newer = preparedChange(hooks, pod({}, { status: { observedGeneration: 6 } }), old, context);
    expect(newer.status?.observedGeneration).toBe(6);
  });

  it("cannot restart containers that have terminated", () => {
    const ended = { status: { containerStatuses: [{ name: "a", state: { terminated: { exitCode: 1 } } }] } };
    const running = { status: { containerStatuses: [{ name: "a", state: { running: {} } }] } };
    const back = (restartPolicy: string) =>
      problemsOfChange(hooks, pod({ restartPolicy }, running), pod({ restartPolicy }, ended), context);
    expect(back("Never")).toEqual([
      "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state",
    ]);
    expect(back("OnFailure")).toEqual([]);
    expect(back("Always")).toEqual([]);
  });

  it("has one address of each family, and the host's first twice", () => {
    const status = {
      hostIP: "1.1.1.1",
      hostIPs: [{ ip: "1.1.1.2" }],
      podIPs: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }],
    };
    expect(problemsOfChange(hooks, pod({}, { status }), pod(), context)).toEqual([
      'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"10.0.0.1"}, core.PodIP{IP:"10.0.0.2"}}: may specify no more than one IP for each IP family',
      'status.hostIPs[0].ip: Invalid value: "1.1.1.2": must be equal to `hostIP`',
    ]);
  });
});

describe("debugging a pod", () => {
  const context = contextWith({ subresource: "ephemeralcontainers" });
  const debug = { name: "d", image: "i", imagePullPolicy: "Always", terminationMessagePolicy: "File" };

  it("adds containers and nothing else", () => {
    const change = pod({ nodeName: "n", ephemeralContainers: [debug] });
    change.metadata = { ...change.metadata, labels: { a: "b" } };
    const result = preparedChange(hooks, change, pod(), context);
    expect(result).toEqual(pod({ ephemeralContainers: [debug] }));
    expect(problemsOfChange(hooks, result, pod(), context)).toEqual([]);
  });

  it("does not change or remove what was added", () => {
    const old = pod({ ephemeralContainers: [debug, { ...debug, name: "e" }] });
    expect(problemsOfChange(hooks, pod({ ephemeralContainers: [{ ...debug, image: "j" }] }), old, context)).toEqual([
      expect.stringMatching(
        /^spec.ephemeralContainers: Forbidden: existing ephemeral containers "d" may not be changed\n {2}core.EphemeralContainer\{\n/,
      ),
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be removed\n',
    ]);
  });
});

describe("resizing a pod", () => {
  const context = contextWith({ subresource: "resize" });
  const sized = (limits: object, requests: object = {}) =>
    pod({ containers: [{ ...container, resources: { limits, requests } }] });
  const resize = (next: Pod, old: Pod) =>
    problemsOfChange(hooks, preparedChange(hooks, next, old, context), old, context);

  it("changes processor time and memory", () => {
    expect(resize(sized({ cpu: "2", memory: "2Gi" }), sized({ cpu: "1", memory: "1Gi" }))).toEqual([]);
  });

  it("keeps names, limits and the class of service", () => {
    expect(resize(sized({ memory: "1Gi" }), sized({ cpu: "1", memory: "2Gi" }))).toEqual([
      "spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed",
      "spec.containers[0].resources.limits[memory]: Forbidden: memory limits cannot be decreased unless resizePolicy is RestartContainer",
    ]);
    expect(resize(sized({}), sized({ cpu: "1" }))[0]).toBe(
      'spec: Invalid value: "": Pod QOS Class may not change as a result of resizing',
    );
    const renamed = pod({ containers: [{ ...container, name: "b" }] });
    expect(resize(renamed, pod())).toEqual([
      "spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize",
    ]);
  });

  it("requires a node that supports it", () => {
    const old = {
      ...sized({ cpu: "1" }),
      status: { containerStatuses: [{ name: "a", state: { running: {} } }] },
    } as Pod;
    expect(resize(sized({ cpu: "2" }), old)).toEqual([
      "spec: Forbidden: Pod running on node without support for resize",
    ]);
  });
});

describe("a resource claim with both names or none", () => {
  it("is printed as a Go struct", () => {
    const resourceClaims = [{ name: "a", resourceClaimName: "b", resourceClaimTemplateName: "c" }, { name: "d" }];
    const shown = (name: string, pointer: string) =>
      `core.PodResourceClaim{Name:"${name}", ResourceClaimName:(*string)(${pointer}), ResourceClaimTemplateName:(*string)(${pointer})}`;
    expect(problemsOf(hooks, pod({ resourceClaims }))).toEqual([
      `spec.resourceClaims[0]: Invalid value: ${shown("a", "0xc000000000")}: at most one of \`resourceClaimName\` or \`resourceClaimTemplateName\` may be specified`,
      `spec.resourceClaims[1]: Invalid value: ${shown("d", "nil")}: must specify one of: \`resourceClaimName\`, \`resourceClaimTemplateName\``,
    ]);
  });
});
