import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { SignJWT } from "jose";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { verificationKey } from "../../runtime/auth/authenticate/service-account-keys.ts";
import { hostAddress } from "../../runtime/cli/host-address.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-flags-"));
const planes: Plane[] = [];

afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.stop()));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function start(flags: Record<string, string | readonly string[]>) {
  const plane = await startPlane({ flags: { controllers: "false", ...flags } });
  planes.push(plane);
  await plane.ready;
  return { plane, call: createClient(plane) };
}

function keyFile(name: string, key: KeyObject): string {
  const path = join(directory, name);
  writeFileSync(path, key.export({ type: key.type === "public" ? "spki" : "pkcs8", format: "pem" }));
  return path;
}

const ROBOT = "/api/v1/namespaces/default/serviceaccounts";
const robot = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } };
const tokenRequest = (spec: object = {}) => ({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec });
const whoAmI = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("service account tokens", () => {
  it("are signed with the signing key for the first issuer, and accepted for all keys and issuers", async () => {
    const signing = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const former = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { call } = await start({
      "service-account-signing-key-file": keyFile("signing.pem", signing.privateKey),
      "service-account-key-file": [keyFile("public.pem", signing.publicKey), keyFile("former.pem", former.publicKey)],
      "service-account-issuer": ["https://issuer.example.com", "https://former.example.com"],
      "service-account-jwks-uri": "https://keys.example.com/jwks",
      "service-account-max-token-expiration": "2h",
    });
    const { body: account } = await call("POST", ROBOT, { body: robot });
    const asked = await call("POST", `${ROBOT}/robot/token`, { body: tokenRequest({ expirationSeconds: 10_000 }) });
    expect(asked.status).toBe(201);
    expect(asked.headers.warning).toBe('299 - "requested expiration of 10000 seconds shortened to 7200 seconds"');
    const claims = claimsOf(asked.body.status.token);
    expect(claims).toMatchObject({
      iss: "https://issuer.example.com",
      aud: ["https://issuer.example.com", "https://former.example.com"],
    });
    expect(claims.exp - claims.iat).toBe(7200);

    // Tokens that the previous server signed, under its own name and key.
    const { id, algorithm } = verificationKey(former.publicKey);
    const old = await new SignJWT({ ...claims, iss: "https://former.example.com" })
      .setProtectedHeader({ alg: algorithm, kid: id })
      .sign(former.privateKey);
    for (const token of [asked.body.status.token, old]) {
      const headers = { Authorization: `Bearer ${token}` };
      const review = await call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", { headers, body: whoAmI });
      expect(review.body.status.userInfo).toMatchObject({
        username: "system:serviceaccount:default:robot",
        uid: account.metadata.uid,
      });
    }

    const document = await call("GET", "/.well-known/openid-configuration");
    expect(document.body).toMatchObject({
      issuer: "https://issuer.example.com",
      jwks_uri: "https://keys.example.com/jwks",
      id_token_signing_alg_values_supported: ["ES256", "RS256"],
    });
    const { keys } = (await call("GET", "/openid/v1/jwks")).body;
    expect(keys.map(({ kty }: { kty: string }) => kty)).toEqual(["EC", "RSA"]);
  });

  it("of Secrets are accepted without a lookup if service-account-lookup is false", async () => {
    const key = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const claims = {
      iss: "kubernetes/serviceaccount",
      sub: "system:serviceaccount:default:ghost",
      "kubernetes.io/serviceaccount/namespace": "default",
      "kubernetes.io/serviceaccount/secret.name": "ghost-token",
      "kubernetes.io/serviceaccount/service-account.name": "ghost",
      "kubernetes.io/serviceaccount/service-account.uid": "1",
    };
    const { id, algorithm } = verificationKey(key.publicKey);
    const token = await new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: id }).sign(key.privateKey);
    const headers = { Authorization: `Bearer ${token}` };
    const flags = {
      "service-account-key-file": keyFile("legacy.pem", key.privateKey),
      "service-account-issuer": "local",
    };
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const looking = await start(flags);
    expect((await looking.call("POST", path, { headers, body: whoAmI })).status).toBe(401);
    const believing = await start({ ...flags, "service-account-lookup": "false" });
    const review = await believing.call("POST", path, { headers, body: whoAmI });
    expect(review.body.status.userInfo.username).toBe("system:serviceaccount:default:ghost");
    expect((await believing.call("GET", "/.well-known/openid-configuration")).status).toBe(404);
  });

  it("of pods are extended to a year unless service-account-extend-token-expiration is false", async () => {
    for (const [extend, life] of [
      ["true", 365 * 24 * 3600],
      ["false", 3607],
    ] as const) {
      const { call } = await start({
        "service-account-extend-token-expiration": extend,
        "disable-admission-plugins": "ServiceAccount",
      });
      await call("POST", ROBOT, { body: robot });
      const spec = { serviceAccountName: "robot", containers: [{ name: "main", image: "registry.invalid/app:1" }] };
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "runner" }, spec };
      const created = await call("POST", "/api/v1/namespaces/default/pods", { body: pod });
      const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "runner", uid: created.body.metadata.uid };
      const body = tokenRequest({ expirationSeconds: 3607, boundObjectRef });
      const { token } = (await call("POST", `${ROBOT}/robot/token`, { body })).body.status;
      const { exp, iat } = claimsOf(token);
      expect(exp - iat).toBe(life);
    }
  });
});

describe("the advertised address of the server", () => {
  it("is published in the endpoints of the kubernetes service until the server stops", async () => {
    const data = join(directory, "published");
    const options = { directory: data, flags: { controllers: "false" } };
    const plane = await startPlane({
      ...options,
      flags: {
        ...options.flags,
        "advertise-address": "192.0.2.7",
        "kubernetes-service-node-port": "30443",
        "external-hostname": "api.example.com",
      },
    });
    const call = createClient(plane);
    await plane.ready;
    const port = Number(new URL(plane.client.server).port);
    const endpoints = "/api/v1/namespaces/default/endpoints/kubernetes";
    await expect.poll(async () => (await call("GET", endpoints)).status).toBe(200);
    expect((await call("GET", endpoints)).body).toMatchObject({
      metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
      subsets: [{ addresses: [{ ip: "192.0.2.7" }], ports: [{ name: "https", port, protocol: "TCP" }] }],
    });
    const slice = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
    await expect.poll(async () => (await call("GET", slice)).status).toBe(200);
    expect((await call("GET", slice)).body).toMatchObject({
      metadata: { labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.7"], conditions: { ready: true } }],
      ports: [{ name: "https", port, protocol: "TCP" }],
    });
    const service = await call("GET", "/api/v1/namespaces/default/services/kubernetes");
    expect(service.body.spec).toMatchObject({ type: "NodePort", ports: [{ nodePort: 30443, targetPort: port }] });
    const api = await call("GET", "/api");
    expect(api.body.serverAddressByClientCIDRs[0].serverAddress).toBe(`api.example.com:${port}`);
    await plane.stop();

    const later = await startPlane({ ...options, flags: { ...options.flags, "endpoint-reconciler-type": "none" } });
    await later.ready;
    const left = await createClient(later)("GET", endpoints);
    expect(left.body).not.toHaveProperty("subsets");
    await later.stop();
  });

  it("is an address of the host if the server listens on loopback, and none with --endpoint-reconciler-type=none", async () => {
    const endpoints = "/api/v1/namespaces/default/endpoints/kubernetes";
    const address = hostAddress("127.0.0.1");
    if (address !== undefined) {
      const { call } = await start({});
      await expect
        .poll(async () => (await call("GET", endpoints)).body.subsets?.[0]?.addresses, { timeout: 120_000 })
        .toEqual([{ ip: address }]);
    }
    const { call } = await start({ "endpoint-reconciler-type": "none" });
    expect((await call("GET", endpoints)).status).toBe(404);
  });
});

describe("connections", () => {
  it("use the TLS versions and HTTP versions that the flags allow, and AES-128 as with Go's server", async () => {
    const { plane } = await start({ "tls-min-version": "VersionTLS13", "disable-http2-serving": "true" });
    const { hostname: host, port } = new URL(plane.client.server);
    const options = {
      host,
      port: Number(port),
      ca: plane.client.certificateAuthority,
      ALPNProtocols: ["h2", "http/1.1"],
    };
    const spoken = await new Promise((resolve, reject) => {
      const socket = connectTls(options, () => {
        resolve([socket.getProtocol(), socket.alpnProtocol, socket.getCipher().name]);
        socket.destroy();
      });
      socket.once("error", reject);
    });
    expect(spoken).toEqual(["TLSv1.3", "http/1.1", "TLS_AES_128_GCM_SHA256"]);
    const old = new Promise((resolve, reject) => {
      connectTls({ ...options, maxVersion: "TLSv1.2" }, () => resolve("connected")).once("error", reject);
    });
    await expect(old).rejects.toThrow(/protocol version|handshake/);
  });

  it("use the certificate of tls-cert-file", async () => {
    const own = await start({});
    const cert = join(directory, "serving.crt");
    const key = join(directory, "serving.key");
    writeFileSync(cert, own.plane.client.clientCertificate);
    writeFileSync(key, own.plane.client.clientKey);
    const { plane } = await start({ "tls-cert-file": cert, "tls-private-key-file": key });
    const { hostname: host, port } = new URL(plane.client.server);
    const subject = await new Promise((resolve) => {
      const socket = connectTls({ host, port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      });
    });
    expect(subject).toBe("kubernetes-admin");
  });

  it("of HTTP/2 limit concurrent streams and send GOAWAY with the given probability", async () => {
    const { plane } = await start({ "http2-max-streams-per-connection": "7", "goaway-chance": "0.02" });
    const session = connectHttp2(plane.client.server, { ca: plane.client.certificateAuthority });
    const settings = await new Promise((resolve) => session.once("remoteSettings", resolve));
    expect(settings).toMatchObject({ maxConcurrentStreams: 7 });
    const gone = new Promise<number>((resolve) => session.once("goaway", resolve));
    let answered = 0;
    // A fiftieth of the requests ends the connection: this many would all have to be lucky.
    for (let left = 2000; left > 0 && !session.closed && !session.destroyed; left -= 1) {
      const stream = session.request({ ":path": "/livez" });
      await new Promise<void>((resolve) => {
        stream.once("response", (headers) => {
          if (headers[":status"] === 200) answered += 1;
        });
        stream.resume();
        stream.once("error", () => resolve());
        stream.once("close", () => resolve());
      });
    }
    expect(await gone).toBe(0);
    expect(answered).toBeGreaterThan(0);
    session.destroy();
  });

  it("send the configured CORS and Strict-Transport-Security headers", async () => {
    const { call } = await start({
      "cors-allowed-origins": "^https://app\\.example\\.com$",
      "strict-transport-security-directives": "max-age=31536000,includeSubDomains",
    });
    const Origin = "https://app.example.com";
    const asked = await call("OPTIONS", "/api/v1/namespaces", { anonymous: true, headers: { Origin } });
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": Origin,
      "access-control-allow-methods": "POST, GET, OPTIONS, PUT, DELETE, PATCH",
      "access-control-allow-credentials": "true",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    });
    const read = await call("GET", "/api/v1/namespaces", { headers: { Origin } });
    expect([read.status, read.headers["access-control-allow-origin"]]).toEqual([200, Origin]);
    const other = await call("GET", "/version", { headers: { Origin: "https://evil.example.com" } });
    expect(other.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("of two servers share a port with permit-port-sharing", async () => {
    const first = await start({ "permit-port-sharing": "true" });
    const { port } = new URL(first.plane.client.server);
    const second = await start({ "permit-port-sharing": "true", "secure-port": port });
    expect(second.plane.client.server).toBe(first.plane.client.server);
    await expect(startPlane({ flags: { "secure-port": port } })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("flags for default tolerations and garbage collection", () => {
  it("change the tolerations of new pods and the effect of foreground deletion", async () => {
    const { call } = await start({
      "default-not-ready-toleration-seconds": "7",
      "default-unreachable-toleration-seconds": "8",
      "enable-garbage-collector": "false",
      "disable-admission-plugins": "ServiceAccount",
    });
    const spec = { containers: [{ name: "main", image: "registry.invalid/app:1" }] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "runner" }, spec };
    const { body } = await call("POST", "/api/v1/namespaces/default/pods", { body: pod });
    expect(body.spec.tolerations).toEqual([
      { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 7 },
      { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 8 },
    ]);
    // Nobody would take the finalizer away again.
    const maps = "/api/v1/namespaces/default/configmaps";
    await call("POST", maps, { body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } } });
    const deleted = await call("DELETE", `${maps}/owner?propagationPolicy=Foreground`);
    expect(deleted.body).toMatchObject({ kind: "Status", status: "Success" });
    expect((await call("GET", `${maps}/owner`)).status).toBe(404);
  });
});
