import { describe, expect, it } from "vitest";
import { hooks as clusterRoleHooks } from "../../../api-definitions/rbac/v1/cluster-role.hooks.ts";
import { hooks as clusterBindingHooks } from "../../../api-definitions/rbac/v1/cluster-role-binding.hooks.ts";
import { hooks as roleHooks } from "../../../api-definitions/rbac/v1/role.hooks.ts";
import { hooks as bindingHooks } from "../../../api-definitions/rbac/v1/role-binding.hooks.ts";
import { refusals, withValue } from "../refusals.ts";

const apiGroup = "rbac.authorization.k8s.io";

describe("roles", () => {
  it.each<[rule: object, ...problems: string[]]>([
    [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
    [
      {},
      "rules[0].verbs: Required value: verbs must contain at least one value",
      "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
      "rules[0].resources: Required value: resource rules must supply at least one resource",
    ],
    [
      { verbs: ["get"], nonResourceURLs: ["/x"], resources: ["pods"] },
      'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: namespaced rules cannot apply to non-resource URLs',
      'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ])("are checked: %j", (rule, ...problems) => {
    expect(refusals(roleHooks, { rules: [rule] })).toEqual(problems);
  });

  it("that are ClusterRoles may have non-resource URLs and aggregation rules", () => {
    expect(refusals(clusterRoleHooks, { rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }] })).toEqual([]);
    expect(refusals(clusterRoleHooks, { aggregationRule: {} })).toEqual([
      "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
    ]);
  });
});

describe("a role", () => {
  it("has valid selectors in its aggregation rule, even if it had others before", () => {
    const role = {
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "In", values: ["-"] }] }] },
    };
    expect(refusals(clusterRoleHooks, role, { old: role })).toContain(
      'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
    );
  });

  it("has a generateName that could be a segment of a path", () => {
    for (const { validation } of [roleHooks, clusterRoleHooks, bindingHooks, clusterBindingHooks]) {
      expect(validation?.name?.("..", true)).toEqual(["may not be '..'"]);
      expect(validation?.name?.("system:", true)).toEqual([]);
    }
  });
});

describe("bindings", () => {
  const binding = {
    roleRef: { apiGroup, kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "User", apiGroup, name: "jane" }],
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["subjects", [{ kind: "ServiceAccount", name: "default", namespace: "a" }]],
    ["subjects", [{ kind: "ServiceAccount", name: "default" }], "subjects[0].namespace: Required value"],
    [
      "subjects",
      [{ kind: "Robot", name: "r" }],
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    [
      "subjects",
      [{ kind: "Group", name: "", apiGroup: "x" }],
      "subjects[0].name: Required value",
      `subjects[0].apiGroup: Unsupported value: "x": supported values: "${apiGroup}"`,
    ],
    ["roleRef.kind", "Role", 'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
    ["roleRef.name", "", "roleRef.name: Required value"],
    ["roleRef.name", "a/b", `roleRef.name: Invalid value: "a/b": may not contain '/'`],
    ["roleRef.apiGroup", "", `roleRef.apiGroup: Unsupported value: "": supported values: "${apiGroup}"`],
  ])("of the cluster are checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(clusterBindingHooks, withValue(binding, path, value))).toEqual(problems);
  });

  it("of a namespace set the namespace of service accounts, and may refer to Roles", () => {
    const own = { roleRef: { apiGroup, kind: "Role", name: "r" }, subjects: [{ kind: "ServiceAccount", name: "x" }] };
    expect(refusals(bindingHooks, own)).toEqual([]);
  });

  it("cannot change their roleRef", () => {
    const changed = withValue(binding, "roleRef.name", "edit");
    expect(refusals(bindingHooks, changed, { old: binding })).toEqual([
      `roleRef: Invalid value: rbac.RoleRef{APIGroup:"${apiGroup}", Kind:"ClusterRole", Name:"edit"}: cannot change roleRef`,
    ]);
  });
});
