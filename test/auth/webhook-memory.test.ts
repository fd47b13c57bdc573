import { describe, expect, it } from "vitest";
import { WebhookAuthorizer } from "../../runtime/auth/authorize/webhook/webhook-authorizer.ts";
import type { WebhookClient } from "../../runtime/auth/webhook/webhook-client.ts";
import { AuthorizerMetrics } from "../../runtime/metrics/authorizer-metrics.ts";

describe("a webhook that authorizes", () => {
  it("does not cache decisions about requests with long attributes, selectors included", async () => {
    let asked = 0;
    const apiVersion = "authorization.k8s.io/v1";
    const post = async (_review: object, read: (answer: object) => unknown) => {
      asked++;
      return read({ apiVersion, kind: "SubjectAccessReview", status: { allowed: true } });
    };
    const authorizer = new WebhookAuthorizer({
      name: "hook",
      client: { post, close: () => undefined } as unknown as WebhookClient,
      metrics: new AuthorizerMetrics(),
      reviewVersion: apiVersion,
      authorizedMs: 60_000,
      unauthorizedMs: 60_000,
      onFailure: "deny",
      conditions: [],
      clock: { now: () => 0 } as never,
      log: () => undefined,
    });
    const user = { name: "bob", groups: ["g".repeat(20_000)] };
    const access = { user, verb: "list", group: "", version: "v1", resource: "pods", subresource: "", namespace: "" };
    const twice = async (more: object) => {
      asked = 0;
      for (let time = 0; time < 2; time++)
        expect(await authorizer.authorize({ ...access, name: "", ...more })).toMatchObject({ decision: "allow" });
      return asked;
    };
    expect(await twice({})).toBe(1);
    expect(await twice({ name: "n".repeat(10_000) })).toBe(2);
    expect(await twice({ fieldSelector: [{ field: "metadata.name", equal: false, value: "v".repeat(10_000) }] })).toBe(
      2,
    );
    const key = "k".repeat(10_000);
    expect(await twice({ labelSelector: [{ key, operator: "exists", values: [] }] })).toBe(2);
  });
});
