import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "disable-admission-plugins": "ServiceAccount" });
const PODS = "/api/v1/namespaces/default/pods";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

/** Creates a running pod that remains readable after its deletion. */
async function runningPod(name: string, isReady: boolean) {
  const metadata = { name, labels: { app: name }, finalizers: ["example.com/wait"] };
  await call("POST", PODS, { body: { metadata, spec: { containers: [{ name: "c", image: "i" }] } } });
  const conditions = [{ type: "Ready", status: isReady ? "True" : "False" }];
  const body = { status: { phase: "Running", conditions } };
  await call("PATCH", `${PODS}/${name}/status`, { type: "application/merge-patch+json", body });
}

async function budget(name: string, spec: object, status: object) {
  const selector = { matchLabels: { app: name } };
  const created = await call("POST", BUDGETS, {
    body: { metadata: { name }, spec: { minAvailable: 1, selector, ...spec } },
  });
  const { metadata } = created.body;
  const numbers = { currentHealthy: 0, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0, ...status };
  await call("PUT", `${BUDGETS}/${name}/status`, {
    body: { ...created.body, status: { observedGeneration: metadata.generation, ...numbers } },
  });
}

const evict = (name: string, rest: object = {}) =>
  call("POST", `${PODS}/${name}/eviction`, {
    body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, ...rest },
  });

describe("eviction of a pod that is not ready", () => {
  it("is allowed with unhealthyPodEvictionPolicy AlwaysAllow and does not use the disruption budget", async () => {
    await runningPod("always", false);
    await budget("always", { unhealthyPodEvictionPolicy: "AlwaysAllow" }, {});
    expect((await evict("always")).status).toBe(201);
    const { body } = await call("GET", `${BUDGETS}/always`);
    expect(body.status).toMatchObject({ disruptionsAllowed: 0 });
    expect(body.status.disruptedPods).toBeUndefined();
  });

  it("is allowed while the budget has enough healthy pods, and gets 429 otherwise", async () => {
    await runningPod("healthy", false);
    await budget("healthy", {}, { currentHealthy: 1, desiredHealthy: 1 });
    expect((await evict("healthy")).status).toBe(201);
    await runningPod("unhealthy", false);
    await budget(
      "unhealthy",
      { unhealthyPodEvictionPolicy: "IfHealthyBudget" },
      { currentHealthy: 0, desiredHealthy: 1 },
    );
    const refused = await evict("unhealthy");
    expect(refused.status).toBe(429);
    expect(refused.body.details.causes[0].message).toBe(
      "The disruption budget unhealthy needs 1 healthy pods and has 0 currently",
    );
  });
});

describe("eviction of a pod", () => {
  it("decrements disruptionsAllowed of the budget and sets its condition when none is left", async () => {
    await runningPod("ready", true);
    await budget("ready", { unhealthyPodEvictionPolicy: "AlwaysAllow" }, { currentHealthy: 2, disruptionsAllowed: 1 });
    expect((await evict("ready")).status).toBe(201);
    const { status } = (await call("GET", `${BUDGETS}/ready`)).body;
    expect(status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { ready: expect.any(String) } });
    expect(status.conditions).toMatchObject([
      { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" },
    ]);
  });

  it("sets the condition DisruptionTarget of the pod", async () => {
    await runningPod("told", true);
    expect((await evict("told")).status).toBe(201);
    const { metadata, status } = (await call("GET", `${PODS}/told`)).body;
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(status.conditions.at(-1)).toMatchObject({
      type: "DisruptionTarget",
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
    });
  });

  it("leaves the pod unchanged for a dry run or a failed uid precondition", async () => {
    await runningPod("kept", true);
    const wrong = await evict("kept", { deleteOptions: { preconditions: { uid: "other" } } });
    expect(wrong.status).toBe(409);
    expect(wrong.body.message).toContain("the UID in the precondition (other) does not match the UID in record");
    expect((await evict("kept", { deleteOptions: { dryRun: ["All"] } })).status).toBe(201);
    const { metadata, status } = (await call("GET", `${PODS}/kept`)).body;
    expect(metadata.deletionTimestamp).toBeUndefined();
    expect(status.conditions).toHaveLength(1);
  });

  it("is checked by admission policies for pods/eviction", async () => {
    const registration = "/apis/admissionregistration.k8s.io/v1";
    await call("POST", `${registration}/validatingadmissionpolicies`, {
      body: {
        metadata: { name: "no-evictions" },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods/eviction"] },
            ],
          },
          validations: [{ expression: "object.metadata.name != 'guarded'", message: "stay" }],
        },
      },
    });
    await call("POST", `${registration}/validatingadmissionpolicybindings`, {
      body: { metadata: { name: "b" }, spec: { policyName: "no-evictions", validationActions: ["Deny"] } },
    });
    await runningPod("guarded", true);
    const attempt = async () => (await evict("guarded", { deleteOptions: { dryRun: ["All"] } })).body.message;
    await expect.poll(attempt).toContain("stay");
  });
});

it("errors of an Eviction name the version that the client sent", async () => {
  const body = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: "any" } };
  const sent = async (more: object, query = "") =>
    (await call("POST", `${PODS}/any/eviction${query}`, { body: { ...body, ...more } })).body.message;
  expect(await sent({ deleteOptions: [] })).toMatch(
    /^Eviction in version "v1beta1" cannot be handled as a Eviction: json/,
  );
  expect(await sent({ odd: 1 }, "?fieldValidation=Strict")).toBe(
    'Eviction in version "v1beta1" cannot be handled as a Eviction: strict decoding error: unknown field "odd"',
  );
});
