import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { IssuerKeys } from "../../runtime/auth/authenticate/jwt/issuer-keys.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { HandClock } from "../fixtures/hand-clock.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { startTokenIssuer } from "../fixtures/token-issuer.ts";

const REVIEW = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
const directory = mkdtempSync(join(tmpdir(), "typeplane-jwt-"));
let issuer: Awaited<ReturnType<typeof startTokenIssuer>>;
let second: Awaited<ReturnType<typeof startTokenIssuer>>;
let plane: Plane;
let logged: string[];

const file = (name: string, document: object) => {
  const path = join(directory, name);
  writeFileSync(
    path,
    stringify({ apiVersion: "apiserver.config.k8s.io/v1beta1", kind: "AuthenticationConfiguration", ...document }),
  );
  return path;
};
const start = async (flags: Record<string, string>) => {
  logged = [];
  const log = (_level: string, message: string) => void logged.push(message);
  const started = await startPlane({ flags: { controllers: "false", ...flags }, log });
  await started.ready;
  return started;
};
const whoami = (token: string, target = plane) =>
  createClient(target)("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    anonymous: true,
    headers: { Authorization: `Bearer ${token}` },
    body: REVIEW,
  });
const userOf = async (token: string, target = plane) => (await whoami(token, target)).body.status?.userInfo;
/** Returns the error of a TokenReview for a token. */
const problemOf = async (token: string, target = plane) =>
  (
    await createClient(target)("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } },
    })
  ).body.status.error;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  second = await startTokenIssuer();
  plane = await start({
    "authentication-config": file("issuers.yaml", {
      jwt: [
        {
          issuer: { url: issuer.url, certificateAuthority: issuer.authority, audiences: ["typeplane"] },
          claimValidationRules: [
            { claim: "tenant", requiredValue: "acme" },
            { expression: "claims.exp - claims.iat <= 3600", message: "tokens live an hour at most" },
          ],
          claimMappings: {
            username: { claim: "sub", prefix: "acme:" },
            groups: { claim: "groups", prefix: "acme:" },
            uid: { claim: "id" },
            extra: [{ key: "acme.example/team", valueExpression: "claims.?team.orValue('')" }],
          },
          userValidationRules: [{ expression: "!user.groups.exists(g, g == 'acme:blocked')", message: "blocked" }],
        },
        {
          issuer: {
            url: second.url,
            discoveryURL: `${second.url}/somewhere/else`,
            certificateAuthority: second.authority,
            audiences: ["one", "two"],
            audienceMatchPolicy: "MatchAny",
          },
          claimMappings: {
            username: { expression: "claims.email_verified ? claims.email : ''" },
            groups: { expression: "claims.roles.split(',')" },
          },
        },
      ],
      anonymous: { enabled: true, conditions: [{ path: "/livez" }] },
    }),
  });
});

afterAll(async () => {
  await plane.stop();
  await issuer.close();
  await second.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("a token of a configured issuer", () => {
  const claims = { sub: "jane", id: "u1", tenant: "acme", groups: ["dev", "ops"], team: "blue", jti: "t1" };

  it("authenticates its bearer", async () => {
    expect(issuer.state.requests).toEqual([]);
    expect(await userOf(await issuer.token(claims))).toEqual({
      username: "acme:jane",
      uid: "u1",
      groups: ["acme:dev", "acme:ops", "system:authenticated"],
      extra: { "acme.example/team": ["blue"], "authentication.kubernetes.io/credential-id": ["JTI=t1"] },
    });
    expect(issuer.state.requests).toEqual(["/.well-known/openid-configuration", "/keys"]);
  });

  it("may name an endpoint for its groups, whose token is verified like any other (distributed claims)", async () => {
    const { groups: _groups, ...rest } = claims;
    const distributed = (endpoint = `${issuer.url}/claims/groups`) => ({
      ...rest,
      _claim_names: { groups: "src1" },
      _claim_sources: { src1: { endpoint, access_token: "secret" } },
    });
    issuer.state.claims = await issuer.token({ groups: ["many", "more"] });
    const { groups } = await userOf(await issuer.token(distributed()));
    expect(groups).toEqual(["acme:many", "acme:more", "system:authenticated"]);
    expect(issuer.state.authorization).toBe("Bearer secret");
    expect((await userOf(await issuer.token({ ...distributed(), groups: ["own"] }))).groups).toContain("acme:own");
    issuer.state.claims = await issuer.token({ groups: ["forged"], aud: "other" });
    expect((await whoami(await issuer.token({ ...distributed(), jti: "t2" }))).status).toBe(401);
    issuer.state.claims = await issuer.token({ roles: [] });
    expect(await problemOf(await issuer.token({ ...distributed(), jti: "t3" }))).toContain(
      "did not contain claim: groups",
    );
    issuer.state.claims = "";
    expect(await problemOf(await issuer.token({ ...distributed(), jti: "t4" }))).toContain("404");
    const insecure = distributed("http://127.0.0.1:1/claims");
    expect(await problemOf(await issuer.token({ ...insecure, jti: "t5" }))).toContain("not an https URL");
    expect(await problemOf(await issuer.token({ ...rest, _claim_names: { groups: "a" } }))).toContain(
      "no claim sources",
    );
  });

  it("may omit optional claims, and have a single group as a string", async () => {
    const { team: _team, jti: _jti, ...rest } = claims;
    expect(await userOf(await issuer.token({ ...rest, groups: "dev" }))).toEqual({
      username: "acme:jane",
      uid: "u1",
      groups: ["acme:dev", "system:authenticated"],
    });
  });

  it.each([
    ["for somebody else", { aud: "other" }, 'oidc: verify token: oidc: expected audience "typeplane" got ["other"]'],
    [
      "that has expired",
      { exp: 1 },
      "oidc: verify token: oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)",
    ],
    ["that is not good yet", { nbf: 9999999999 }, "before the nbf (not before) time"],
    ["without a name", { sub: undefined }, 'oidc: parse username claims "sub": claim not present'],
    ["without a required claim", { tenant: undefined }, "oidc: required claim tenant not present in ID token"],
    [
      "with another value",
      { tenant: "evil" },
      "oidc: required claim tenant value does not match. Got = evil, want = acme",
    ],
    ["that breaks a rule", { iat: 1 }, "failed: tokens live an hour at most"],
    [
      "of a user that breaks a rule",
      { groups: ["blocked"] },
      "oidc: error evaluating user info validation rule: validation expression",
    ],
    ["with groups that are none", { groups: [1] }, 'oidc: parse groups claim "groups"'],
  ])("%s is refused", async (_what, change, problem) => {
    const token = await issuer.token({ ...claims, ...change });
    expect((await whoami(token)).status).toBe(401);
    expect(await problemOf(token)).toContain(problem);
  });

  it("for an audience that is not exactly that of this server is refused, of whatever type it is (CVE-2020-26160)", async () => {
    for (const aud of [
      undefined,
      null,
      "",
      [],
      [null],
      [""],
      {},
      { typeplane: true },
      5,
      true,
      [["typeplane"]],
      "typeplane,other",
    ])
      expect((await whoami(await issuer.token({ ...claims, aud }))).status, JSON.stringify(aud)).toBe(401);
  });

  it("with a time or an issuer in a list is rejected", async () => {
    for (const change of [{ exp: [9999999999] }, { exp: true }, { exp: null }, { nbf: [1] }, { iss: [issuer.url] }])
      expect((await whoami(await issuer.token({ ...claims, ...change }))).status, JSON.stringify(change)).toBe(401);
  });

  it("with a time that is no number is rejected", async () => {
    for (const change of [
      { nbf: "" },
      { nbf: " 5 " },
      { iat: "abc" },
      { iat: true },
      { exp: "0xffffffff" },
      { exp: "Infinity" },
    ])
      expect((await whoami(await issuer.token({ ...claims, ...change }))).status, JSON.stringify(change)).toBe(401);
  });

  it("with critical extensions in its header is rejected", async () => {
    const token = await issuer.token(claims, { kid: "first", b64: true, crit: ["b64"] });
    expect(await problemOf(token)).toContain("failed to verify id token signature");
  });

  it("with a signature of another key, or without one, is rejected", async () => {
    const [header, , signature] = (await second.token({ ...claims, iss: issuer.url }, { kid: "first" })).split(".");
    const [, payload] = (await issuer.token(claims)).split(".");
    expect(await problemOf(`${header}.${payload}.${signature}`)).toContain("failed to verify id token signature");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    expect(await problemOf(`${none}.${payload}.`)).toContain("id token signed with unsupported algorithm");
    const object = Buffer.from('{"alg":{"toString":1,"valueOf":1}}').toString("base64url");
    expect(await problemOf(`${object}.${payload}.`)).toContain('unsupported algorithm, expected ["ES256"');
  });

  it("may be signed with a key that was published later, or with any key if it names none", async () => {
    await second.rotate("second", "with the old");
    const token = await second.token({ aud: ["x", "two"], email: "jo@x", email_verified: true, roles: "a,,b" }, {});
    expect(await userOf(token)).toMatchObject({ username: "jo@x", groups: ["a", "b", "system:authenticated"] });
    expect(second.state.requests[0]).toBe("/somewhere/else");
    const unverified = await second.token({ aud: "one", email: "jo@x", email_verified: false, roles: "a" });
    expect(await problemOf(unverified)).toContain("oidc: empty username via CEL expression is not allowed");
    const broken = await second.token({ aud: "one", email: "jo@x" });
    expect(await problemOf(broken)).toContain(
      "oidc: error evaluating username claim expression: expression 'claims.email_verified ? claims.email : ''' resulted in error: no such key: email_verified",
    );
  });

  it("may have times as strings, and no time before which it is not valid", async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const times = { exp: String(seconds + 300), iat: `${seconds}.5`, nbf: null };
    const token = await second.token({ ...times, aud: "one", email: "jo@x", email_verified: true, roles: "a" });
    expect(await userOf(token)).toMatchObject({ username: "jo@x" });
  });

  it("is valid only for the audiences of this server, in reviews", async () => {
    const review = async (audiences: string[]) =>
      (
        await createClient(plane)("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
          body: {
            apiVersion: "authentication.k8s.io/v1",
            kind: "TokenReview",
            spec: { token: await issuer.token(claims), audiences },
          },
        })
      ).body.status;
    expect(await review(["https://kubernetes.default.svc"])).toMatchObject({
      authenticated: true,
      audiences: ["https://kubernetes.default.svc"],
    });
    expect((await review(["typeplane"])).authenticated).toBeUndefined();
  });
});

describe("anonymous requests", () => {
  it("may be limited to paths", async () => {
    const call = createClient(plane);
    expect((await call("GET", "/livez", { anonymous: true })).status).toBe(200);
    expect((await call("GET", "/readyz", { anonymous: true })).status).toBe(401);
  });

  it("cannot be configured by file and flag at the same time", async () => {
    const path = file("anonymous.yaml", { anonymous: { enabled: false } });
    await expect(start({ "authentication-config": path, "anonymous-auth": "true" })).rejects.toThrow(
      "--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file",
    );
  });
});

describe("an issuer", () => {
  it("that fails does not prevent the start, and is not called again for a while", async () => {
    const away = await startTokenIssuer();
    const mapping = { username: { claim: "sub", prefix: "" } };
    const target = await start({
      "authentication-config": file("away.yaml", {
        jwt: [
          {
            issuer: { url: away.url, certificateAuthority: away.authority, audiences: ["typeplane"] },
            claimMappings: mapping,
          },
        ],
      }),
    });
    away.state.oversized = true;
    const token = await away.token({ sub: "jane" });
    expect(await problemOf(token, target)).toContain("the answer is longer than 1048576 bytes");
    away.state.oversized = false;
    expect(await problemOf(await away.token({ sub: "joe" }), target)).toContain("the answer is longer than");
    expect(away.state.requests).toHaveLength(1);
    await target.stop();
    await away.close();
  });

  it("may replace its key by one with the same id, or without an id", async () => {
    const changing = await startTokenIssuer();
    const clock = new HandClock();
    const keys = new IssuerKeys(
      { url: changing.url, certificateAuthority: changing.authority, audiences: ["typeplane"] },
      clock,
    );
    const old = await changing.token({ sub: "jane" });
    expect(await keys.verify(old, "ES256", "first")).toBe(true);
    for (const [id, header] of [
      ["first", undefined],
      ["", {}],
    ] as const) {
      await changing.rotate(id || "unnamed", "alone");
      const token = await changing.token({ sub: "jane" }, header);
      await clock.move(1000);
      expect(await keys.verify(token, "ES256", id)).toBe(true);
      expect(await keys.verify(old, "ES256", "first")).toBe(false);
    }
    // Invalid tokens cause one request a second.
    const before = changing.state.requests.length;
    await clock.move(1000);
    await Promise.all([1, 2, 3].map(() => keys.verify(old, "ES256", "first")));
    expect(await keys.verify(old, "ES256", "first")).toBe(false);
    expect(changing.state.requests.slice(before)).toEqual(["/keys"]);
    await changing.close();
  });

  it("may be configured by flags", async () => {
    const authority = join(directory, "ca.pem");
    writeFileSync(authority, issuer.authority);
    const target = await start({
      "oidc-issuer-url": issuer.url,
      "oidc-client-id": "typeplane",
      "oidc-ca-file": authority,
      "oidc-groups-claim": "groups",
      "oidc-required-claim": "tenant=acme",
      "oidc-signing-algs": "RS256,ES256",
    });
    const token = await issuer.token({ sub: "jane", tenant: "acme", groups: ["dev"] });
    expect(await userOf(token, target)).toMatchObject({
      username: `${issuer.url}#jane`,
      groups: ["dev", "system:authenticated"],
    });
    expect(await problemOf(await issuer.token({ sub: "jane" }), target)).toContain("required claim tenant not present");
    await target.stop();
  });

  it.each([
    [{ "oidc-issuer-url": "https://a" }, "oidc-issuer-url and oidc-client-id must be specified together"],
    [
      { "oidc-issuer-url": "https://a", "oidc-client-id": "a", "authentication-config": "x" },
      "authentication-config file and oidc-* flags are mutually exclusive",
    ],
    [
      { "oidc-issuer-url": "https://a", "oidc-client-id": "a", "oidc-signing-algs": "HS256" },
      'oidc: unsupported signing alg: "HS256"',
    ],
    [{ "oidc-issuer-url": "http://a", "oidc-client-id": "a" }, "URL scheme must be https"],
    [{ "authentication-config": "/nowhere.yaml" }, "/nowhere.yaml: ENOENT"],
  ])("is refused with flags %j", async (flags, problem) => {
    await expect(start(flags as unknown as Record<string, string>)).rejects.toThrow(problem);
  });
});

describe("a changed configuration file", () => {
  it("is reloaded, unless it is invalid", async () => {
    const one = (prefix: string) => ({
      jwt: [
        {
          issuer: { url: issuer.url, certificateAuthority: issuer.authority, audiences: ["typeplane"] },
          claimMappings: { username: { claim: "sub", prefix } },
        },
      ],
    });
    const target = await start({ "authentication-config": file("changing.yaml", one("a:")) });
    expect(await userOf(await issuer.token({ sub: "jane", jti: "1" }), target)).toMatchObject({ username: "a:jane" });
    file("changing.yaml", one("longer:"));
    await expect
      .poll(async () => (await userOf(await issuer.token({ sub: "jane", jti: Math.random() }), target)).username, {
        timeout: 120_000,
      })
      .toBe("longer:jane");
    file("changing.yaml", { jwt: [{ issuer: { url: "http://x" } }] });
    await expect.poll(() => logged.join("\n"), { timeout: 120_000 }).toContain("jwt[0].issuer.url: Invalid value");
    expect(await userOf(await issuer.token({ sub: "joe" }), target)).toMatchObject({ username: "longer:joe" });
    await target.stop();
  });
});
