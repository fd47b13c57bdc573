import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { formatKubeconfig } from "../../runtime/auth/pki/kubeconfig.ts";
import { servingNames } from "../../runtime/auth/pki/serving-names.ts";
import { ensureSigningKey } from "../../runtime/auth/pki/signing-key.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "identity-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const names = servingNames({ vendor: "kubernetes", serviceAddresses: ["10.0.0.1", "fd00::1"] });
const ensure = (now = new Date("2026-06-01T00:00:00Z"), extra: string[] = []) =>
  ensureClusterIdentity({ directory, names: [...names, ...extra], vendor: "kubernetes", now: () => now });

function openssl(...args: string[]): string | undefined {
  try {
    return execFileSync("openssl", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

describe("the cluster's identity", () => {
  it("is issued when it is read, and once, if it is kept in memory", () => {
    let issued = 0;
    const now = (): Date => {
      issued += 1;
      return new Date();
    };
    const identity = ensureClusterIdentity({ directory: undefined, names, vendor: "kubernetes", now });
    const authorities = issued;
    expect(new X509Certificate(identity.admin.certificatePem).subject).toContain("kubernetes-admin");
    expect(issued).toBeGreaterThan(authorities);
    const all = issued;
    expect(createPrivateKey(identity.admin.keyPem).asymmetricKeyType).toBe("ec");
    expect({ ...identity.admin }).toEqual({
      certificatePem: identity.admin.certificatePem,
      keyPem: identity.admin.keyPem,
    });
    expect(issued).toBe(all);
    const certificate = new X509Certificate(identity.admin.certificatePem);
    expect(certificate.checkPrivateKey(createPrivateKey(identity.admin.keyPem))).toBe(true);
    expect(certificate.verify(new X509Certificate(identity.authorityPem).publicKey)).toBe(true);
  });

  it("is created at the first start, in files that only their owner can read", () => {
    ensure();
    for (const file of ["ca", "apiserver", "admin"]) {
      expect(statSync(join(directory, `${file}.key`)).mode & 0o777).toBe(0o600);
      expect(createPrivateKey(`${execFileSync("cat", [join(directory, `${file}.key`)])}`).asymmetricKeyType).toBe("ec");
    }
  });

  it("uses a serving certificate of another authority that it finds, and does not overwrite it", () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "identity-other-"));
    const now = new Date("2026-06-01T00:00:00Z");
    const other = ensureClusterIdentity({ directory: elsewhere, names, vendor: "acme", now: () => now });
    rmSync(elsewhere, { recursive: true });
    // Line ends and comments of the files are kept, too.
    const certificate = `# issued by hand\n${other.serving.certificatePem}${other.authorityPem}`;
    writeFileSync(join(directory, "apiserver.crt"), certificate);
    writeFileSync(join(directory, "apiserver.key"), other.serving.keyPem);
    for (const { serving, serverTrustPem, authorityPem } of [ensure(now), ensure(now)]) {
      expect(serving).toEqual({ certificatePem: certificate, keyPem: other.serving.keyPem });
      expect(serverTrustPem).toBe(authorityPem + certificate);
    }
    expect(readFileSync(join(directory, "apiserver.crt"), "utf8")).toBe(certificate);
  });

  it("is accepted by openssl: chain, purposes, names", (context) => {
    ensure(new Date());
    const ca = join(directory, "ca.crt");
    if (openssl("version") === undefined) return context.skip("no openssl here");
    expect(
      openssl("verify", "-x509_strict", "-CAfile", ca, "-purpose", "sslserver", join(directory, "apiserver.crt")),
    ).toMatch(/OK/);
    expect(
      openssl("verify", "-x509_strict", "-CAfile", ca, "-purpose", "sslclient", join(directory, "admin.crt")),
    ).toMatch(/OK/);
    const text = openssl("x509", "-in", join(directory, "apiserver.crt"), "-noout", "-text") ?? "";
    expect(text).toMatch(/DNS:kubernetes\.default\.svc\.cluster\.local/);
    expect(text).toMatch(/IP Address:10\.0\.0\.1/);
    expect(text).toMatch(/IP Address:FD00:0:0:0:0:0:0:1/);
    expect(openssl("x509", "-in", join(directory, "admin.crt"), "-noout", "-subject")).toMatch(
      /O ?= ?system:masters, CN ?= ?kubernetes-admin/,
    );
  });

  it("supports a TLS handshake with mutual authentication", async () => {
    const identity = ensure(new Date());
    const server = createServer({
      ca: identity.authorityPem,
      cert: identity.serving.certificatePem,
      key: identity.serving.keyPem,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const peer = new Promise<string>((resolve) =>
      server.on("secureConnection", (socket: TLSSocket) => {
        resolve(`${socket.getPeerCertificate().subject.O}/${socket.getPeerCertificate().subject.CN}`);
        socket.end();
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const client = connect({
      port,
      host: "127.0.0.1",
      ca: identity.authorityPem,
      cert: identity.admin.certificatePem,
      key: identity.admin.keyPem,
    });
    await new Promise((resolve, reject) => client.on("secureConnect", resolve).on("error", reject));
    expect(await peer).toBe("system:masters/kubernetes-admin");
    client.destroy();
    server.close();
  });

  it("is reused while it is valid", () => {
    const first = ensure();
    expect(ensure(new Date("2026-12-01T00:00:00Z"))).toEqual(first);
  });

  it("is renewed by the same CA when it expires soon or a name is missing", () => {
    const first = ensure();
    const renewed = ensure(new Date("2027-05-15T00:00:00Z"));
    expect(renewed.authorityPem).toBe(first.authorityPem);
    expect(renewed.serving).not.toEqual(first.serving);
    expect(renewed.admin).not.toEqual(first.admin);
    const renamed = ensure(new Date("2027-05-15T00:00:00Z"), ["api.example.com"]);
    expect(renamed.serving).not.toEqual(renewed.serving);
    expect(renamed.admin).toEqual(renewed.admin);
    expect(new X509Certificate(renamed.serving.certificatePem).checkHost("api.example.com")).toBe("api.example.com");
  });

  it("creates new certificates if the CA certificate is missing", () => {
    const first = ensure();
    rmSync(join(directory, "ca.crt"));
    const second = ensure();
    expect(second.authorityPem).not.toBe(first.authorityPem);
    expect(second.serving).not.toEqual(first.serving);
  });

  it("signs with an existing RSA CA", { timeout: 60_000 }, (context) => {
    const [key, certificate] = [join(directory, "ca.key"), join(directory, "ca.crt")];
    if (openssl("version") === undefined) return context.skip("no openssl here");
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      key,
      "-out",
      certificate,
      "-days",
      "3650",
      "-subj",
      "/O=acme/CN=own ca",
    );
    ensure(new Date());
    expect(openssl("verify", "-CAfile", certificate, join(directory, "apiserver.crt"))).toMatch(/OK/);
  });

  it("is contained in the kubeconfig", () => {
    const identity = ensure();
    const config = parse(formatKubeconfig({ server: "https://127.0.0.1:6443", name: "typeplane", identity }));
    expect(config["current-context"]).toBe("typeplane");
    const user = config.users[0].user;
    expect(Buffer.from(user["client-key-data"], "base64").toString()).toBe(identity.admin.keyPem);
    expect(Buffer.from(config.clusters[0].cluster["certificate-authority-data"], "base64").toString()).toBe(
      identity.authorityPem,
    );
  });

  it("keeps its service account key, and uses an existing one", { timeout: 60_000 }, async () => {
    const key = await ensureSigningKey(directory);
    expect(key.asymmetricKeyType).toBe("rsa");
    expect((await ensureSigningKey(directory)).equals(key)).toBe(true);
    ensure();
    writeFileSync(join(directory, "sa.key"), execFileSync("cat", [join(directory, "ca.key")]));
    expect((await ensureSigningKey(directory)).asymmetricKeyType).toBe("ec");
  });
});
