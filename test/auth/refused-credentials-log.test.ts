import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { logRefusals } from "../../runtime/auth/authenticate/log-refusals.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { startTokenIssuer } from "../fixtures/token-issuer.ts";

describe("a refused token", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-refusals-"));
  const auditLog = join(directory, "audit.log");
  const lines: string[] = [];
  let issuer: Awaited<ReturnType<typeof startTokenIssuer>>;
  let away: Awaited<ReturnType<typeof startTokenIssuer>>;
  let plane: Plane;

  beforeAll(async () => {
    issuer = await startTokenIssuer();
    away = await startTokenIssuer();
    const trust = ({ url, authority }: typeof issuer) => ({
      issuer: { url, certificateAuthority: authority, audiences: ["typeplane"] },
      claimMappings: { username: { claim: "sub", prefix: "" } },
      claimValidationRules: [{ expression: "claims.?tenant.orValue('') == 'acme'", message: "another tenant" }],
    });
    const write = (name: string, document: object): string => {
      writeFileSync(join(directory, name), stringify(document));
      return join(directory, name);
    };
    plane = await startPlane({
      flags: {
        controllers: "false",
        "authentication-config": write("authentication.yaml", {
          apiVersion: "apiserver.config.k8s.io/v1beta1",
          kind: "AuthenticationConfiguration",
          jwt: [issuer, away].map(trust),
        }),
        "audit-policy-file": write("policy.yaml", {
          apiVersion: "audit.k8s.io/v1",
          kind: "Policy",
          rules: [{ level: "Metadata" }],
        }),
        "audit-log-path": auditLog,
      },
      log: (level, message) => void lines.push(`${level} ${message}`),
    });
    await plane.ready;
    await away.close();
  });

  afterAll(async () => {
    await plane.stop();
    await issuer.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Sends the token. Resolves with the reason in the audit event, which the response must not contain. */
  const refuse = async (token: string): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}` };
    const { status, body, ...rest } = await createClient(plane)("GET", "/api/v1/pods", { anonymous: true, headers });
    expect([status, body.message]).toEqual([401, "Unauthorized"]);
    const id = String(rest.headers["audit-id"]);
    const event = () => {
      const events = readFileSync(auditLog, "utf8").trimEnd().split("\n");
      return events.find((line) => line.includes(id)) ?? "";
    };
    await expect.poll(event, { timeout: 60_000 }).not.toBe("");
    expect(event()).not.toContain(token);
    return JSON.parse(event()).annotations["authentication.k8s.io/failure-reason"];
  };

  it("is logged with the reason, which the client is not told", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "RS256" })}.${part({ iss: "https://kubernetes.default.svc.cluster.local" })}.c2ln`;
    expect(await refuse(token)).toContain("invalid bearer token");
    const refusals = lines.filter((line) => line.startsWith("warn unable to authenticate the request: "));
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toContain("invalid bearer token");
    expect(refusals.join()).not.toContain(token);
  });

  it("has an audit event with its issuer, the rule that failed and the message of the rule", async () => {
    expect(await refuse(await issuer.token({ sub: "jane", tenant: "other" }))).toBe(
      `[invalid bearer token, issuer "${issuer.url}": oidc: error evaluating claim validation expression: ` +
        "validation expression 'claims.?tenant.orValue('') == 'acme'' failed: another tenant]",
    );
  });

  it("has an audit event that names the issuer if the issuer cannot be reached", async () => {
    const reason = await refuse(await away.token({ sub: "jane", tenant: "acme" }));
    expect(reason).toContain(`issuer "${away.url}": oidc: verify token: failed to verify signature: fetching keys `);
    expect(reason).toContain("ECONNREFUSED");
  });

  it("is described to those who may review tokens without the issuer, as in Kubernetes", async () => {
    const { body } = await createClient(plane)("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token: await issuer.token({ sub: "jane", tenant: "other" }) },
      },
    });
    expect(body.status.error).toMatch(/^\[invalid bearer token, oidc: error evaluating claim validation expression: /);
  });
});

it("reasons for refused credentials are logged once a second at most, with the number of those left out", () => {
  const lines: string[] = [];
  let time = 0;
  const refused = logRefusals(
    (_, message) => void lines.push(message),
    () => new Date(time),
  );
  for (const at of [5000, 5400, 5900, 6000]) {
    time = at;
    refused(`bad\n${at}`);
  }
  expect(lines).toEqual([
    'unable to authenticate the request: "bad\\n5000"',
    'unable to authenticate the request: "bad\\n6000" (2 more since the last line)',
  ]);
});
