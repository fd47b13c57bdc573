import { describe, expect, it } from "vitest";
import { hooks } from "../../../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.hooks.ts";
import { DEFAULT_CONTEXT } from "../../fixtures/default-context.ts";
import { refusals, withValue } from "../refusals.ts";

const autoscaler = {
  spec: {
    scaleTargetRef: { kind: "Deployment", name: "web" },
    minReplicas: 1,
    maxReplicas: 3,
    metrics: [] as object[],
  },
};
const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } };

describe("an autoscaler", () => {
  it("has no annotations that hold fields of it in other versions", () => {
    const key = (name: string) => `autoscaling.alpha.kubernetes.io/${name}`;
    const read = (annotations: object) => {
      const object = structuredClone({ ...autoscaler, metadata: { name: "a", annotations } });
      hooks.default?.(object as never, DEFAULT_CONTEXT);
      return object.metadata;
    };
    expect(read({ [key("metrics")]: "x", [key("scale-up-tolerance")]: "1", other: "y" })).toEqual({
      name: "a",
      annotations: { other: "y" },
    });
    expect(read({ [key("behavior")]: "x" })).toEqual({ name: "a" });
  });

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.metrics", [cpu]],
    [
      "spec.minReplicas",
      0,
      "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1",
      "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
    ],
    [
      "spec.maxReplicas",
      0,
      "spec.maxReplicas: Invalid value: 0: must be greater than 0",
      "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
    ],
    [
      "spec.scaleTargetRef",
      { kind: "", name: "a/b" },
      "spec.scaleTargetRef.kind: Required value",
      `spec.scaleTargetRef.name: Invalid value: "a/b": may not contain '/'`,
    ],
    [
      "spec.metrics",
      [{ type: "Resource" }],
      "spec.metrics[0].resource: Required value: must populate information for the given metric source",
    ],
    [
      "spec.metrics",
      [{ ...cpu, type: "Odd" }],
      'spec.metrics[0].type: Unsupported value: "Odd": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'spec.metrics[0].type: Unsupported value: "Odd": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
    [
      "spec.metrics",
      [{ ...cpu, pods: { metric: { name: "x" }, target: { type: "AverageValue", averageValue: "0" } } }],
      'spec.metrics[0].pods.target.averageValue: Invalid value: resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"0", Format:"DecimalSI"}: must be positive',
      "spec.metrics[0].pods: Forbidden: must populate the given metric source only",
    ],
    [
      "spec.metrics",
      [{ type: "External", external: { metric: { name: "q" }, target: { type: "Value" } } }],
      "spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target",
    ],
    [
      "spec.behavior",
      {
        scaleUp: {
          stabilizationWindowSeconds: 4000,
          selectPolicy: "Odd",
          policies: [{ type: "Pods", value: 0, periodSeconds: 2000 }],
        },
      },
      "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 4000: must be less than or equal to 3600",
      'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Odd": supported values: "Disabled", "Max", "Min"',
      "spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero",
      "spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 2000: must be less than or equal to 1800",
    ],
    [
      "spec.behavior",
      { scaleDown: {} },
      "spec.behavior.scaleDown.policies: Required value: must specify at least one Policy",
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(hooks, withValue(autoscaler, path, value))).toEqual(problems);
  });

  it("may scale to zero if the feature gate is on, with an object or external metric", () => {
    const external = { type: "External", external: { metric: { name: "q" }, target: { type: "Value", value: "1" } } };
    const asleep = withValue(withValue(autoscaler, "spec.minReplicas", 0), "spec.metrics", [external]);
    expect(refusals(hooks, asleep, { features: ["HPAScaleToZero"] })).toEqual([]);
    expect(refusals(hooks, asleep, { old: asleep })).toEqual([]);
  });
});
