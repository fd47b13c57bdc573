import { afterEach, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

let plane: Plane | undefined;
afterEach(() => plane?.stop());

const policy = (expression: string) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "addresses" },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
    validations: [{ expression }],
  },
});

const webhook = (expression: string) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "addresses" },
  webhooks: [
    {
      name: "addresses.example.com",
      clientConfig: { url: "https://hook.invalid" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      matchConditions: [{ name: "address", expression }],
    },
  ],
});

/** Words come with a release, and may be written one release later, when the server before it knows them (section 2.11). */
describe("expressions written to a server of another release", () => {
  it.each([
    ["1.30", 422],
    ["1.31", 201],
    ["1.33", 201],
  ])(
    "of %s may ask for addresses, which came with 1.30, once a rollback would understand them",
    async (release, status) => {
      plane = await startPlane({ flags: { controllers: "false", release } });
      await plane.ready;
      const call = createClient(plane);
      const group = "/apis/admissionregistration.k8s.io/v1";
      const expression = "isIP('10.0.0.1')";
      const answers = [
        await call("POST", `${group}/validatingadmissionpolicies`, { body: policy(expression) }),
        await call("POST", `${group}/validatingwebhookconfigurations`, { body: webhook(expression) }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(status);
        if (status === 422) expect(answer.body.message).toContain("undeclared reference to 'isIP'");
      }
    },
  );
});
