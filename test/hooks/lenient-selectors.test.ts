import { describe, expect, it } from "vitest";
import { hooks as webhookHooks } from "../../api-definitions/admissionregistration/v1/validating-webhook-configuration.hooks.ts";
import { hooks as daemonSetHooks } from "../../api-definitions/apps/v1/daemon-set.hooks.ts";
import { hooks as jobHooks } from "../../api-definitions/batch/v1/job.hooks.ts";
import { hooks as volumeHooks } from "../../api-definitions/core/v1/persistent-volume.hooks.ts";
import { hooks as claimHooks } from "../../api-definitions/core/v1/persistent-volume-claim.hooks.ts";
import { hooks as podHooks } from "../../api-definitions/core/v1/pod.hooks.ts";
import { hooks as policyHooks } from "../../api-definitions/networking/v1/network-policy.hooks.ts";
import { hooks as budgetHooks } from "../../api-definitions/policy/v1/pod-disruption-budget.hooks.ts";
import { hooks as roleHooks } from "../../api-definitions/rbac/v1/cluster-role.hooks.ts";
import { hooks as capacityHooks } from "../../api-definitions/storage/v1/csi-storage-capacity.hooks.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import { refusals } from "./refusals.ts";

type Requirement = { key: string; operator: string; values: string[] };

const sound: Requirement = { key: "a", operator: "In", values: ["b"] };
const unsound: Requirement = { key: "a", operator: "In", values: ["-b-"] };
const selector = (requirement: Requirement) => ({ matchExpressions: [requirement] });
const nodes = (requirement: Requirement) => ({ nodeSelectorTerms: [{ matchExpressions: [requirement] }] });
const affinityTerm = (requirement: Requirement) => [{ topologyKey: "t", labelSelector: selector(requirement) }];
const spread = (requirement: Requirement) => ({
  maxSkew: 1,
  topologyKey: "t",
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: selector(requirement),
});
const podOf = (spec: object) => ({ metadata: { name: "p" }, spec });
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

const cases: readonly [what: string, hooks: KindHooks<never>, make: (requirement: Requirement) => object][] = [
  ["a daemon set", daemonSetHooks, (r) => ({ spec: { selector: selector(r) } })],
  ["a job", jobHooks, (r) => ({ spec: { manualSelector: true, selector: selector(r) } })],
  ["a budget", budgetHooks, (r) => ({ spec: { selector: selector(r) } })],
  ["a cluster role", roleHooks, (r) => ({ aggregationRule: { clusterRoleSelectors: [selector(r)] } })],
  ["a capacity", capacityHooks, (r) => ({ storageClassName: "fast", nodeTopology: selector(r) })],
  ["a network policy", policyHooks, (r) => ({ spec: { podSelector: selector(r) } })],
  ["a claim", claimHooks, (r) => ({ spec: { selector: selector(r) } })],
  ["a volume", volumeHooks, (r) => ({ spec: { nodeAffinity: { required: nodes(r) } } })],
  ["webhooks", webhookHooks, (r) => ({ webhooks: [{ name: "a.example.com", objectSelector: selector(r) }] })],
  ["nodes of a pod", podHooks, (r) => podOf({ affinity: { nodeAffinity: { [REQUIRED]: nodes(r) } } })],
  ["neighbours of a pod", podHooks, (r) => podOf({ affinity: { podAffinity: { [REQUIRED]: affinityTerm(r) } } })],
  ["the spread of a pod", podHooks, (r) => podOf({ topologySpreadConstraints: [spread(r)] })],
];

describe("invalid label values in selectors", () => {
  const isBadValue = (problem: string) => /values\[0\]: Invalid value: "-b-": a valid label/.test(problem);

  it.each(cases)("are rejected in new objects: %s", (_what, hooks, make) => {
    expect(refusals(hooks, make(unsound)).filter(isBadValue)).not.toEqual([]);
    expect(refusals(hooks, make(unsound), { old: make(sound) }).filter(isBadValue)).not.toEqual([]);
  });

  it.each(cases)("are tolerated in stored objects: %s", (_what, hooks, make) => {
    expect(refusals(hooks, make(unsound), { old: make(unsound) }).filter(isBadValue)).toEqual([]);
  });
});
