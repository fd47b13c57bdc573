import { describe, expect, it } from "vitest";
import { hooks as daemonSetHooks } from "../../api-definitions/apps/v1/daemon-set.hooks.ts";
import { hooks as replicaSetHooks } from "../../api-definitions/apps/v1/replica-set.hooks.ts";
import { hooks as addressHooks } from "../../api-definitions/networking/v1/ip-address.hooks.ts";
import { hooks as runtimeClassHooks } from "../../api-definitions/node/v1/runtime-class.hooks.ts";
import { hooks as clusterRoleHooks } from "../../api-definitions/rbac/v1/cluster-role.hooks.ts";
import { hooks as clusterRoleBindingHooks } from "../../api-definitions/rbac/v1/cluster-role-binding.hooks.ts";
import { hooks as roleHooks } from "../../api-definitions/rbac/v1/role.hooks.ts";
import { hooks as roleBindingHooks } from "../../api-definitions/rbac/v1/role-binding.hooks.ts";
import type { AdminReads } from "../../api-definitions/resource/v1beta1/admin-access.ts";
import { hooks as deviceClassHooks } from "../../api-definitions/resource/v1beta1/device-class.hooks.ts";
import { hooks as claimHooks } from "../../api-definitions/resource/v1beta1/resource-claim.hooks.ts";
import { hooks as claimTemplateHooks } from "../../api-definitions/resource/v1beta1/resource-claim-template.hooks.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import { refusals } from "./refusals.ts";

const rules = [{ verbs: [] }];
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Odd", name: "r" };
const claim = { devices: { requests: [{ name: "a", deviceClassName: "c", allocationMode: "Odd" }] } };

describe("updates that Kubernetes validates twice", () => {
  it.each<[what: string, hooks: KindHooks<never> | KindHooks<never, AdminReads>, object: object]>([
    ["a daemon set", daemonSetHooks, { spec: { selector: {} } }],
    ["a replica set", replicaSetHooks, { spec: { selector: {} } }],
    ["a role", roleHooks, { rules }],
    ["a cluster role", clusterRoleHooks, { rules }],
    ["a role binding", roleBindingHooks, { roleRef }],
    ["a cluster role binding", clusterRoleBindingHooks, { roleRef }],
    ["a class of devices", deviceClassHooks, { spec: { selectors: [{}] } }],
    ["a claim of devices", claimHooks, { spec: claim }],
    ["a template of claims", claimTemplateHooks, { spec: { spec: claim } }],
  ])("report the same error twice: %s", (_what, hooks, object) => {
    const once = refusals(hooks, object);
    expect(once).not.toEqual([]);
    expect(refusals(hooks, object, { old: object })).toEqual([...once, ...once]);
  });

  it.each<[what: string, hooks: KindHooks<never>, object: object]>([
    ["an address", addressHooks, { spec: { parentRef: {} } }],
    ["a runtime class", runtimeClassHooks, { handler: "Not_A_Label" }],
  ])("report errors of the second validation once: %s", (_what, hooks, object) => {
    const once = refusals(hooks, object);
    expect(once).not.toEqual([]);
    expect(refusals(hooks, object, { old: object })).toEqual(once);
  });

  it("print a changed claim in its stored form", () => {
    const spec = {
      devices: { requests: [{ name: "a", deviceClassName: "c", allocationMode: "ExactCount", count: 1 }] },
    };
    expect(refusals(claimHooks, { spec }, { old: { spec: { devices: {} } } })).toEqual([
      'spec: Invalid value: resource.ResourceClaimSpec{Devices:resource.DeviceClaim{Requests:[]resource.DeviceRequest{resource.DeviceRequest{Name:"a", Exactly:(*resource.ExactDeviceRequest)(0xc000000000), FirstAvailable:[]resource.DeviceSubRequest(nil)}}, Constraints:[]resource.DeviceConstraint(nil), Config:[]resource.DeviceClaimConfiguration(nil)}}: field is immutable',
    ]);
  });
});
