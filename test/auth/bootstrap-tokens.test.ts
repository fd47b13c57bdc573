import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "enable-bootstrap-token-auth": "true" });
const SECRETS = "/api/v1/namespaces/kube-system/secrets";
const SECRET = "0123456789abcdef";
const usable = { "token-secret": SECRET, "usage-bootstrap-authentication": "true" };

/** Stores a bootstrap token with this ID. */
const store = (id: string, data: object = {}, metadata: object = {}, type = "bootstrap.kubernetes.io/token") =>
  call("POST", SECRETS, {
    body: {
      metadata: { name: `bootstrap-token-${id}`, ...metadata },
      type,
      stringData: { "token-id": id, ...usable, ...data },
    },
  });
/** Returns the user that the server authenticates by a token. */
const whoIs = (token: string) =>
  call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    anonymous: true,
    headers: { Authorization: `Bearer ${token}` },
    body: {},
  });

beforeAll(async () => {
  await call("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    body: {
      metadata: { name: "kubeadm:kubelet-bootstrap" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:node-bootstrapper" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:bootstrappers:kubeadm" }],
    },
  });
});

describe("a bootstrap token", () => {
  it("authenticates a user of the group system:bootstrappers and of its extra groups", async () => {
    await store("abcdef", { "auth-extra-groups": "system:bootstrappers:kubeadm" });
    const { status, body } = await whoIs(`abcdef.${SECRET}`);
    expect(status).toBe(201);
    expect(body.status.userInfo).toEqual({
      username: "system:bootstrap:abcdef",
      groups: ["system:bootstrappers", "system:bootstrappers:kubeadm", "system:authenticated"],
    });
  });

  it("lets a node request a certificate, and nothing else, with the role that kubeadm binds", async () => {
    await store("joined", { "auth-extra-groups": "system:bootstrappers:kubeadm" });
    const ask = (method: string, path: string) =>
      call(method, path, { anonymous: true, headers: { Authorization: `Bearer joined.${SECRET}` }, body: {} });
    await expect
      .poll(async () => (await ask("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests")).status)
      .toBe(422);
    expect((await ask("GET", SECRETS)).status).toBe(403);
  });

  it.each([
    ["without the usage authentication", "aaaaaa", { "usage-bootstrap-authentication": "false" }],
    ["after its expiration", "bbbbbb", { expiration: "2020-01-01T00:00:00Z" }],
    ["with an invalid expiration", "cccccc", { expiration: "tomorrow" }],
    ["with another token id inside", "dddddd", { "token-id": "eeeeee" }],
    ["with an extra group of another prefix", "ffffff", { "auth-extra-groups": "system:masters" }],
  ])("is not accepted %s", async (_case, id, data) => {
    await store(id, data);
    expect((await whoIs(`${id}.${SECRET}`)).status).toBe(401);
  });

  it("is not accepted with another secret, in a Secret of another type, or after its Secret was deleted", async () => {
    await store("gggggg");
    await store("hhhhhh", {}, {}, "Opaque");
    expect((await whoIs("gggggg.0123456789abcdee")).status).toBe(401);
    expect((await whoIs(`hhhhhh.${SECRET}`)).status).toBe(401);
    await call("DELETE", `${SECRETS}/bootstrap-token-gggggg`);
    expect((await whoIs(`gggggg.${SECRET}`)).status).toBe(401);
  });

  it("is accepted until it expires", async () => {
    await store("iiiiii", { expiration: new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, "Z") });
    expect((await whoIs(`iiiiii.${SECRET}`)).status).toBe(201);
  });
});

it("cluster-info in kube-public can be made readable for anonymous users, as kubeadm does", async () => {
  const namespace = "kube-public";
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const name = "kubeadm:bootstrap-signer-clusterinfo";
  await call("POST", `/api/v1/namespaces/${namespace}/configmaps`, {
    body: { metadata: { name: "cluster-info" }, data: { kubeconfig: "" } },
  });
  const rules = [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["cluster-info"], verbs: ["get"] }];
  await call("POST", `${rbac}/roles`, { body: { metadata: { name }, rules } });
  await call("POST", `${rbac}/rolebindings`, {
    body: {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "system:anonymous" }],
    },
  });
  const read = () => call("GET", `/api/v1/namespaces/${namespace}/configmaps/cluster-info`, { anonymous: true });
  await expect.poll(async () => (await read()).status).toBe(200);
});
