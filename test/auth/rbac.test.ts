import { beforeEach, describe, expect, it } from "vitest";
import { createAuthorizer } from "../../runtime/auth/authorize/create-authorizer.ts";
import { EscalationGuard } from "../../runtime/auth/authorize/escalation.ts";
import { distinctRulesHeld, RbacAuthorizer } from "../../runtime/auth/authorize/rbac-authorizer.ts";
import { RbacIndex } from "../../runtime/auth/authorize/rbac-index.ts";
import { refuseAccess } from "../../runtime/auth/authorize/refuse-access.ts";
import {
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSubjectAccessReview,
} from "../../runtime/auth/reviews/access-review.ts";
import { createSelfSubjectRulesReview } from "../../runtime/auth/reviews/rules-review.ts";
import type { AdmissionRequest } from "../../runtime/contract/admission.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { Authorizer, ResourceAccess } from "../../runtime/contract/authorization.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import { InMemoryObjects } from "./in-memory-objects.ts";
import { virtualRequest } from "./requests.ts";

const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });
const group = "rbac.authorization.k8s.io";
let objects: InMemoryObjects;
let index: RbacIndex;
let rbac: RbacAuthorizer;

const rule = (verbs: string, resources: string, extra = {}) => ({
  verbs: verbs.split(" "),
  apiGroups: [""],
  resources: resources.split(" "),
  ...extra,
});
const put = (resource: string, object: object) => objects.seed({ group, resource }, object as ApiObject);
const roleRef = (kind: string, name: string) => ({ apiGroup: group, kind, name });
const user = (name: string) => ({ kind: "User", apiGroup: group, name });

beforeEach(async () => {
  objects = new InMemoryObjects();
  index = new RbacIndex(naming);
  await index.follow(objects);
  rbac = new RbacAuthorizer(index);
  await put("roles", {
    metadata: { name: "reader", namespace: "web" },
    rules: [
      rule("get list", "configmaps"),
      rule("get", "secrets", { resourceNames: ["one"] }),
      rule("get", "pods/log */scale"),
    ],
  });
  await put("rolebindings", {
    metadata: { name: "readers", namespace: "web" },
    roleRef: roleRef("Role", "reader"),
    subjects: [
      user("bob"),
      { kind: "Group", apiGroup: group, name: "team" },
      { kind: "ServiceAccount", name: "robot" },
    ],
  });
});

const access = (name: string, verb: string, path: string, namespace = "web", groups: string[] = []) => {
  const [resource = "", subresource = "", object = ""] = path.split("/");
  return { user: { name, groups }, verb, group: "", version: "v1", resource, subresource, namespace, name: object };
};
const may = (...args: Parameters<typeof access>) => rbac.authorize(access(...args)).decision === "allow";

describe("RBAC", () => {
  it("allows what bound roles allow, only in their namespace", () => {
    expect(may("bob", "list", "configmaps")).toBe(true);
    expect(may("bob", "list", "configmaps", "other")).toBe(false);
    expect(may("bob", "list", "configmaps", "")).toBe(false);
    expect(may("bob", "create", "configmaps")).toBe(false);
    expect(may("carol", "list", "configmaps")).toBe(false);
    expect(may("carol", "list", "configmaps", "web", ["team"])).toBe(true);
    expect(may("system:serviceaccount:web:robot", "list", "configmaps")).toBe(true);
  });

  it("matches resource names and subresources", () => {
    expect(may("bob", "get", "secrets//one")).toBe(true);
    expect(may("bob", "get", "secrets//two")).toBe(false);
    expect(may("bob", "get", "secrets")).toBe(false);
    expect(may("bob", "get", "pods/log/p")).toBe(true);
    expect(may("bob", "get", "pods//p")).toBe(false);
    expect(may("bob", "get", "deployments/scale/d")).toBe(true);
  });

  it("checks and compares the rules of a role once, however many bindings refer to it", async () => {
    let reads = 0;
    const counted = {
      ...rule("", "configmaps"),
      get verbs() {
        reads++;
        return ["get"];
      },
    };
    const object = { metadata: { name: "counted" }, rules: [counted] } as ApiObject;
    index.changeClusterRole({ type: "put", name: "counted", object, metadata: object.metadata });
    for (let binding = 0; binding < 20; binding++)
      await put("rolebindings", {
        metadata: { name: `b${binding}`, namespace: "web" },
        roleRef: roleRef("ClusterRole", "counted"),
        subjects: [user("erin")],
      });
    expect(may("erin", "list", "configmaps")).toBe(false);
    expect(reads).toBe(1);
    const info = { name: "erin", groups: [] };
    expect(distinctRulesHeld(index, info, "web", "roles").rules).toHaveLength(1);
    expect(rbac.rulesFor(info, "web")).toMatchObject({ rules: { length: 20 }, incomplete: false });
  });

  it("lists no more rules of a user than fit in memory", async () => {
    const rules = Array.from({ length: 30_000 }, () => rule("get", "configmaps"));
    await put("clusterroles", { metadata: { name: "large" }, rules });
    for (let binding = 0; binding < 10; binding++)
      await put("rolebindings", {
        metadata: { name: `b${binding}`, namespace: "web" },
        roleRef: roleRef("ClusterRole", "large"),
        subjects: [user("erin")],
      });
    const answer = rbac.rulesFor({ name: "erin", groups: [] }, "web");
    expect([answer.rules.length, answer.incomplete]).toEqual([90_000, true]);
  });

  it("returns its reason, and names a missing role", async () => {
    expect(rbac.authorize(access("system:serviceaccount:web:robot", "list", "configmaps")).reason).toBe(
      'RBAC: allowed by RoleBinding "readers/web" of Role "reader" to ServiceAccount "robot/web"',
    );
    await put("clusterrolebindings", {
      metadata: { name: "lost" },
      roleRef: roleRef("ClusterRole", "gone"),
      subjects: [user("dan")],
    });
    expect(rbac.authorize(access("dan", "list", "pods")).reason).toBe(`RBAC: clusterrole.${group} "gone" not found`);
  });

  it("follows changes of roles and bindings", async () => {
    await put("rolebindings", {
      metadata: { name: "readers", namespace: "web" },
      roleRef: roleRef("Role", "reader"),
      subjects: [user("carol")],
    });
    expect(may("bob", "list", "configmaps")).toBe(false);
    expect(may("carol", "list", "configmaps")).toBe(true);
    await objects.delete({ group, resource: "rolebindings" }, "web", "readers");
    expect(may("carol", "list", "configmaps")).toBe(false);
  });

  it("matches non-resource URLs", async () => {
    await put("clusterroles", {
      metadata: { name: "urls" },
      rules: [{ verbs: ["get"], nonResourceURLs: ["/nothing/*", "/x"] }],
    });
    await put("clusterrolebindings", {
      metadata: { name: "urls" },
      roleRef: roleRef("ClusterRole", "urls"),
      subjects: [user("frank")],
    });
    const path = (verb: string, path: string) =>
      rbac.authorize({ user: { name: "frank", groups: [] }, verb, path }).decision === "allow";
    expect(path("get", "/nothing/x")).toBe(true);
    expect(path("get", "/x")).toBe(true);
    expect(path("get", "/nothing")).toBe(false);
    expect(path("post", "/nothing/x")).toBe(false);
  });

  it("has Kubernetes' messages for forbidden requests", () => {
    expect(refuseAccess(access("bob", "list", "secrets"), "").message).toBe(
      'secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" in the namespace "web"',
    );
    expect(refuseAccess(access("bob", "get", "pods/log/p", ""), "because").message).toBe(
      'pods "p" is forbidden: User "bob" cannot get resource "pods/log" in API group "" at the cluster scope: because',
    );
    const path = refuseAccess({ user: { name: "frank", groups: [] }, verb: "get", path: "/metrics/x" }, "");
    expect(path.status).toMatchObject({ message: 'forbidden: User "frank" cannot get path "/metrics/x"', details: {} });
  });
});

describe("authorization modes", () => {
  it("are called in order, and must be known, unique and configured", async () => {
    const nobody = access("nobody", "get", "pods");
    expect((await createAuthorizer(["RBAC", "AlwaysAllow"], { RBAC: rbac }).authorize(nobody)).decision).toBe("allow");
    expect(await createAuthorizer(["RBAC", "AlwaysDeny"], { RBAC: rbac }).authorize(nobody)).toEqual({
      decision: "noOpinion",
      reason: "Everything is forbidden.",
    });
    expect(() => createAuthorizer(["Rbac"], {})).toThrow('authorization-mode "Rbac" is not a valid mode');
    expect(() => createAuthorizer(["RBAC", "RBAC"], { RBAC: rbac })).toThrow("more than once");
    expect(() => createAuthorizer(["Webhook"], {})).toThrow("needs a configuration");
    expect(() => createAuthorizer([], {})).toThrow("at least one authorization-mode must be passed");
  });
});

describe("access reviews", () => {
  const parts = () => ({ naming, authorizer: createAuthorizer(["RBAC"], { RBAC: rbac }), withSelectors: true });
  const resourceAttributes = { namespace: "web", verb: "list", resource: "configmaps" };

  it("work for other users and for the user itself", async () => {
    const review = await createSubjectAccessReview(parts())(
      virtualRequest({ spec: { user: "bob", resourceAttributes } }),
    );
    expect(review.status).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "readers/web" of Role "reader" to User "bob"',
    });
    const self = createSelfSubjectAccessReview(parts());
    expect((await self(virtualRequest({ spec: { resourceAttributes } }))).status).toMatchObject({ allowed: true });
    const path = { path: "/metrics", verb: "get" };
    expect((await self(virtualRequest({ spec: { nonResourceAttributes: path } }))).status).toEqual({ allowed: false });
  });

  it("pass selectors on to the authorizer", async () => {
    const asked: unknown[] = [];
    const authorizer: Authorizer = {
      authorize({ fieldSelector, labelSelector }: ResourceAccess) {
        asked.push([fieldSelector, labelSelector]);
        return { decision: "noOpinion", reason: "" };
      },
    };
    const review = async (selectors: object, withSelectors = true) => {
      const self = createSelfSubjectAccessReview({ naming, authorizer, withSelectors });
      await self(virtualRequest({ spec: { resourceAttributes: { ...resourceAttributes, ...selectors } } }));
    };
    const raw = { fieldSelector: { rawSelector: "a!=b" }, labelSelector: { rawSelector: "app in (b,a),!old" } };
    await review(raw);
    await review(raw, false);
    await review({ fieldSelector: { rawSelector: "a" }, labelSelector: { rawSelector: "a in" } });
    await review({
      fieldSelector: { requirements: [{ key: "a", operator: "NotIn", values: ["b"] }] },
      labelSelector: {
        requirements: [
          { key: "app", operator: "In", values: ["b", "a"] },
          { key: "later", operator: "Later" },
          { key: "old", operator: "DoesNotExist" },
        ],
      },
    });
    const both = [
      [{ field: "a", equal: false, value: "b" }],
      [
        { key: "app", operator: "in", values: ["a", "b"] },
        { key: "old", operator: "!", values: [] },
      ],
    ];
    expect(asked).toEqual([both, [undefined, undefined], [undefined, undefined], both]);
  });

  it("ignore selectors that are longer than the URL of any request", async () => {
    const authorizer: Authorizer = {
      authorize: ({ fieldSelector, labelSelector }: ResourceAccess) => ({
        decision: fieldSelector === undefined && labelSelector === undefined ? "noOpinion" : "allow",
        reason: "",
      }),
    };
    const self = createSelfSubjectAccessReview({ naming, authorizer, withSelectors: true });
    const statusOf = async (length: number) => {
      const rawSelector = "a=b,".repeat(length / 4 - 1).concat("a=bc");
      const selectors = { fieldSelector: { rawSelector }, labelSelector: { rawSelector } };
      return (await self(virtualRequest({ spec: { resourceAttributes: { ...resourceAttributes, ...selectors } } })))
        .status;
    };
    expect(await statusOf(256 * 1024)).toEqual({ allowed: true });
    expect(await statusOf(256 * 1024 + 4)).toEqual({
      allowed: false,
      evaluationError:
        "spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error",
    });
  });

  it("are refused with 413 if a selector has more than 20,000 requirements and values", async () => {
    const self = createSelfSubjectAccessReview({ ...parts(), withSelectors: true });
    const codeOf = async (requirements: number, values: number) => {
      const requirement = { key: "a", operator: "In", values: Array.from({ length: values }, () => "b") };
      const labelSelector = { requirements: Array.from({ length: requirements }, () => requirement) };
      const review = self(virtualRequest({ spec: { resourceAttributes: { ...resourceAttributes, labelSelector } } }));
      return review.then(
        () => 201,
        (error: { readonly status: { readonly code: number } }) => error.status.code,
      );
    };
    expect(await codeOf(10_000, 1)).toBe(201);
    expect(await codeOf(10_001, 1)).toBe(413);
    expect(await codeOf(1, 20_000)).toBe(413);
  });

  it("reject incomplete reviews with the causes of Kubernetes", async () => {
    const kind = "SubjectAccessReview";
    const causes = async (run: Promise<unknown>) => {
      const error = await run.then(
        () => undefined,
        (thrown: { status: { details: { causes: { field: string; message: string }[] } } }) => thrown,
      );
      return error?.status.details.causes.map((cause) => `${cause.field}: ${cause.message}`);
    };
    expect(await causes(createSubjectAccessReview(parts())(virtualRequest({ kind })))).toEqual([
      'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ]);
    const both = { user: "u", resourceAttributes, nonResourceAttributes: { path: "/p", verb: "get" } };
    expect(
      await causes(createSubjectAccessReview(parts())(virtualRequest({ spec: both, metadata: { name: "golden" } }))),
    ).toEqual([
      'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/p", Verb:"get"}: cannot be specified in combination with resourceAttributes',
      expect.stringMatching(/^metadata: Invalid value: v1\.ObjectMeta\{Name:"golden", .*\}: must be empty$/),
    ]);
    const local = createLocalSubjectAccessReview(parts());
    const elsewhere = virtualRequest(
      { spec: { user: "u", resourceAttributes }, metadata: { namespace: "other" } },
      { namespace: "other" },
    );
    expect(await causes(local(elsewhere))).toEqual([
      'spec.resourceAttributes.namespace: Invalid value: "web": must match metadata.namespace',
    ]);
  });

  it("list the rules of the user", async () => {
    const review = createSelfSubjectRulesReview({ rules: rbac });
    const answer = await review(virtualRequest({ spec: { namespace: "web" } }));
    expect(answer.status).toEqual({
      incomplete: false,
      nonResourceRules: [],
      resourceRules: [
        { verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps"] },
        { verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: ["one"] },
        { verbs: ["get"], apiGroups: [""], resources: ["pods/log", "*/scale"] },
      ],
    });
    await expect(review(virtualRequest({ spec: {} }))).rejects.toThrow("no namespace on request");
  });
});

describe("the check against privilege escalation", () => {
  const guard = () => {
    const authorizer = createAuthorizer(["RBAC"], { RBAC: rbac });
    return new EscalationGuard({ naming, index, authorizer });
  };
  const write = (resource: string, object: object, rest: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
    operation: "CREATE",
    resource: { group, version: "v1", resource },
    kind: { group, version: "v1", kind: "" },
    requested: { resource: { group, version: "v1", resource }, kind: { group, version: "v1", kind: "" } },
    subresource: "",
    namespace: "web",
    name: "",
    object: object as ApiObject,
    oldObject: undefined,
    options: {},
    dryRun: false,
    user: { name: "bob", groups: ["system:authenticated"] },
    warn: () => {},
    annotate: () => {},
    waited: () => {},
    ...rest,
  });

  it("lets users grant permissions that they have", async () => {
    await guard().mutate(write("roles", { metadata: { name: "r" }, rules: [rule("get", "configmaps")] }));
    await guard().mutate(
      write("rolebindings", { metadata: { name: "b" }, roleRef: roleRef("Role", "reader"), subjects: [user("eve")] }),
    );
  });

  it("names the resource of the request in messages about missing roles", async () => {
    await put("clusterrolebindings", {
      metadata: { name: "lost" },
      roleRef: roleRef("ClusterRole", "lost"),
      subjects: [user("lou")],
    });
    const asked = write(
      "roles",
      { metadata: { name: "r" }, rules: [rule("get", "pods")] },
      {
        user: { name: "lou", groups: [] },
      },
    );
    await expect(guard().mutate(asked)).rejects.toThrow(`; resolution errors: [roles.${group} "lost" not found]`);
  });

  it("rejects grants of other permissions and names them", async () => {
    const rules = [rule("get delete update", "configmaps secrets"), { verbs: ["get"], nonResourceURLs: ["/x"] }];
    await expect(guard().mutate(write("roles", { metadata: { name: "r" }, rules }))).rejects.toThrow(
      [
        'roles.rbac.authorization.k8s.io "r" is forbidden: user "bob" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete" "update"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete" "update"]}',
        '{NonResourceURLs:["/x"], Verbs:["get"]}',
      ].join("\n"),
    );
    await put("clusterroles", { metadata: { name: "all" }, rules: [rule("*", "*", { apiGroups: ["*"] })] });
    const binding = { metadata: { name: "b" }, roleRef: roleRef("ClusterRole", "all"), subjects: [] };
    await expect(guard().mutate(write("clusterrolebindings", binding, { namespace: "" }))).rejects.toThrow(
      'clusterrolebindings.rbac.authorization.k8s.io "b" is forbidden: user "bob"',
    );
    const missing = { metadata: { name: "b" }, roleRef: roleRef("Role", "gone"), subjects: [] };
    await expect(guard().mutate(write("rolebindings", missing))).rejects.toMatchObject({ status: { code: 404 } });
  });

  it("is skipped for the verbs bind and escalate, for system:masters and for garbage collection", async () => {
    const rules = [rule("delete", "secrets")];
    const role = { metadata: { name: "r", finalizers: ["f"] }, rules };
    const old = { metadata: { name: "r" }, rules } as ApiObject;
    await guard().mutate(write("roles", role, { operation: "UPDATE", oldObject: old }));
    await guard().mutate(write("roles", role, { user: { name: "root", groups: ["system:masters"] } }));
    await put("roles", {
      metadata: { name: "special", namespace: "web" },
      rules: [
        { verbs: ["escalate"], apiGroups: [group], resources: ["roles"] },
        { verbs: ["bind"], apiGroups: [group], resources: ["clusterroles"], resourceNames: ["all"] },
      ],
    });
    await put("rolebindings", {
      metadata: { name: "special", namespace: "web" },
      roleRef: roleRef("Role", "special"),
      subjects: [user("bob")],
    });
    await put("clusterroles", { metadata: { name: "all" }, rules: [rule("*", "*", { apiGroups: ["*"] })] });
    await guard().mutate(write("roles", role));
    await guard().mutate(
      write("rolebindings", { metadata: { name: "b" }, roleRef: roleRef("ClusterRole", "all"), subjects: [] }),
    );
  });

  it("needs full authority to aggregate", async () => {
    const role = {
      metadata: { name: "r" },
      rules: null,
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
    };
    await expect(guard().mutate(write("clusterroles", role, { namespace: "" }))).rejects.toThrow(
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
  });
});
