import { describe, expect, it } from "vitest";
import { hooks as limitHooks } from "../../../api-definitions/core/v1/limit-range.hooks.ts";
import { hooks as controllerHooks } from "../../../api-definitions/core/v1/replication-controller.hooks.ts";
import { hooks as quotaHooks } from "../../../api-definitions/core/v1/resource-quota.hooks.ts";
import { goQuantity } from "../../../runtime/go/literal.ts";
import { contextWith, problemsOf, problemsOfChange, warningsOf } from "./run-hooks.ts";

describe("a quota", () => {
  it.each<[object, string[]]>([
    [{ hard: { cpu: "1", "count/pods": "2", "requests.nvidia.com/gpu": "1" } }, []],
    [{ hard: { storage: "1" } }, ["spec.hard[storage]: Invalid value: storage: must be a standard resource for quota"]],
    [
      { hard: { pods: "1500m" } },
      [`spec.hard[pods]: Invalid value: ${goQuantity({ amount: "1500m" }, "amount")}: must be an integer`],
    ],
    [{ hard: { cpu: "-1" } }, ['spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0']],
    [
      { hard: { cpu: "1" }, scopes: ["BestEffort"] },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort"}: unsupported scope applied to resource'],
    ],
    [
      { scopes: ["BestEffort", "NotBestEffort"] },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}: conflicting scopes'],
    ],
    [
      { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] } },
      [
        "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      ],
    ],
  ])("of %j", (spec, expected) => {
    expect(problemsOf(quotaHooks, { spec })).toEqual(expected);
  });

  it("keeps its scopes, in whatever order", () => {
    const scoped = (...scopes: string[]) => ({ spec: { scopes } });
    expect(
      problemsOfChange(quotaHooks, scoped("BestEffort", "Terminating"), scoped("Terminating", "BestEffort")),
    ).toEqual([]);
    expect(problemsOfChange(quotaHooks, scoped("BestEffort"), scoped())).toEqual([
      'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort"}: field is immutable',
    ]);
  });
});

describe("the claims that a container refers to", () => {
  const problems = (claims: readonly object[], resourceClaims: readonly object[]): string[] => {
    const containers = [{ name: "main", image: "example.com/main", resources: { claims } }];
    const template = { metadata: { labels: { app: "a" } }, spec: { containers, resourceClaims } };
    return problemsOf(controllerHooks, { spec: { selector: { app: "a" }, template } }).filter((problem) =>
      problem.includes("claims["),
    );
  };
  const at = "spec.template.spec.containers[0].resources.claims";

  it("are not repeated: neither a whole claim, nor a request, nor a whole claim after requests of it", () => {
    const known = ["gpu", "nic"].map((name) => ({ name, resourceClaimName: name }));
    const claims = [
      { name: "gpu", request: "one" },
      { name: "gpu", request: "two" },
      { name: "gpu", request: "one" },
      { name: "gpu" },
      { name: "gpu", request: "Not Checked" },
      { name: "nic" },
      { name: "nic" },
    ];
    expect(problems(claims, known)).toEqual([
      `${at}[2]: Duplicate value: "gpu/one"`,
      `${at}[3]: Duplicate value: "gpu"`,
      `${at}[3]: Duplicate value: "gpu"`,
      `${at}[4]: Duplicate value: "gpu"`,
      `${at}[6]: Duplicate value: "nic"`,
    ]);
  });

  it("are claims of the pod, which errors list up to a limit", () => {
    const few = [{ name: "nic" }, { name: "gpu" }];
    const message = 'Not found: "none": must be one of the names in pod.spec.resourceClaims';
    expect(problems([{ name: "none" }], few)).toContain(`${at}[0]: ${message}: gpu, nic`);
    expect(problems([{ name: "none" }], [])).toContain(`${at}[0]: ${message} which is empty`);
    const many = Array.from({ length: 1000 }, (_, index) => ({ name: `claim-${index}` }));
    expect(problems([{ name: "none" }], many)[0]).toMatch(/^.{1050,1200}…$/);
  });
});

describe("a limit range", () => {
  it.each<[object, string[]]>([
    [
      { type: "Container", min: { cpu: "1" }, max: { cpu: "2" }, default: { cpu: "2" }, defaultRequest: { cpu: "1" } },
      [],
    ],
    [{ type: "Odd" }, ['spec.limits[0].type: Invalid value: "Odd": must be a standard limit type or fully qualified']],
    [
      { type: "Pod", default: { cpu: "1" } },
      ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
    ],
    [
      { type: "PersistentVolumeClaim" },
      [
        "spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
      ],
    ],
    [
      { type: "Container", min: { cpu: "2" }, max: { cpu: "1" } },
      [
        `spec.limits[0].min[cpu]: Invalid value: ${goQuantity({ amount: "2" }, "amount")}: min value 2 is greater than max value 1`,
      ],
    ],
    [
      { type: "Container", max: { cpu: "1" }, default: { cpu: "2" } },
      [
        `spec.limits[0].default[cpu]: Invalid value: ${goQuantity({ amount: "1" }, "amount")}: default value 2 is greater than max value 1`,
      ],
    ],
    [
      { type: "Pod", min: { cpu: "1" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } },
      [
        `spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: ${goQuantity({ amount: "3" }, "amount")}: ratio 3 is greater than max/min = 2.000000`,
      ],
    ],
  ])("of %j", (item, expected) => {
    expect(problemsOf(limitHooks, { spec: { limits: [item] } })).toEqual(expected);
  });

  it("limits each type once", () => {
    expect(problemsOf(limitHooks, { spec: { limits: [{ type: "Pod" }, { type: "Pod" }] } })).toEqual([
      'spec.limits[1].type: Duplicate value: "Pod"',
    ]);
  });
});

describe("a replication controller", () => {
  const container = {
    name: "a",
    image: "i",
    imagePullPolicy: "Always",
    terminationMessagePolicy: "File",
  };
  const template = (changes: object) => ({
    metadata: { labels: { app: "a" } },
    spec: {
      containers: [container],
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
      terminationGracePeriodSeconds: 30,
      ...changes,
    },
  });

  it("must select its own pods, which have the restart policy Always", () => {
    const spec = {
      replicas: 1,
      selector: { app: "b" },
      template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }),
    };
    expect(problemsOf(controllerHooks, { spec })).toEqual([
      'spec.template.metadata.labels: Invalid value: map[string]string{"app":"a"}: `selector` does not match template `labels`',
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported",
    ]);
    expect(problemsOf(controllerHooks, { spec: { replicas: 1 } })).toEqual([
      "spec.selector: Required value",
      "spec.template: Required value",
    ]);
  });

  it("keeps fields that an annotation names as non-convertible", () => {
    const of = (app: string, annotations: object) => ({
      metadata: { annotations },
      spec: {
        replicas: 1,
        selector: { app },
        template: { ...template({}), metadata: { labels: { app } } },
      },
    });
    const marked = of("a", {
      "non-convertible.kubernetes.io/selector": "x",
      "non-convertible.kubernetes.io/replicas": "y",
      "non-convertible.kubernetes.io": "z",
      "example.com/selector": "z",
    });
    expect(problemsOfChange(controllerHooks, of("b", {}), marked)).toEqual([
      'spec.selector: Invalid value: map[string]string{"app":"b"}: cannot update non-convertible selector',
      'replicas: Not found: "y": unknown non-convertible field',
    ]);
    expect(problemsOfChange(controllerHooks, marked, of("a", {}))).toEqual([]);
  });

  it("must have consistent counts in its status", () => {
    const status = { replicas: 1, readyReplicas: 2, availableReplicas: 3, observedGeneration: -1 };
    expect(problemsOfChange(controllerHooks, { status }, {}, contextWith({ subresource: "status" }))).toEqual([
      "status.observedGeneration: Invalid value: -1: must be greater than or equal to 0",
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas",
    ]);
  });

  it("returns warnings for names that are not host names, and for its template", () => {
    const spec = { template: template({ containers: [{ ...container, env: [{ name: "A" }, { name: "A" }] }] }) };
    expect(warningsOf(controllerHooks, { metadata: { name: "a.b" }, spec })).toEqual([
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ]);
  });
});
