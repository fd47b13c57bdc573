import { describe, expect, it } from "vitest";
import type { FlowSchemaSpec, PolicyRules, ResourceRule } from "../../runtime/fairness/configuration.ts";
import { compileRules, flowOf } from "../../runtime/fairness/match-requests.ts";
import { get, level, schema, simulateServer, user } from "./simulated-server.ts";

const EVERYTHING: PolicyRules = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};
const PODS = "/api/v1/namespaces/shop/pods";

function matches(rules: PolicyRules, uri: string, by = user("alice"), method = "GET"): boolean {
  const spec: FlowSchemaSpec = { rules: [rules] };
  return compileRules(spec)(get(uri, method), by);
}

describe("subjects of a FlowSchema", () => {
  const of = (subject: NonNullable<PolicyRules["subjects"]>[number], by: ReturnType<typeof user>) =>
    matches({ ...EVERYTHING, subjects: [subject] }, PODS, by);

  it("are users by their name, or all", () => {
    expect(of({ kind: "User", user: { name: "alice" } }, user("alice"))).toBe(true);
    expect(of({ kind: "User", user: { name: "alice" } }, user("bob"))).toBe(false);
    expect(of({ kind: "User", user: { name: "*" } }, user("bob"))).toBe(true);
  });

  it("are groups by their name, or all", () => {
    expect(of({ kind: "Group", group: { name: "ops" } }, user("alice", "dev", "ops"))).toBe(true);
    expect(of({ kind: "Group", group: { name: "ops" } }, user("alice", "dev"))).toBe(false);
    expect(of({ kind: "Group", group: { name: "*" } }, { name: "nobody", groups: [] })).toBe(true);
  });

  it("are service accounts by namespace and name, or all of a namespace", () => {
    const account = (name: string, namespace = "shop") => ({
      kind: "ServiceAccount",
      serviceAccount: { namespace, name },
    });
    const by = user("system:serviceaccount:shop:till");
    expect(of(account("till"), by)).toBe(true);
    expect(of(account("door"), by)).toBe(false);
    expect(of(account("*"), by)).toBe(true);
    expect(of(account("*", "sho"), by)).toBe(false);
    expect(of(account("*"), user("shop:till"))).toBe(false);
  });

  it("of an unknown kind match nobody", () => {
    expect(of({ kind: "Robot" }, user("alice"))).toBe(false);
    expect(of({ kind: "User" }, user("alice"))).toBe(false);
  });
});

describe("rules of a FlowSchema", () => {
  const subjects = [{ kind: "User", user: { name: "*" } }];

  it("match resources by verb, group, resource with subresource, and namespace", () => {
    const rule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods", "pods/log"], namespaces: ["shop"] };
    const rules = { subjects, resourceRules: [rule] };
    expect(matches(rules, PODS)).toBe(true);
    expect(matches(rules, `${PODS}/p/log`)).toBe(true);
    expect(matches(rules, `${PODS}/p/status`)).toBe(false);
    expect(matches(rules, `${PODS}?watch=true`)).toBe(false);
    expect(matches(rules, PODS, user("alice"), "POST")).toBe(false);
    expect(matches(rules, "/api/v1/namespaces/other/pods")).toBe(false);
    expect(matches(rules, "/apis/apps/v1/namespaces/shop/deployments")).toBe(false);
    expect(matches(rules, "/version")).toBe(false);
  });

  it("match requests across namespaces only with clusterScope", () => {
    const rule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] };
    expect(matches({ subjects, resourceRules: [rule] }, "/api/v1/pods")).toBe(false);
    expect(matches({ subjects, resourceRules: [{ ...rule, clusterScope: true }] }, "/api/v1/pods")).toBe(true);
    expect(matches({ subjects, resourceRules: [{ ...rule, namespaces: [], clusterScope: true }] }, PODS)).toBe(false);
  });

  it("may have no namespaces where they have clusterScope, as null or not at all", () => {
    for (const namespaces of [null, undefined]) {
      const rule = { verbs: ["get"], apiGroups: [""], resources: ["nodes", "pods"], clusterScope: true, namespaces };
      const rules = { subjects, resourceRules: [rule as ResourceRule] };
      expect(matches(rules, "/api/v1/nodes/n")).toBe(true);
      expect(matches(rules, `${PODS}/p`)).toBe(false);
    }
  });

  it("match paths and everything below them", () => {
    const rules = { subjects, nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/debug/*"] }] };
    expect(matches(rules, "/healthz")).toBe(true);
    expect(matches(rules, "/healthz/etcd")).toBe(true);
    expect(matches(rules, "/healthzz")).toBe(false);
    expect(matches(rules, "/debug/pprof")).toBe(true);
    expect(matches(rules, "/debug")).toBe(false);
    expect(matches(rules, "/healthz", user("a"), "POST")).toBe(false);
    expect(matches(rules, PODS)).toBe(false);
  });
});

describe("the flow of a request", () => {
  it("is its user, its namespace or empty", () => {
    const info = get(PODS);
    expect(flowOf("ByUser", info, user("alice"))).toBe("alice");
    expect(flowOf("ByNamespace", info, user("alice"))).toBe("shop");
    expect(flowOf("ByNamespace", get("/version"), user("alice"))).toBe("");
    expect(flowOf(undefined, info, user("alice"))).toBe("");
  });
});

describe("the order of FlowSchemas", () => {
  it("is that of their precedence, then of their names; those without a level are left out", () => {
    const { fairness } = simulateServer();
    const first = (...schemas: Parameters<typeof fairness.configure>[1]) => {
      fairness.configure([level("one")], schemas);
      return fairness.classify(get(PODS), user("alice")).name;
    };
    expect(first(schema("b", "one", 200), schema("a", "one", 300))).toBe("b");
    expect(first(schema("b", "one", 200), schema("a", "one", 200))).toBe("a");
    expect(first(schema("b", "missing", 200), schema("a", "one", 300))).toBe("a");
    expect(first(schema("b", "one", 200, ["bob"]))).toBe("catch-all");
    expect(fairness.classify(get(PODS), user("alice", "system:masters")).name).toBe("exempt");
    expect(fairness.classify(get(PODS), { name: "stranger", groups: [] }).name).toBe("catch-all");
  });
});
