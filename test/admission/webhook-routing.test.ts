import { expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call, running } = servePlane({ "enable-aggregator-routing": "true" });
const service = { namespace: "default", name: "hooks", port: 443 };

it("admission and conversion webhooks are called at endpoints of their service with --enable-aggregator-routing", async () => {
  const ports = [{ port: 443 }];
  await call("POST", "/api/v1/namespaces/default/services", { body: { metadata: { name: "hooks" }, spec: { ports } } });
  const missing = 'endpoints "hooks" not found';
  await call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    body: {
      metadata: { name: "maps" },
      webhooks: [
        {
          name: "maps.example.com",
          clientConfig: { service },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    },
  });
  const map = { body: { metadata: { generateName: "map-" } } };
  await expect
    .poll(async () => (await call("POST", "/api/v1/namespaces/default/configmaps", map)).body.message, {
      timeout: 30_000,
    })
    .toContain(missing);
  const version = (name: string, storage: boolean) => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: { type: "object" } },
  });
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: {
      metadata: { name: "books.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "books", kind: "Book" },
        versions: [version("v1", true), version("v2", false)],
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] },
        },
      },
    },
  });
  const book = { body: { apiVersion: "example.com/v2", kind: "Book", metadata: { name: "moby" } } };
  await expect
    .poll(async () => (await call("POST", "/apis/example.com/v2/books", book)).body?.message, { timeout: 30_000 })
    .toContain(missing);
});

it("webhooks behind default/kubernetes are called at this server itself", async () => {
  const caBundle = Buffer.from(running().client.certificateAuthority).toString("base64");
  await call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    body: {
      metadata: { name: "own" },
      webhooks: [
        {
          name: "own.example.com",
          clientConfig: { service: { namespace: "default", name: "kubernetes", path: "/apis/own" }, caBundle },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["secrets"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    },
  });
  const secret = { body: { metadata: { generateName: "secret-" } } };
  await expect
    .poll(async () => (await call("POST", "/api/v1/namespaces/default/secrets", secret)).body.message, {
      timeout: 30_000,
    })
    .toContain('User "system:anonymous" cannot post path "/apis/own');
});
