import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-abac-"));
const policy = (spec: object) =>
  JSON.stringify({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec });
const write = (name: string, ...lines: string[]) => {
  const path = join(directory, name);
  writeFileSync(path, lines.join("\n"));
  return path;
};
const start = (file: string) =>
  startPlane({ flags: { controllers: "false", "authorization-mode": "ABAC", "authorization-policy-file": file } });

let plane: Plane;
let call: ReturnType<typeof createClient>;
beforeAll(async () => {
  plane = await start(
    write(
      "policies.jsonl",
      "# Comments and blank lines are skipped.",
      "",
      policy({ user: "alice", namespace: "*", resource: "*", apiGroup: "*" }),
      policy({ user: "bob", namespace: "default", resource: "configmaps", readonly: true }),
      policy({ group: "ops", user: "carol", namespace: "default", resource: "secrets" }),
      policy({ user: "*", nonResourcePath: "/openapi/*", readonly: true }),
    ),
  );
  call = createClient(plane);
  await plane.ready;
});
afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true });
});

/** Returns the status of a request by a user. */
const ask = async (user: string, method: string, path: string, groups: string[] = []) => {
  const headers = { "Impersonate-User": user, ...(groups.length > 0 && { "Impersonate-Group": groups.join(",") }) };
  return (await call(method, path, { headers, ...(method !== "GET" && { body: { metadata: { name: "x" } } }) })).status;
};

describe("authorization with ABAC policies", () => {
  it("allows a user what a policy names, with * for any value", async () => {
    expect(await ask("alice", "GET", "/apis/apps/v1/deployments")).toBe(200);
    expect(await ask("alice", "POST", "/api/v1/namespaces/default/configmaps?dryRun=All")).toBe(201);
    expect(await ask("dave", "GET", "/apis/apps/v1/deployments")).toBe(403);
  });

  it("limits a policy to its namespace, its resource and read requests", async () => {
    expect(await ask("bob", "GET", "/api/v1/namespaces/default/configmaps")).toBe(200);
    expect(await ask("bob", "GET", "/api/v1/namespaces/kube-system/configmaps")).toBe(403);
    expect(await ask("bob", "GET", "/api/v1/namespaces/default/secrets")).toBe(403);
    expect(await ask("bob", "POST", "/api/v1/namespaces/default/configmaps?dryRun=All")).toBe(403);
  });

  it("requires both user and group of a policy that names both", async () => {
    expect(await ask("carol", "GET", "/api/v1/namespaces/default/secrets")).toBe(403);
    expect(await ask("carol", "GET", "/api/v1/namespaces/default/secrets", ["ops"])).toBe(200);
    expect(await ask("erin", "GET", "/api/v1/namespaces/default/secrets", ["ops"])).toBe(403);
  });

  it("allows paths below a prefix to authenticated users only", async () => {
    expect(await ask("dave", "GET", "/openapi/v3")).toBe(200);
    expect((await call("GET", "/openapi/v3", { anonymous: true })).status).toBe(403);
    expect(await ask("dave", "GET", "/version")).toBe(403);
  });

  it("may be one of several authorizers of a configuration file", async () => {
    const file = write(
      "authorization.json",
      JSON.stringify({
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "AuthorizationConfiguration",
        authorizers: [
          { type: "RBAC", name: "rbac" },
          { type: "ABAC", name: "abac" },
        ],
      }),
    );
    const policies = write("frank.jsonl", policy({ user: "frank", namespace: "*", resource: "*", apiGroup: "*" }));
    const flags = { controllers: "false", "authorization-config": file };
    await expect(startPlane({ flags })).rejects.toThrow("the authorizer ABAC needs --authorization-policy-file");
    const both = await startPlane({ flags: { ...flags, "authorization-policy-file": policies } });
    try {
      const asFrank = { headers: { "Impersonate-User": "frank" } };
      expect((await createClient(both)("GET", "/apis/apps/v1/deployments", asFrank)).status).toBe(200);
      const asGrace = { headers: { "Impersonate-User": "grace" } };
      expect((await createClient(both)("GET", "/apis/apps/v1/deployments", asGrace)).status).toBe(403);
    } finally {
      await both.stop();
    }
  });

  it("lists the rules of a user in a SelfSubjectRulesReview", async () => {
    const { body } = await call("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
      headers: { "Impersonate-User": "alice" },
      body: { spec: { namespace: "default" } },
    });
    expect(body.status.resourceRules).toEqual([{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]);
  });

  it.each([
    ["{", "line 1: "],
    ["[]", "line 1: must be a JSON object"],
    ['{"user":"bob"}', "line 1: apiVersion and kind must be abac.authorization.kubernetes.io/v1beta1 Policy"],
    [policy({ usr: "bob" }), 'line 1: spec.usr: unknown field (did you mean "user"?)'],
    [policy({ readonly: "yes" }), "line 1: spec.readonly: must be a boolean"],
  ])("rejects the policy %s with its line", async (line, message) => {
    await expect(start(write("invalid.jsonl", line))).rejects.toThrow(message);
  });
});
