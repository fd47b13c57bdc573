import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority, type TestCertificate } from "../fixtures/certificates.ts";
import { replaceFile } from "../fixtures/replace-file.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-renewed-"));
const file = (name: string): string => join(directory, name);
const authority = createAuthority();
/** Its certificates expire half an hour after the others. */
const laterAuthority = createAuthority("later", Date.now() + 1_800_000);
const clients = createAuthority("clients");
const EXPIRY = /^typeplane_certificate_expiration_timestamp_seconds\{certificate="serving"\} (\S+)$/m;
const issue = () => authority.issue("server", "server", { names: ["localhost"] });

describe("a server with --tls-cert-file", () => {
  let plane: Plane;
  let current = issue();

  beforeAll(async () => {
    replaceFile(file("tls.crt"), current.cert);
    replaceFile(file("tls.key"), current.key);
    replaceFile(file("clients.crt"), clients.authority);
    const flags = {
      "tls-cert-file": file("tls.crt"),
      "tls-private-key-file": file("tls.key"),
      "client-ca-file": file("clients.crt"),
      controllers: "false",
    };
    plane = await startPlane({ flags });
    await plane.ready;
  });
  afterAll(async () => {
    await plane?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const target = () => ({ host: "127.0.0.1", port: Number(new URL(plane.client.server).port) });
  const trusting = { ca: [authority.authority, laterAuthority.authority], servername: "localhost" };

  async function shake(): Promise<{ serial: string; protocol: string | false | null }> {
    const socket = connect({ ...target(), ...trusting, ALPNProtocols: ["h2", "http/1.1"] });
    await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
    const { alpnProtocol: protocol } = socket;
    const serial = socket.getPeerX509Certificate()?.serialNumber ?? "";
    socket.destroy();
    return { serial, protocol };
  }

  async function untilServed({ cert }: TestCertificate): Promise<void> {
    const { serialNumber } = new X509Certificate(cert);
    while ((await shake()).serial !== serialNumber) await setTimeout(50);
  }

  function get(path: string, credentials: Partial<TestCertificate> & { readonly headers?: OutgoingHttpHeaders }) {
    return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const options = { ...target(), ...trusting, ...credentials, path, agent: false as const };
      request(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => resolve({ status: response.statusCode, text }));
      })
        .on("error", reject)
        .end();
    });
  }

  it("serves the certificate that replaces it, with the same protocols and authorities of clients", async () => {
    expect((await shake()).serial).toBe(new X509Certificate(current.cert).serialNumber);
    const jane = clients.issue("jane", "client");
    expect((await get("/api", jane)).status).toBe(200);
    current = issue();
    replaceFile(file("tls.crt"), current.cert);
    replaceFile(file("tls.key"), current.key);
    await untilServed(current);
    expect((await shake()).protocol).toBe("h2");
    expect((await get("/api", jane)).status).toBe(200);
    expect((await get("/api", authority.issue("jane", "client"))).status).toBe(401);
  });

  it("keeps its certificate while the key of the new one is missing", async () => {
    const { serial } = await shake();
    const next = issue();
    replaceFile(file("tls.crt"), next.cert);
    await setTimeout(1500);
    expect((await shake()).serial).toBe(serial);
    replaceFile(file("tls.key"), next.key);
    await untilServed(next);
  });

  it("tells when the new certificate expires", async () => {
    const metrics = async (): Promise<number> => {
      const page = await get("/metrics", { headers: { Authorization: `Bearer ${plane.client.token}` } });
      return Number(EXPIRY.exec(page.text)?.[1]);
    };
    const before = await metrics();
    const later = laterAuthority.issue("server", "server", {
      names: ["localhost"],
    });
    replaceFile(file("tls.crt"), later.cert);
    replaceFile(file("tls.key"), later.key);
    const expires = new X509Certificate(later.cert).validToDate.getTime() / 1000;
    expect(expires).not.toBe(before);
    while ((await metrics()) !== expires) await setTimeout(50);
  });
});
