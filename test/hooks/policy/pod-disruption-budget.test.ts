import { describe, expect, it } from "vitest";
import { hooks } from "../../../api-definitions/policy/v1/pod-disruption-budget.hooks.ts";
import { refusals } from "../refusals.ts";

describe("a budget of disruptions", () => {
  it.each<[spec: object, ...problems: string[]]>([
    [{ minAvailable: "50%" }],
    [
      { minAvailable: 1, maxUnavailable: 1 },
      "spec: Invalid value: policy.PodDisruptionBudgetSpec{MinAvailable:(*intstr.IntOrString)(0xc000000000), Selector:(*v1.LabelSelector)(nil), MaxUnavailable:(*intstr.IntOrString)(0xc000000000), UnhealthyPodEvictionPolicy:(*policy.UnhealthyPodEvictionPolicyType)(nil)}: minAvailable and maxUnavailable cannot be both set",
    ],
    [{ minAvailable: -1 }, "spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"],
    [
      { maxUnavailable: "150%" },
      'spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"150%"}: must not be greater than 100%',
    ],
    [
      { unhealthyPodEvictionPolicy: "Odd" },
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "Odd": supported values: "AlwaysAllow", "IfHealthyBudget"',
    ],
  ])("is checked: %j", (spec, ...problems) => {
    expect(refusals(hooks, { spec })).toEqual(problems);
  });

  it("reports conditions of the common shape", () => {
    const condition = { type: "Ready", status: "Maybe", reason: "not a word", message: "" };
    const status = {
      disruptionsAllowed: -1,
      currentHealthy: 0,
      desiredHealthy: 0,
      expectedPods: 0,
      conditions: [condition],
    };
    expect(refusals(hooks, { spec: {}, status }, { old: { spec: {} }, subresource: "status" })).toEqual([
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
      "status.conditions[0].lastTransitionTime: Required value: must be set",
      expect.stringContaining(
        'status.conditions[0].reason: Invalid value: "not a word": a condition reason must start',
      ),
      "status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  it("may have negative counts in v1beta1", () => {
    const status = { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1 };
    const situation = { old: { spec: {} }, subresource: "status", apiVersion: "policy/v1beta1" };
    expect(refusals(hooks, { spec: {}, status }, situation)).toEqual([]);
  });
});
