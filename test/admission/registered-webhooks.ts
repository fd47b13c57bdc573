import { expect } from "vitest";
import type { PlaneClient } from "../fixtures/plane-client.ts";
import type { WebhookServer } from "./webhook-server.ts";

type Kind = "Validating" | "Mutating";

const pathOf = (kind: Kind) => `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
const sentinelRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["secrets"] }];

/** Registers webhooks of a server with a plane. */
export function registeredWebhooks(call: PlaneClient, hooks: WebhookServer) {
  /** Returns a webhook for ConfigMaps. `parts` replace its fields. */
  const webhook = (path: string, parts: object = {}) => ({
    name: `${path.slice(1)}.example.com`,
    clientConfig: { url: `${hooks.url}${path}`, caBundle: hooks.caBundle },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...parts,
  });

  /** Registers the webhooks, waits until they are in force (by means of an additional one), calls `run`, and removes them. */
  const withWebhooks = async (kind: Kind, webhooks: object[], run: () => Promise<void>): Promise<void> => {
    const created = await call("POST", pathOf(kind), {
      body: {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: `${kind}WebhookConfiguration`,
        metadata: { name: "hooks" },
        webhooks: [...webhooks, webhook("/sentinel", { rules: sentinelRules })],
      },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const isAsked = async () => {
      await call("POST", "/api/v1/namespaces/default/secrets?dryRun=All", {
        body: { apiVersion: "v1", kind: "Secret", metadata: { name: "sentinel" } },
      });
      return hooks.asked.some(({ path }) => path.startsWith("/sentinel"));
    };
    await expect.poll(isAsked).toBe(true);
    hooks.asked.length = 0;
    try {
      await run();
    } finally {
      await call("DELETE", `${pathOf(kind)}/hooks`);
      const isForgotten = async () => {
        hooks.asked.length = 0;
        return !(await isAsked());
      };
      await expect.poll(isForgotten).toBe(true);
    }
  };
  return { webhook, withWebhooks };
}

/** Returns the response of a mutating webhook with a JSON patch. */
export const patchOf = (...operations: unknown[]) => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});
