import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  plane = await startPlane();
  call = createClient(plane);
  await plane.ready;
});

afterAll(() => plane.stop());

interface Rule {
  readonly apiGroups: string[];
  readonly apiVersions: string[];
  readonly resources: string[];
}

/** Returns the status of a new policy once a controller has set it. */
async function statusOf(name: string, rule: Rule, validations: object[], more: object = {}) {
  const created = await call("POST", POLICIES, {
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: { matchConstraints: { resourceRules: [{ ...rule, operations: ["*"] }] }, validations, ...more },
    },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const read = async () => (await call("GET", `${POLICIES}/${name}`)).body;
  await expect.poll(async () => (await read()).status.observedGeneration).toBe(1);
  return read();
}

const deployments = { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] };

describe("the status of a validating policy", () => {
  it("has no warnings for a policy without type errors", async () => {
    const policy = await statusOf(
      "well",
      deployments,
      [
        {
          expression: "object.spec.replicas <= 5 && variables.name.startsWith('a')",
          messageExpression: "'has ' + string(object.spec.replicas)",
        },
      ],
      { variables: [{ name: "name", expression: "object.metadata.name" }] },
    );
    expect(policy.status).toEqual({ observedGeneration: 1, typeChecking: {} });
    expect(policy.metadata.managedFields[0]).toMatchObject({
      manager: "validatingadmissionpolicy-status",
      operation: "Apply",
      subresource: "status",
    });
  });

  it("names missing fields for every kind that the policy matches", async () => {
    const { status } = await statusOf(
      "wrong",
      { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments", "statefulsets", "deployments/scale"] },
      [
        { expression: "object.spec.replicas > 0" },
        { expression: "object.spec.replica > 0", messageExpression: "object.metadata.nam + 'x'" },
        { expression: "object.spec.serviceName == ''" },
      ],
    );
    const at = "ERROR: <input>:1:12: undefined field 'replica'\n | object.spec.replica > 0\n | ...........^";
    expect(status.typeChecking.expressionWarnings).toEqual([
      {
        fieldRef: "spec.validations[1].expression",
        warning: `apps/v1, Kind=Deployment: ${at}\n\napps/v1, Kind=StatefulSet: ${at}\n`,
      },
      { fieldRef: "spec.validations[1].messageExpression", warning: expect.stringContaining("undefined field 'nam'") },
      {
        fieldRef: "spec.validations[2].expression",
        warning: expect.stringMatching(/^apps\/v1, Kind=Deployment: .*undefined field 'serviceName'/),
      },
    ]);
  });

  it("type-checks parameters, and skips kinds that are matched by wildcards", async () => {
    const validations = [{ expression: "params.data.limit == '' && object.nothing == 1 && params.missing == 1" }];
    const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
    const { status } = await statusOf("params", deployments, validations, { paramKind });
    const [{ warning }] = status.typeChecking.expressionWarnings;
    expect(warning).toContain("undefined field 'missing'");
    expect(warning).toContain("undefined field 'nothing'");
    expect(warning).not.toContain("'data'");
    const open = { ...deployments, apiVersions: ["*"] };
    expect((await statusOf("open", open, validations, { paramKind })).status.typeChecking).toEqual({});
  });
});
