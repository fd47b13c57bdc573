import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { registeredWebhooks } from "./registered-webhooks.ts";
import { startWebhookServer, type WebhookServer } from "./webhook-server.ts";

const PODS = "/api/v1/namespaces/default/pods";

let plane: Plane;
let call: ReturnType<typeof createClient>;
let hooks: WebhookServer;
let webhook: ReturnType<typeof registeredWebhooks>["webhook"];
let withWebhooks: ReturnType<typeof registeredWebhooks>["withWebhooks"];

beforeAll(async () => {
  const flags = { controllers: "false", "disable-admission-plugins": "ServiceAccount" };
  [plane, hooks] = await Promise.all([startPlane({ flags }), startWebhookServer()]);
  call = createClient(plane);
  ({ webhook, withWebhooks } = registeredWebhooks(call, hooks));
  await plane.ready;
});

afterAll(async () => {
  await plane.stop();
  await hooks.close();
});

beforeEach(() => {
  hooks.asked.length = 0;
  hooks.replies["/see"] = () => ({ allowed: true });
});

const rulesFor = (...resources: string[]) => ({
  rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources }],
});

describe("a webhook for pods and their subresources", () => {
  it("sees an eviction, and not the deletion of the pod by it", async () => {
    const pod = { metadata: { name: "evicted" }, spec: { containers: [{ name: "c", image: "i" }] } };
    expect((await call("POST", PODS, { body: pod })).status).toBe(201);
    await withWebhooks("Validating", [webhook("/see", rulesFor("pods", "pods/*"))], async () => {
      for (const query of ["?dryRun=All", ""]) {
        hooks.asked.length = 0;
        const evicted = await call("POST", `${PODS}/evicted/eviction${query}`, {
          body: { metadata: { name: "evicted" } },
        });
        expect(evicted.status).toBe(201);
        expect(hooks.asked.map(({ request }) => [request.operation, request.subResource, request.kind.kind])).toEqual([
          ["CREATE", "eviction", "Eviction"],
        ]);
      }
    });
  });
});
