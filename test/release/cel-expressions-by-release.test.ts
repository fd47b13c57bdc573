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

const devices = (expression: string) => ({
  apiVersion: "resource.k8s.io/v1beta1",
  kind: "DeviceClass",
  metadata: { name: "accelerators" },
  spec: { selectors: [{ cel: { expression } }] },
});

const claim = (expression: string) => ({
  apiVersion: "resource.k8s.io/v1beta1",
  kind: "ResourceClaim",
  metadata: { name: "accelerator", namespace: "default" },
  spec: {
    devices: { requests: [{ name: "one", deviceClassName: "accelerators", selectors: [{ cel: { expression } }] }] },
  },
});

/** New words can be used one release after their introduction, when the previous release supports them. */
describe("CEL expressions sent to a server", () => {
  it.each([
    ["1.30", 422],
    ["1.31", 201],
    ["1.33", 201],
  ])(
    "of release %s may use the IP functions of 1.30 only if the previous release supports them, too",
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

  it.each([
    ["1.32", 422],
    ["1.33", 201],
    ["1.34", 201],
  ])(
    "of release %s may use the two-variable macros of 1.32 only if the previous release supports them, too",
    async (release, status) => {
      const flags = { controllers: "false", release, "runtime-config": "resource.k8s.io/v1beta1" };
      plane = await startPlane({ flags });
      await plane.ready;
      const call = createClient(plane);
      const group = "/apis/resource.k8s.io/v1beta1";
      const expression = "device.attributes.all(domain, attributes, domain != '')";
      const answers = [
        await call("POST", `${group}/deviceclasses`, { body: devices(expression) }),
        await call("POST", `${group}/namespaces/default/resourceclaims`, { body: claim(expression) }),
      ];
      for (const answer of answers) {
        expect(answer.status, answer.text).toBe(status);
        if (status === 422) expect(answer.body.message).toContain("compilation failed");
      }
    },
  );
});
