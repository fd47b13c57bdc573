import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { exchange } from "../../runtime/outbound/exchange.ts";
import { TrustingAgent } from "../../runtime/outbound/trusting-agent.ts";
import { createAuthority, type TestCertificate } from "../fixtures/certificates.ts";
import { namelessCertificates } from "../fixtures/nameless-certificates.ts";

const NAME = "hooks.example.com";
const authority = createAuthority();
const issued = authority.issue("hooks", "server", { names: [NAME] });

/** Returns the status of a request to a server with that certificate, or the error about the certificate. */
async function ask({ cert, key }: TestCertificate, ca: string, servername = NAME): Promise<number | string> {
  const server = createServer({ cert, key }, (_, outgoing) => outgoing.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const url = new URL(`https://127.0.0.1:${port}/`);
    const { status } = await exchange({
      url,
      method: "GET",
      tls: { ca, servername },
      timeoutMs: 20_000,
      maxBytes: 100,
    });
    return status;
  } catch (error) {
    return ((error as Error).cause as { code?: string }).code ?? String(error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("a server is trusted as Go trusts it", () => {
  it("if its certificate was issued by a given authority", async () => {
    expect(await ask(issued, authority.authority)).toBe(200);
  });

  it("if its own certificate, which is no authority's, is given", async () => {
    expect(await ask(issued, issued.cert)).toBe(200);
  });

  it("if certificate and authority have no subject and no key identifiers", async () => {
    const nameless = namelessCertificates(NAME);
    expect(await ask(nameless, nameless.authority)).toBe(200);
  });

  it("if its certificate is for the address that it is configured to have instead of a name", async () => {
    const addressed = authority.issue("hooks", "server", { names: ["192.0.2.7"] });
    expect(await ask(addressed, authority.authority, "192.0.2.7")).toBe(200);
    expect(await ask(addressed, authority.authority, "192.0.2.8")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await ask(issued, authority.authority, "127.0.0.1")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  });

  it("and not if another authority without a name has issued it", async () => {
    const nameless = namelessCertificates(NAME);
    expect(await ask(nameless, namelessCertificates(NAME).authority)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(await ask(nameless, authority.authority)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  });

  it("and not if the certificate is for another host", async () => {
    const nameless = namelessCertificates("other.example.com");
    expect(await ask(nameless, nameless.authority)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await ask(issued, issued.cert, "other.example.com")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  });

  it("and not if the certificate was issued by another authority", async () => {
    expect(await ask(issued, createAuthority("other").authority)).toBe("UNABLE_TO_GET_ISSUER_CERT_LOCALLY");
  });
});

describe("a connection that is kept for the next request", () => {
  it("stays open while the server takes longer to answer than an idle connection is kept", async () => {
    let connections = 0;
    const server = createServer(issued, ({ url }, outgoing) => {
      setTimeout(() => outgoing.end("{}"), url === "/slow" ? 300 : 0);
    });
    server.on("secureConnection", () => connections++);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const agent = new TrustingAgent({ keepAlive: true, timeout: 50 });
    const tls = { ca: authority.authority, servername: NAME };
    for (const path of ["fast", "slow"]) {
      const url = new URL(`https://127.0.0.1:${port}/${path}`);
      const { status } = await exchange({ url, method: "GET", tls, agent, timeoutMs: 20_000, maxBytes: 100 });
      expect(status).toBe(200);
    }
    expect(connections).toBe(1);
    agent.destroy();
    server.close();
  });
});
