import { describe, expect, it } from "vitest";
import { type NamedOperationRule, ruleNames } from "../../runtime/admission/matching/operation-rule.ts";
import { admissionRequest } from "./admission-requests.ts";

const everything: NamedOperationRule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
const names = (rule: Partial<NamedOperationRule>, target: string, parts = {}) => {
  const request = admissionRequest(target, { metadata: { name: "n" } }, parts);
  return ruleNames({ ...everything, ...rule }, request, request.requested.resource);
};

describe("a rule matches requests", () => {
  it.each([
    [["deployments"], "apps/deployments", true],
    [["deployments"], "apps/deployments/scale", false],
    [["deployments/*"], "apps/deployments/scale", true],
    [["deployments/*"], "apps/deployments", true],
    [["*/scale"], "apps/deployments/scale", true],
    [["*/scale"], "apps/deployments/status", false],
    [["*"], "apps/deployments", true],
    [["*"], "apps/deployments/status", false],
    [["pods", "deployments/status"], "apps/deployments/status", true],
    [[], "apps/deployments", false],
  ])("by resource: %j and %s", (resources, target, expected) => {
    expect(names({ resources }, target)).toBe(expected);
  });

  it("by group, version, operation and name", () => {
    expect(names({ apiGroups: ["apps", "batch"] }, "apps/deployments")).toBe(true);
    expect(names({ apiGroups: [""] }, "apps/deployments")).toBe(false);
    expect(names({ apiVersions: ["v2"] }, "apps/deployments")).toBe(false);
    expect(names({ operations: ["UPDATE"] }, "apps/deployments")).toBe(false);
    expect(names({ operations: ["UPDATE"] }, "apps/deployments", { operation: "UPDATE" })).toBe(true);
    expect(names({ resourceNames: ["m", "n"] }, "apps/deployments")).toBe(true);
    expect(names({ resourceNames: ["m"] }, "apps/deployments")).toBe(false);
  });

  it("by scope; Namespace objects are cluster-scoped", () => {
    expect(names({ scope: "Namespaced" }, "/pods")).toBe(true);
    expect(names({ scope: "Cluster" }, "/pods")).toBe(false);
    expect(names({ scope: "Cluster" }, "/nodes", { namespace: "" })).toBe(true);
    expect(names({ scope: "Namespaced" }, "/namespaces", { namespace: "n" })).toBe(false);
    expect(names({ scope: "Cluster" }, "/namespaces", { namespace: "n" })).toBe(true);
  });
});
