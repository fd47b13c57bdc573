import { describe, expect, it } from "vitest";
import { type AuditPolicyRule, compilePolicy } from "../../runtime/audit/audit-policy.ts";
import { checkPolicy } from "../../runtime/audit/check-policy.ts";
import type { AccessAttributes } from "../../runtime/contract/authorization.ts";
import { fieldErrorText } from "../../runtime/contract/field-error.ts";

const ann = { name: "ann", groups: ["dev", "system:authenticated"] };

function pods(more: object = {}): AccessAttributes {
  const none = { group: "", version: "v1", subresource: "", namespace: "default", name: "" };
  return { user: ann, verb: "list", resource: "pods", ...none, ...more };
}

function path(at: string, verb = "get"): AccessAttributes {
  return { user: ann, verb, path: at };
}

function levelOf(rule: AuditPolicyRule, asked: AccessAttributes): string {
  return compilePolicy({ rules: [{ level: "Metadata", ...rule }] })(asked).level;
}

describe("which rule matches", () => {
  it("is the first one; requests that no rule matches are not recorded", () => {
    const verdictOn = compilePolicy({
      rules: [
        { level: "None", users: ["ann"], verbs: ["watch"] },
        { level: "Request", userGroups: ["dev"] },
      ],
    });
    expect(verdictOn(pods({ verb: "watch" })).level).toBe("None");
    expect(verdictOn(pods()).level).toBe("Request");
    expect(verdictOn(pods({ user: { name: "bob", groups: [] } })).level).toBe("None");
  });

  it.each<[AuditPolicyRule, AccessAttributes, boolean]>([
    [{}, pods(), true],
    [{}, path("/healthz"), true],
    [{ users: ["bob"] }, pods(), false],
    [{ userGroups: ["ops", "dev"] }, pods(), true],
    [{ verbs: ["get"] }, pods(), false],
    [{ namespaces: ["default"] }, pods(), true],
    [{ namespaces: ["kube-system"] }, pods(), false],
    [{ namespaces: [""] }, pods({ namespace: "", resource: "nodes" }), true],
    [{ namespaces: ["default"] }, path("/healthz"), false],
    [{ resources: [{ group: "" }] }, pods(), true],
    [{ resources: [{}] }, pods(), true],
    [{ resources: [{ group: "apps" }] }, pods(), false],
    [{ resources: [{ resources: ["pods"] }] }, pods(), true],
    [{ resources: [{ resources: ["pods"] }] }, pods({ subresource: "log" }), false],
    [{ resources: [{ resources: ["pods/log"] }] }, pods({ subresource: "log" }), true],
    [{ resources: [{ resources: ["pods/*"] }] }, pods({ subresource: "log" }), true],
    [{ resources: [{ resources: ["pods/*"] }] }, pods(), true],
    [{ resources: [{ resources: ["*/log"] }] }, pods({ subresource: "log" }), true],
    [{ resources: [{ resources: ["*/log"] }] }, pods(), false],
    [{ resources: [{ resources: ["*"] }] }, pods({ subresource: "log" }), true],
    [{ resources: [{ resources: ["pods"], resourceNames: ["web"] }] }, pods({ name: "web" }), true],
    [{ resources: [{ resources: ["pods"], resourceNames: ["web"] }] }, pods({ name: "db" }), false],
    [{ resources: [{ resources: ["pods"] }] }, path("/healthz"), false],
    [{ nonResourceURLs: ["/healthz"] }, path("/healthz"), true],
    [{ nonResourceURLs: ["/healthz*"] }, path("/healthz/etcd"), true],
    [{ nonResourceURLs: ["/healthz"] }, path("/healthz/etcd"), false],
    [{ nonResourceURLs: ["*"] }, path("/version"), true],
    [{ nonResourceURLs: ["*"] }, pods(), false],
  ])("%j on %j: %s", (rule, asked, matches) => {
    expect(levelOf(rule, asked)).toBe(matches ? "Metadata" : "None");
  });

  it("omitStages of policy and rule are combined; omitManagedFields of a rule overrides that of the policy", () => {
    const verdict = compilePolicy({
      omitStages: ["RequestReceived"],
      omitManagedFields: true,
      rules: [{ level: "Request", omitStages: ["ResponseStarted"], omitManagedFields: false }],
    })(pods());
    expect([...verdict.omitStages].sort()).toEqual(["RequestReceived", "ResponseStarted"]);
    expect(verdict.omitManagedFields).toBe(false);
    const inherited = compilePolicy({ omitManagedFields: true, rules: [{ level: "Request" }] })(pods());
    expect(inherited.omitManagedFields).toBe(true);
  });
});

describe("an invalid audit policy", () => {
  it.each<[object, string]>([
    [{}, "rules: Required value: a policy without rules audits nothing"],
    [{ rules: [{}] }, "rules[0].level: Required value"],
    [
      { rules: [{ level: "All" }] },
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      { rules: [{ level: "None" }], omitStages: ["Done"] },
      'omitStages[0]: Invalid value: "Done": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [
      { rules: [{ level: "None", nonResourceURLs: ["healthz"] }] },
      "rules[0].nonResourceURLs[0]: Invalid value: \"healthz\": non-resource URL rules must begin with a '/' character",
    ],
    [
      { rules: [{ level: "None", nonResourceURLs: ["/a*b"] }] },
      "non-resource URL wildcards '*' must be the final character of the rule",
    ],
    [
      { rules: [{ level: "None", nonResourceURLs: ["/a"], namespaces: ["b"] }] },
      "rules cannot apply to both regular resources and non-resource URLs",
    ],
    [
      { rules: [{ level: "None", resources: [{ resourceNames: ["web"] }] }] },
      "using resourceNames requires at least one resource",
    ],
    [{ rules: [{ level: "None", resources: [{ group: "apps/v1" }] }] }, "rules[0].resources[0].group: Invalid value"],
  ])("%j", (policy, words) => {
    expect(checkPolicy(policy).map(fieldErrorText).join("\n")).toContain(words);
  });
});
