import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { CompactSign, createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RequestAuthentication } from "../../runtime/auth/authenticate/request-authenticator.ts";
import { SecretTokenAuthenticator } from "../../runtime/auth/authenticate/secret-token-authenticator.ts";
import { ServiceAccountAuthenticator } from "../../runtime/auth/authenticate/service-account-authenticator.ts";
import { ServiceAccountIssuer } from "../../runtime/auth/authenticate/service-account-issuer.ts";
import { verificationKey } from "../../runtime/auth/authenticate/service-account-keys.ts";
import { cacheTokens } from "../../runtime/auth/authenticate/token-cache.ts";
import { jsonWebKeySet, openidConfiguration } from "../../runtime/auth/reviews/openid-discovery.ts";
import { createTokenRequest } from "../../runtime/auth/reviews/token-request.ts";
import { createTokenReview } from "../../runtime/auth/reviews/user-reviews.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import { InMemoryObjects } from "./in-memory-objects.ts";
import { credentials, virtualRequest } from "./requests.ts";

const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });
const issuerName = "https://kubernetes.default.svc";
const core = (resource: string) => ({ group: "", resource });

let rsa: KeyObject;
let objects: InMemoryObjects;
let now: Date;
beforeAll(() => {
  rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
});
beforeEach(async () => {
  now = new Date("2026-01-01T00:00:00Z");
  objects = new InMemoryObjects();
  await objects.seed(core("serviceaccounts"), { metadata: { name: "robot", namespace: "web", uid: "account-uid" } });
  await objects.seed(core("nodes"), { metadata: { name: "n1", uid: "node-uid" } });
  await objects.seed(core("pods"), {
    metadata: { name: "carrier", namespace: "web", uid: "pod-uid" },
    spec: { serviceAccountName: "robot", nodeName: "n1" },
  });
});

function makeServer(key: KeyObject = rsa) {
  let count = 0;
  const issuer = new ServiceAccountIssuer({
    naming,
    issuer: issuerName,
    key: async () => key,
    newId: () => `id-${++count}`,
  });
  const audiences = [issuerName];
  const authenticator = new ServiceAccountAuthenticator({
    naming,
    issuers: [issuerName],
    audiences,
    keys: async () => [verificationKey(key)],
    reader: objects,
    now: () => now,
  });
  const request = createTokenRequest({ naming, issuer, reader: objects, audiences, now: () => now });
  const ask = async (spec: Record<string, unknown> = {}, metadata = {}) => {
    const answer = await request(virtualRequest({ spec, metadata }, { namespace: "web", name: "robot" }));
    return answer as typeof answer & { status: { token: string; expirationTimestamp: string } };
  };
  return { authenticator, ask, audiences };
}

describe("a service account token", () => {
  it("has the claims of Kubernetes and authenticates its service account", async () => {
    const { ask, authenticator } = makeServer();
    const answer = await ask();
    const { token, expirationTimestamp } = answer.status;
    expect(expirationTimestamp).toBe("2026-01-01T01:00:00Z");
    expect(answer.metadata).toEqual({ name: "robot", namespace: "web", creationTimestamp: "2026-01-01T00:00:00Z" });
    expect(answer.spec).toEqual({ audiences: [issuerName], expirationSeconds: 3600 });
    expect(decodeProtectedHeader(token)).toEqual({ alg: "RS256", kid: verificationKey(rsa).id });
    expect(decodeJwt(token)).toEqual({
      aud: [issuerName],
      exp: 1767229200,
      iat: 1767225600,
      nbf: 1767225600,
      iss: issuerName,
      jti: "id-1",
      "kubernetes.io": { namespace: "web", serviceaccount: { name: "robot", uid: "account-uid" } },
      sub: "system:serviceaccount:web:robot",
    });
    expect(await authenticator.authenticateToken(token, [])).toEqual({
      annotations: {},
      audiences: [issuerName],
      expires: 1_767_229_260_000,
      user: {
        name: "system:serviceaccount:web:robot",
        uid: "account-uid",
        groups: ["system:serviceaccounts", "system:serviceaccounts:web"],
        extra: { "authentication.kubernetes.io/credential-id": ["JTI=id-1"] },
      },
    });
  });

  it("is not issued with more audiences than fit into a token that is accepted", async () => {
    const { ask } = makeServer();
    const tooMany = Array.from({ length: 20_000 }, () => "a");
    await expect(ask({ audiences: tooMany })).rejects.toMatchObject({ status: { code: 413 } });
    await expect(ask({ audiences: ["a".repeat(50_000)] })).rejects.toMatchObject({ status: { code: 413 } });
    expect((await ask({ audiences: ["a".repeat(40_000)] })).status.token.length).toBeGreaterThan(50_000);
  });

  it("can be verified by others through the published keys, RSA or EC", async () => {
    for (const key of [rsa, generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey]) {
      const { ask } = makeServer(key);
      now = new Date();
      const { token } = (await ask()).status;
      const published = verificationKey(createPublicKey(key));
      const keySet = createLocalJWKSet(jsonWebKeySet([published]) as Parameters<typeof createLocalJWKSet>[0]);
      const { payload } = await jwtVerify(token, keySet, { issuer: issuerName, audience: issuerName });
      expect(payload.sub).toBe("system:serviceaccount:web:robot");
      expect(
        openidConfiguration({ issuer: issuerName, jwksUri: "https://h/openid/v1/jwks", keys: [published] }),
      ).toEqual({
        issuer: issuerName,
        jwks_uri: "https://h/openid/v1/jwks",
        response_types_supported: ["id_token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: [published.algorithm],
      });
    }
  });

  it("bound to a pod names the pod and its node, and is invalid after the pod is deleted", async () => {
    const { ask, authenticator } = makeServer();
    const ref = { kind: "Pod", apiVersion: "v1", name: "carrier" };
    const { token } = (await ask({ boundObjectRef: ref })).status;
    expect((await authenticator.authenticateToken(token, []))?.user.extra).toEqual({
      "authentication.kubernetes.io/credential-id": ["JTI=id-1"],
      "authentication.kubernetes.io/node-name": ["n1"],
      "authentication.kubernetes.io/node-uid": ["node-uid"],
      "authentication.kubernetes.io/pod-name": ["carrier"],
      "authentication.kubernetes.io/pod-uid": ["pod-uid"],
    });
    await objects.delete(core("pods"), "web", "carrier");
    await expect(authenticator.authenticateToken(token, [])).rejects.toThrow(
      "service account token has been invalidated",
    );
    await objects.seed(core("pods"), { metadata: { name: "carrier", namespace: "web", uid: "another" } });
    await expect(authenticator.authenticateToken(token, [])).rejects.toThrow(
      "pod UID (another) does not match service account pod ref claim (pod-uid)",
    );
  });

  it("requested by a kubelet is valid for a year and has a warnafter claim, after which its uses are annotated", async () => {
    const ref = { kind: "Pod", apiVersion: "v1", name: "carrier" };
    const { ask, authenticator } = makeServer();
    const answer = await ask({ boundObjectRef: ref, expirationSeconds: 3607 });
    const claims = decodeJwt(answer.status.token) as {
      exp: number;
      iat: number;
      "kubernetes.io": { warnafter: number };
    };
    expect(claims.exp - claims.iat).toBe(365 * 24 * 3600);
    expect(claims["kubernetes.io"].warnafter - claims.iat).toBe(3607);
    expect(answer.status.expirationTimestamp).toBe("2026-01-01T01:00:07Z");
    const { token } = answer.status;
    expect((await authenticator.authenticateToken(token, []))?.annotations).toEqual({});
    now = new Date("2026-01-01T01:01:00Z");
    expect((await authenticator.authenticateToken(token, []))?.annotations).toEqual({
      "authentication.k8s.io/stale-token":
        "subject: system:serviceaccount:web:robot, seconds after warning threshold: 53",
    });
  });

  it("is rejected if a claim has the wrong type", async () => {
    const { authenticator } = makeServer();
    const bound = { namespace: "web", serviceaccount: { name: "robot", uid: "account-uid" } };
    const sign = (claims: Record<string, unknown>) =>
      new CompactSign(Buffer.from(JSON.stringify({ iss: issuerName, "kubernetes.io": bound, ...claims })))
        .setProtectedHeader({ alg: "RS256", kid: verificationKey(rsa).id })
        .sign(rsa);
    expect((await authenticator.authenticateToken(await sign({ exp: null }), []))?.annotations).toEqual({
      "authentication.k8s.io/legacy-token": "",
    });
    for (const claims of [
      { exp: "never" },
      { exp: {} },
      { nbf: "0" },
      { iat: true },
      { aud: null },
      { aud: [[issuerName]] },
      { jti: 5 },
      { sub: {} },
      { "kubernetes.io": { ...bound, warnafter: "x" } },
    ])
      await expect(authenticator.authenticateToken(await sign(claims), []), JSON.stringify(claims)).rejects.toThrow(
        "service account token claims could not be validated",
      );
  });

  it("is rejected if it is expired, not yet valid, for another audience, forged, or its account was deleted", async () => {
    const { ask, authenticator } = makeServer();
    const { token } = (await ask()).status;
    now = new Date("2026-01-01T01:02:00Z");
    await expect(authenticator.authenticateToken(token, [])).rejects.toThrow("service account token has expired");
    now = new Date("2025-12-31T23:58:00Z");
    await expect(authenticator.authenticateToken(token, [])).rejects.toThrow("service account token is not valid yet");
    now = new Date("2026-01-01T00:10:00Z");
    await expect(authenticator.authenticateToken(token, ["other"])).rejects.toThrow(
      `token audiences ["${issuerName}"] is invalid for the target audiences ["other"]`,
    );
    await expect(authenticator.authenticateToken(`${token}x`, [])).rejects.toThrow("error in cryptographic primitive");
    const [header, , signature] = token.split(".");
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: "system:admin" })).toString("base64url");
    await expect(authenticator.authenticateToken(`${header}.${claims}.${signature}`, [])).rejects.toThrow(
      "cryptographic",
    );
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`;
    await expect(authenticator.authenticateToken(unsigned, [])).rejects.toThrow("cryptographic");
    const elsewhere = makeServer(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
    const foreign = (await elsewhere.ask()).status.token;
    await expect(authenticator.authenticateToken(foreign, [])).rejects.toThrow("invalid signature, no keys found");
    expect(await authenticator.authenticateToken("a.b.c", [])).toBeUndefined();
    await objects.delete(core("serviceaccounts"), "web", "robot");
    await expect(authenticator.authenticateToken(token, [])).rejects.toThrow('serviceaccounts "robot" not found');
  });

  it.each([
    ["an object with members of the names of methods", '{"toString":1,"valueOf":1}'],
    ["lists nested to a depth of 20,000", "[".repeat(20_000) + "]".repeat(20_000)],
    ["a list of the issuer", JSON.stringify([issuerName])],
    ["missing", "null"],
  ])("is left to other authenticators if its issuer is no string: %s", async (_what, iss) => {
    const { authenticator } = makeServer();
    const parts = ['{"alg":"RS256"}', `{"iss":${iss}}`].map((part) => Buffer.from(part).toString("base64url"));
    expect(await authenticator.authenticateToken(`${parts.join(".")}.AAAA`, [])).toBeUndefined();
  });

  it("is not issued for invalid requests", async () => {
    const { ask } = makeServer();
    await expect(ask({ expirationSeconds: 5 })).rejects.toThrow(
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
    );
    await expect(ask({ expirationSeconds: 5000000000 })).rejects.toThrow("may not specify a duration larger than 2^32");
    await expect(ask({}, { name: "other" })).rejects.toThrow("must match the service account name if specified");
    const bound = (ref: Record<string, string>) => ask({ boundObjectRef: { apiVersion: "v1", ...ref } });
    await expect(bound({ kind: "Odd", name: "x" })).rejects.toThrow(
      "cannot bind token to object of type /v1, Kind=Odd",
    );
    await expect(bound({ kind: "Secret", name: "absent" })).rejects.toThrow('secrets "absent" not found');
    await expect(bound({ kind: "Pod", name: "carrier", uid: "other" })).rejects.toThrow(
      'Operation cannot be fulfilled on Pod "carrier": the UID in the bound object reference (other) does not match the UID in record.',
    );
    await objects.delete(core("serviceaccounts"), "web", "robot");
    await expect(ask()).rejects.toThrow('serviceaccounts "robot" not found');
  });

  it("is cached for ten seconds, by token and audience", async () => {
    const { ask, authenticator } = makeServer();
    const cache = cacheTokens(authenticator, () => now.getTime());
    const { token } = (await ask()).status;
    expect(await cache.authenticateToken(token, [])).toBeDefined();
    await objects.delete(core("serviceaccounts"), "web", "robot");
    expect(await cache.authenticateToken(token, [])).toBeDefined();
    await expect(cache.authenticateToken(token, ["other"])).rejects.toThrow("audiences");
    now = new Date(now.getTime() + 10_001);
    await expect(cache.authenticateToken(token, [])).rejects.toThrow("not found");
  });
});

describe("a token review", () => {
  it("returns the same results as Kubernetes", async () => {
    const { ask, authenticator, audiences } = makeServer();
    const review = createTokenReview({ tokens: authenticator, audiences });
    const statusOf = async (spec: Record<string, unknown>) => (await review(virtualRequest({ spec }))).status;
    const { token } = (await ask({ audiences: ["one", "two"] })).status;
    expect(await statusOf({ token })).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["one" "two"] is invalid for the target audiences ["${issuerName}"]]`,
    });
    expect(await statusOf({ token, audiences: ["two", "three"] })).toEqual({
      authenticated: true,
      audiences: ["two"],
      user: {
        username: "system:serviceaccount:web:robot",
        uid: "account-uid",
        groups: ["system:serviceaccounts", "system:serviceaccounts:web", "system:authenticated"],
        extra: { "authentication.kubernetes.io/credential-id": ["JTI=id-1"] },
      },
    });
    expect(await statusOf({ token: "wrong" })).toEqual({ user: {}, error: "invalid bearer token" });
    await expect(statusOf({})).rejects.toThrow("token is required for TokenReview in authentication");
  });
});

describe("a token in a Secret", () => {
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: verificationKey(rsa).id }).sign(rsa);
  const claims = {
    iss: "kubernetes/serviceaccount",
    sub: "system:serviceaccount:web:robot",
    "kubernetes.io/serviceaccount/namespace": "web",
    "kubernetes.io/serviceaccount/secret.name": "robot-token",
    "kubernetes.io/serviceaccount/service-account.name": "robot",
    "kubernetes.io/serviceaccount/service-account.uid": "account-uid",
  };
  const check = (token: string) =>
    new SecretTokenAuthenticator({
      naming,
      audiences: [issuerName],
      keys: async () => [verificationKey(rsa)],
      reader: objects,
      writer: objects,
      now: () => new Date("2026-02-03T04:05:06Z"),
    }).authenticateToken(token, []);
  const keep = (token: string, labels = {}) =>
    objects.seed(core("secrets"), {
      metadata: { name: "robot-token", namespace: "web", labels },
      data: { token: Buffer.from(token).toString("base64") },
    });

  it("is valid while the Secret contains it and the account exists", async () => {
    const token = await sign(claims);
    await expect(check(token)).rejects.toThrow("Token has been invalidated");
    await keep(token);
    expect(await check(token)).toEqual({
      audiences: [issuerName],
      user: {
        name: "system:serviceaccount:web:robot",
        uid: "account-uid",
        groups: ["system:serviceaccounts", "system:serviceaccounts:web"],
      },
      annotations: {
        "authentication.k8s.io/legacy-token": "system:serviceaccount:web:robot",
        "authentication.k8s.io/legacy-token-manual-secret": "robot-token",
      },
    });
    await keep("another");
    await expect(check(token)).rejects.toThrow("Token does not match server's copy");
    await keep(token, { "kubernetes.io/legacy-token-invalid-since": "2026-01-01" });
    await expect(check(token)).rejects.toThrow("has been marked invalid");
    await keep(token);
    await objects.seed(core("serviceaccounts"), { metadata: { name: "robot", namespace: "web", uid: "new" } });
    await expect(check(token)).rejects.toThrow("ServiceAccount UID (new) does not match claim (account-uid)");
  });

  it("that was created with its account is warned about", async () => {
    const token = await sign(claims);
    await keep(token);
    await objects.seed(core("serviceaccounts"), {
      metadata: { name: "robot", namespace: "web", uid: "account-uid" },
      secrets: [{ name: "other" }, { name: "robot-token" }],
    });
    const warnings: string[] = [];
    const annotations = new Map<string, string>();
    const accepted = await new RequestAuthentication([{ authenticate: () => check(token) }], {
      enabled: false,
    }).authenticate(
      credentials({}, { warn: (text) => warnings.push(text), annotate: (key, value) => annotations.set(key, value) }),
    );
    expect(accepted.groups).toContain("system:authenticated");
    expect(warnings).toEqual([
      "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.",
    ]);
    expect(Object.fromEntries(annotations)).toEqual({
      "authentication.k8s.io/legacy-token": "system:serviceaccount:web:robot",
      "authentication.k8s.io/legacy-token-autogenerated-secret": "robot-token",
    });
  });

  it("has the day of its last use as a label of the Secret, written once a day", async () => {
    const token = await sign(claims);
    await keep(token, { app: "web" });
    objects.log.length = 0;
    await check(token);
    await check(token);
    expect(objects.log).toEqual(["update secrets web/robot-token"]);
    const secret = await objects.get(core("secrets"), "web", "robot-token");
    expect(secret?.metadata.labels).toEqual({ app: "web", "kubernetes.io/legacy-token-last-used": "2026-02-03" });
  });

  it("is rejected without the subject of its account, and ignored with another issuer", async () => {
    const { sub: _, ...noSubject } = claims;
    await expect(check(await sign(noSubject))).rejects.toThrow("sub claim is missing");
    await expect(check(await sign({ ...claims, sub: "system:serviceaccount:web:other" }))).rejects.toThrow(
      "sub claim is invalid",
    );
    expect(await check(await sign({ ...claims, iss: "elsewhere" }))).toBeUndefined();
  });
});
