import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { issueCertificateRequest } from "../fixtures/certificate-request.ts";

/** Attempts of users with some permissions to get more, on a whole server, each user with a separate name. */
let plane: Plane;

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const CORE = "/api/v1/namespaces/default";
const apiGroup = "rbac.authorization.k8s.io";
const JSON_TYPE = "application/json";
const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";

interface Options {
  readonly as?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(method: string, path: string, body?: unknown, { as, type, headers }: Options = {}) {
  const answer = await plane.fetch(path, {
    method,
    headers: {
      "Content-Type": type ?? (method === "PATCH" ? MERGE : JSON_TYPE),
      ...(as && { "Impersonate-User": as }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as ReturnType<typeof JSON.parse> };
}

/** Grants a user cluster-wide rules, and waits until the server uses them. */
async function grant(user: string, rules: readonly object[]): Promise<void> {
  const roleRef = { apiGroup, kind: "ClusterRole", name: user };
  const subjects = [{ apiGroup, kind: "User", name: user }];
  expect((await send("POST", `${RBAC}/clusterroles`, { metadata: { name: user }, rules })).status).toBe(201);
  expect(
    (await send("POST", `${RBAC}/clusterrolebindings`, { metadata: { name: user }, roleRef, subjects })).status,
  ).toBe(201);
  const [rule] = rules as [{ apiGroups: string[]; resources: string[]; verbs: string[] }];
  const [group, resource, verb] = [rule.apiGroups[0], rule.resources[0], rule.verbs[0]];
  const spec = { user, resourceAttributes: { group, resource, verb } };
  await vi.waitFor(async () => {
    const { body } = await send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { spec });
    expect(body.status.allowed).toBe(true);
  }, 60_000);
}

beforeAll(async () => {
  plane = await startPlane({
    listen: false,
    flags: { "enable-admission-plugins": "OwnerReferencesPermissionEnforcement" },
  });
  await plane.ready;
});
afterAll(() => plane?.stop());

describe("a user who may write roles and bindings", () => {
  const all = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
  const role = (name: string, rules: unknown) => ({
    apiVersion: `${apiGroup}/v1`,
    kind: "Role",
    metadata: { name },
    rules,
  });

  beforeAll(() =>
    grant("eve", [
      {
        apiGroups: [apiGroup],
        resources: ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
        verbs: ["create", "get", "update", "patch"],
      },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] },
    ]),
  );

  it("cannot create a role of any rules because they may escalate one of its name", async () => {
    const rules = { apiGroups: [apiGroup], resources: ["roles"] };
    await grant("heidi", [
      { ...rules, verbs: ["create", "patch"] },
      { ...rules, resourceNames: ["free"], verbs: ["escalate"] },
    ]);
    const roles = `${RBAC}/namespaces/default/roles`;
    const as = { as: "heidi" };
    expect((await send("POST", roles, role("free", all), as)).status).toBe(403);
    const applied = await send("PATCH", `${roles}/free?fieldManager=x`, role("free", all), { ...as, type: APPLY });
    expect(applied.status).toBe(201);
  });

  it("can grant only permissions that they have, by any write request", async () => {
    const roles = `${RBAC}/namespaces/default/roles`;
    const as = { as: "eve" };
    const held = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
    expect((await send("POST", roles, role("held", held), as)).status).toBe(201);
    const attempts = [
      send("POST", roles, role("more", all), as),
      send("POST", `${roles}?dryRun=All`, role("more", all), as),
      send("PUT", `${roles}/more`, role("more", all), as),
      send("PATCH", `${roles}/held`, { rules: all }, as),
      send("PATCH", `${roles}/held?fieldManager=x&force=true`, role("held", all), { ...as, type: APPLY }),
      send("PATCH", `${roles}/more?fieldManager=x`, role("more", all), { ...as, type: APPLY }),
      send("POST", roles, role("part", [{ ...held[0], resources: ["configmaps/status"] }]), as),
    ];
    for (const { status, body } of await Promise.all(attempts)) {
      expect(body.message).toContain("is attempting to grant RBAC permissions not currently held");
      expect(status).toBe(403);
    }
  });

  it("cannot grant rules that are short to write and billions to check", async () => {
    const many = (prefix: string) => Array.from({ length: 2000 }, (_, index) => `${prefix}${index}`);
    const rules = [{ apiGroups: many("g"), resources: many("r"), verbs: many("v"), resourceNames: many("n") }];
    const { status, body } = await send("POST", `${RBAC}/namespaces/default/roles`, role("many", rules), { as: "eve" });
    expect(body.message).toContain("is attempting to grant RBAC permissions not currently held");
    expect(status).toBe(403);
  });

  it("does not bind a role that they do not hold, nor move a binding to one, nor bind one that is still to come", async () => {
    const bindings = `${RBAC}/namespaces/default/rolebindings`;
    const bind = (name: string, kind: string, roleName: string) => ({
      metadata: { name },
      roleRef: { apiGroup, kind, name: roleName },
      subjects: [{ apiGroup, kind: "User", name: "eve" }],
    });
    const as = { as: "eve" };
    expect((await send("POST", bindings, bind("b", "ClusterRole", "cluster-admin"), as)).status).toBe(403);
    expect((await send("POST", bindings, bind("b", "Role", "not-yet"), as)).status).toBe(404);
    expect((await send("POST", bindings, bind("b", "ClusterRole", "eve"), as)).status).toBe(201);
    const moved = await send("PATCH", `${bindings}/b`, { roleRef: { name: "cluster-admin" } }, as);
    // Before the object is validated: the role of a binding cannot change.
    expect([moved.status, moved.body.message]).toEqual([403, expect.stringContaining("attempting to grant")]);
    const subjects = [{ apiGroup, kind: "User", name: "eve" }];
    expect((await send("PATCH", `${RBAC}/clusterrolebindings/cluster-admin`, { subjects }, as)).status).toBe(403);
  });

  it("cannot create an aggregated ClusterRole with permissions that they do not have", async () => {
    const aggregationRule = { clusterRoleSelectors: [{}] };
    const made = await send(
      "POST",
      `${RBAC}/clusterroles`,
      { metadata: { name: "agg" }, aggregationRule },
      { as: "eve" },
    );
    expect(made.body.message).toContain("must have cluster-admin privileges to use the aggregationRule");
  });
});

describe("a user who may write certificate requests", () => {
  const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const parts = ["", "/status", "/approval"].map((part) => `certificatesigningrequests${part}`);
  beforeAll(() =>
    grant("mallory", [{ apiGroups: ["certificates.k8s.io"], resources: parts, verbs: ["create", "patch"] }]),
  );

  it("cannot choose the user name in the request, which the server sets", async (context) => {
    let request = "";
    try {
      request = issueCertificateRequest();
    } catch {
      context.skip("no openssl here");
    }
    const spec = {
      request,
      signerName: "kubernetes.io/kube-apiserver-client",
      usages: ["client auth"],
      username: "admin",
      uid: "1",
      groups: ["system:masters"],
      extra: { a: ["b"] },
    };
    const conditions = [{ type: "Approved", status: "True", reason: "r", message: "m" }];
    const status = { conditions, certificate: "eA==" };
    const made = await send("POST", requests, { metadata: { name: "c" }, spec, status }, { as: "mallory" });
    expect(made.body.spec).toMatchObject({ username: "mallory", groups: ["system:authenticated"] });
    expect(made.body.spec.extra).toBeUndefined();
    expect(made.body.spec.uid).toBeUndefined();
    expect(made.body.status).toEqual({});
    const patch = (path: string, body: object) => send("PATCH", `${requests}/c${path}`, body, { as: "mallory" });
    expect((await patch("/approval", { status: { conditions } })).body.message).toContain("not permitted to approve");
    expect((await patch("/status", { status: { conditions } })).status).toBe(422);
    const main = await patch("", { status: { conditions }, spec: { username: "admin" } });
    expect(main.body).toMatchObject({ spec: { username: "mallory" }, status: {} });
  });
});

describe("a user who may change ConfigMaps", () => {
  beforeAll(() => grant("trent", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["patch", "create"] }]));

  it("sets no owners on what they cannot delete, and blocks the deletion of nothing whose finalizers are not theirs", async () => {
    expect((await send("POST", `${CORE}/configmaps`, { metadata: { name: "theirs" } })).status).toBe(201);
    const owner = { apiVersion: "v1", kind: "Secret", name: "s", uid: "1" };
    const change = (ownerReferences: object[]) =>
      send("PATCH", `${CORE}/configmaps/theirs`, { metadata: { ownerReferences } }, { as: "trent" });
    expect((await change([owner])).body.message).toContain("cannot set an ownerRef on a resource you can't delete");
    const create = (name: string, ownerReferences: object[]) =>
      send("POST", `${CORE}/configmaps`, { metadata: { name, ownerReferences } }, { as: "trent" });
    expect((await create("owned", [owner])).status).toBe(201);
    const blocking = await create("blocking", [{ ...owner, blockOwnerDeletion: true }]);
    expect(blocking.body.message).toContain("refers to a resource you can't set finalizers on");
    const unknown = await create("unknown", [{ ...owner, apiVersion: "no.example.com/v1", blockOwnerDeletion: true }]);
    expect(unknown.body.message).toContain('no matches for kind "Secret" in version "no.example.com/v1"');
    await grant("peggy", [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
      { apiGroups: [""], resources: ["secrets/finalizers"], verbs: ["update"] },
    ]);
    const metadata = { name: "allowed", ownerReferences: [{ ...owner, blockOwnerDeletion: true }] };
    expect((await send("POST", `${CORE}/configmaps`, { metadata }, { as: "peggy" })).status).toBe(201);
  });
});

describe("endpoints", () => {
  const special = ["127.0.0.1", "169.254.169.254", "224.0.0.1", "0.0.0.0"];
  const special6 = ["::1", "fe80::1", "::", "::ffff:127.0.0.1"];

  it("cannot have loopback or link-local addresses (CVE-2021-25737)", async () => {
    const slice = (addressType: string, address: string) =>
      send("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
        metadata: { generateName: "s-" },
        addressType,
        endpoints: [{ addresses: [address] }],
      });
    for (const address of special) expect((await slice("IPv4", address)).status).toBe(422);
    for (const address of special6) expect((await slice("IPv6", address)).status).toBe(422);
    for (const list of ["addresses", "notReadyAddresses"])
      for (const ip of [...special, ...special6]) {
        const subsets = [{ [list]: [{ ip }], ports: [{ port: 1 }] }];
        const made = await send("POST", `${CORE}/endpoints`, { metadata: { generateName: "e-" }, subsets });
        expect(made.status).toBe(422);
      }
  });
});

describe("a namespace with the restricted standard", () => {
  it("refuses pods that gain privileges later, on a trial, or on another system (PodSecurity)", async () => {
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await send("POST", "/api/v1/namespaces", { metadata: { name: "strict", labels } });
    const pods = "/api/v1/namespaces/strict/pods";
    const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
    const good = {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      containers: [{ name: "c", image: "i", securityContext }],
    };
    await expect
      .poll(async () => (await send("POST", pods, { metadata: { name: "p" }, spec: good })).status, {
        timeout: 120_000,
      })
      .toBe(201);
    const ephemeral = { name: "e", image: "i", securityContext: { privileged: true } };
    const refused = async (method: string, path: string, body: object) => {
      const { status, body: answer } = await send(method, path, body);
      expect(answer.message).toContain('violates PodSecurity "restricted:latest"');
      expect(status).toBe(403);
    };
    await refused("PATCH", `${pods}/p/ephemeralcontainers`, { spec: { ephemeralContainers: [ephemeral] } });
    const plain = { metadata: { name: "plain" }, spec: { containers: [{ name: "c", image: "i" }] } };
    await refused("POST", `${pods}?dryRun=All`, plain);
    const windows = {
      os: { name: "windows" },
      hostNetwork: true,
      securityContext: { runAsNonRoot: true, windowsOptions: { hostProcess: true } },
      containers: [{ name: "c", image: "i" }],
    };
    await refused("POST", pods, { metadata: { name: "windows" }, spec: windows });
  });
});
