import { describe, expect, it } from "vitest";
import { startWebhookServer } from "../../admission/webhook-server.ts";
import { servePlane } from "../../fixtures/serve-plane.ts";

const { call } = servePlane({ controllers: "true" });

describe("admission", () => {
  it("sees the stored node beside the new one, and sees patches (CVE-2021-25735, CVE-2016-1905)", async () => {
    const hooks = await startWebhookServer();
    try {
      hooks.replies["/nodes"] = ({ request }) => ({
        allowed:
          request.oldObject?.metadata?.labels?.locked === undefined ||
          request.object.metadata.labels?.locked !== undefined,
      });
      await call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
        body: {
          metadata: { name: "nodes" },
          webhooks: [
            {
              name: "nodes.example.com",
              clientConfig: { url: `${hooks.url}/nodes`, caBundle: hooks.caBundle },
              rules: [
                { apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["nodes", "nodes/status"] },
              ],
              sideEffects: "None",
              admissionReviewVersions: ["v1"],
            },
          ],
        },
      });
      const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: { locked: "yes" } } };
      expect((await call("POST", "/api/v1/nodes", { body: node })).status).toBe(201);
      const unlock = { metadata: { labels: { locked: null } } };
      const patch = () =>
        call("PATCH", "/api/v1/nodes/n1?dryRun=All", { body: unlock, type: "application/merge-patch+json" });
      await expect.poll(async () => (await patch()).status).toBe(400);
      const bare = { ...node, metadata: { name: "n1" } };
      expect((await call("PUT", "/api/v1/nodes/n1", { body: bare })).status).toBe(400);
      const apply = "application/apply-patch+yaml";
      await call("PATCH", "/api/v1/nodes/n1?fieldManager=a&force=true", { body: node, type: apply });
      expect(
        (await call("PATCH", "/api/v1/nodes/n1/status", { body: unlock, type: "application/merge-patch+json" })).body
          .metadata?.labels?.locked ?? "refused",
      ).toMatch(/yes|refused/);
      expect((await call("GET", "/api/v1/nodes/n1")).body.metadata.labels.locked).toBe("yes");
    } finally {
      await call("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/nodes");
      await hooks.close();
    }
  });
});

describe("a service account that may use some secrets only", () => {
  it("gets no others through ephemeral containers or envFrom (CVE-2023-2728, CVE-2024-3177)", async () => {
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", {
      body: {
        metadata: { name: "strict", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
        secrets: [{ name: "mine" }],
      },
    });
    const container = (secret: string, name = "main") => ({
      name,
      image: "i",
      envFrom: [{ secretRef: { name: secret } }],
    });
    const pod = (name: string, more: object) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: { serviceAccountName: "strict", ...more },
    });
    const pods = "/api/v1/namespaces/default/pods";
    const refusal = 'referencing secret.secretName="other" is not allowed';
    const create = (name: string, more: object) => call("POST", pods, { body: pod(name, more) });
    expect((await create("strict", { containers: [container("mine")] })).status).toBe(201);
    expect((await create("env", { containers: [container("other")] })).body.message).toContain(refusal);
    const init = { containers: [container("mine")], initContainers: [container("other", "first")] };
    expect((await create("init", init)).body.message).toContain(refusal);
    const patched = await call("PATCH", `${pods}/strict/ephemeralcontainers`, {
      type: "application/strategic-merge-patch+json",
      body: { spec: { ephemeralContainers: [container("other", "debug")] } },
    });
    expect([patched.status, patched.body.message]).toEqual([403, expect.stringContaining(refusal)]);
  });
});
