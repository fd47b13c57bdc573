import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readClientCertificate } from "../../runtime/auth/authenticate/client-certificate.ts";
import { issueCertificate } from "../../runtime/auth/pki/issue-certificate.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { Authorities } from "../../runtime/x509/certificate-authorities.ts";
import type { TestCertificate } from "../fixtures/certificates.ts";

const MINUTE = 60_000;
const start = Date.now();

/** Returns an authority from an hour ago. Its certificates expire after this number of minutes. */
function createChain(commonName: string) {
  const from = new Date(start - 60 * MINUTE);
  const until = (minutes: number) => new Date(start + minutes * MINUTE);
  const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = newKey();
  const root = issueCertificate(
    { commonName, publicKey: own.publicKey, use: "authority", notBefore: from, notAfter: until(600) },
    own.privateKey,
  );
  const rootIssuer = { certificate: root, key: own.privateKey };
  const issue = (name: string, minutes: number, issuer = rootIssuer, use: "client" | "authority" = "client") => {
    const { publicKey, privateKey } = newKey();
    const certificate = issueCertificate(
      { commonName: name, publicKey, use, notBefore: from, notAfter: until(minutes) },
      issuer,
    );
    return { certificate, key: privateKey };
  };
  const pem = (...certificates: ReturnType<typeof issue>[]): TestCertificate => ({
    cert: certificates.map(({ certificate }) => certificate.toString()).join(""),
    key: certificates[0]?.key.export({ type: "pkcs8", format: "pem" }).toString() ?? "",
  });
  return { authority: root.toString(), root, issue, pem };
}

const clients = createChain("clients");
const proxies = createChain("proxies");
const directory = mkdtempSync(join(tmpdir(), "typeplane-expiry-"));
const file = (name: string, text: string) => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
let plane: Plane;

beforeAll(async () => {
  plane = await startPlane({
    flags: {
      controllers: "false",
      "client-ca-file": file("clients.pem", clients.authority),
      "requestheader-client-ca-file": file("proxies.pem", proxies.authority),
      "requestheader-username-headers": "X-Remote-User",
      "requestheader-group-headers": "X-Remote-Group",
    },
  });
  await plane.ready;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await plane?.stop();
  rmSync(directory, { recursive: true });
});

/** Sets the server's clock, which is that of this process, this number of minutes ahead. */
function advance(minutes: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: start + minutes * MINUTE });
}

/** Status codes of requests on one connection of HTTP/1.1. */
function connection(certificate: TestCertificate, headers: Record<string, string> = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let used: unknown;
  const get = () =>
    new Promise<number>((resolve, reject) => {
      const sent = request(
        `${plane.client.server}/api/v1`,
        { ca: plane.client.certificateAuthority, agent, ...certificate, headers },
        (answer) => {
          used ??= answer.socket;
          if (used !== answer.socket) reject(new Error("the connection was not kept"));
          answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
        },
      );
      sent.on("error", reject);
      sent.end();
    });
  return { get, close: () => agent.destroy() };
}

describe("a client certificate", () => {
  it("is accepted until it expires on a connection that stays open", async () => {
    const { get, close } = connection(clients.pem(clients.issue("dora", 30)));
    expect(await get()).toBe(200);
    advance(29);
    expect(await get()).toBe(200);
    advance(31);
    expect(await get()).toBe(401);
    advance(-61);
    expect(await get()).toBe(401);
    advance(0);
    expect(await get()).toBe(200);
    close();
  });

  it("is not accepted on an HTTP/2 connection after it expires", async () => {
    const session = connectHttp2(plane.client.server, {
      ca: plane.client.certificateAuthority,
      ...clients.pem(clients.issue("dora", 30)),
    });
    const get = () =>
      new Promise<number>((resolve, reject) => {
        const stream = session.request({ ":path": "/api/v1" });
        stream.on("response", (headers) => resolve(headers[":status"] ?? 0));
        stream.on("error", reject);
        stream.resume();
        stream.end();
      });
    expect(await get()).toBe(200);
    advance(31);
    expect(await get()).toBe(401);
    session.close();
  });

  it("of a front proxy expires, too: its identity headers are then ignored", async () => {
    const { get, close } = connection(proxies.pem(proxies.issue("front", 30)), { "X-Remote-User": "bob" });
    expect(await get()).toBe(200);
    advance(31);
    expect(await get()).toBe(401);
    close();
  });

  it("that has expired does not invalidate a valid token", async () => {
    const headers = { Authorization: `Bearer ${plane.client.token}` };
    const { get, close } = connection(clients.pem(clients.issue("dora", 30)), headers);
    advance(31);
    expect(await get()).toBe(200);
    close();
  });

  it("that has expired is not accepted on a resumed TLS session", async () => {
    const url = new URL(plane.client.server);
    const options = {
      host: url.hostname,
      port: Number(url.port),
      ca: plane.client.certificateAuthority,
      ...clients.pem(clients.issue("dora", 30)),
    };
    const open = (session?: Buffer) =>
      new Promise<{ status: string; session: Buffer | undefined }>((resolve, reject) => {
        let kept: Buffer | undefined;
        const socket = connectTls({ ...options, ...(session && { session }) }, () =>
          socket.write("GET /api/v1 HTTP/1.1\r\nHost: x\r\n\r\n"),
        );
        socket.on("session", (next) => {
          kept = next;
        });
        socket.once("data", (data) => {
          socket.destroy();
          resolve({ status: data.toString("latin1").slice(9, 12), session: kept });
        });
        socket.on("error", reject);
      });
    const first = await open();
    expect(first.status).toBe("200");
    advance(31);
    expect((await open(first.session)).status).toBe("401");
  });

  it("that was lost with its connection is an error, not an anonymous request", () => {
    const socket = { getPeerCertificate: () => null } as unknown as TLSSocket;
    expect(readClientCertificate(socket, { clients: new Authorities(clients.authority) })?.problem).toBe(
      "the connection is closed",
    );
  });

  it("is verified without the intermediate certificates if Node.js does not provide them", () => {
    const between = clients.issue("between", 20, undefined, "authority");
    const { certificate } = clients.issue("dora", 60, between);
    const { raw, fingerprint256, validTo } = certificate;
    const peer = { raw, fingerprint256, valid_to: validTo, subject: { CN: "dora" } };
    const socket = { authorized: true, getPeerCertificate: () => peer } as unknown as TLSSocket;
    const authorities = { clients: new Authorities(clients.authority) };
    const until = certificate.validToDate.getTime();
    expect(readClientCertificate(socket, authorities)).toMatchObject({ commonName: "dora", validity: { until } });
    const told = { ...peer, issuerCertificate: between.certificate.toLegacyObject() };
    const telling = { authorized: true, getPeerCertificate: () => told } as unknown as TLSSocket;
    const earlier = between.certificate.validToDate.getTime();
    expect(readClientCertificate(telling, authorities)?.validity?.until).toBe(earlier);
    const both = { ...authorities, frontProxies: new Authorities(proxies.authority) };
    expect(readClientCertificate(socket, both)?.problem).toBe("signed by unknown authority");
    expect(readClientCertificate(telling, both)).toMatchObject({ validity: { until: earlier } });
  });
});

describe("the validity of a certificate chain", () => {
  it("is the time in which all of its certificates are valid, for the chain that is valid longest", () => {
    const between = clients.issue("between", 20, undefined, "authority");
    const leaf = clients.issue("leaf", 60, between).certificate;
    const validity = new Authorities(clients.authority).validityOf([leaf, between.certificate]);
    expect(validity?.until).toBe(between.certificate.validToDate.getTime());
    expect(new Authorities(clients.authority).validityOf([leaf])).toBeUndefined();
    expect(new Authorities(proxies.authority).validityOf([leaf, between.certificate])).toBeUndefined();
    const impostor = clients.issue("impostor", 60);
    const below = clients.issue("below", 60, impostor).certificate;
    expect(new Authorities(clients.authority).validityOf([below, impostor.certificate])).toBeUndefined();
  });
});
