import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startPlane } from "../../../runtime/plane.ts";
import { createAuthority } from "../../fixtures/certificates.ts";

describe("a certificate for servers", () => {
  it("does not authenticate a client, whatever name it has (CVE-2016-7075)", async () => {
    const { authority, issue } = createAuthority("clients");
    const directory = mkdtempSync(join(tmpdir(), "typeplane-cves-"));
    writeFileSync(join(directory, "ca.crt"), authority);
    const other = await startPlane({
      flags: { controllers: "false", "client-ca-file": join(directory, "ca.crt"), "anonymous-auth": "false" },
    });
    try {
      const ask = (use: "server" | "client") =>
        new Promise<number>((resolve, reject) => {
          const { server, certificateAuthority: ca } = other.client;
          const certificate = issue("admin", use, { organizations: ["system:masters"] });
          request(`${server}/api`, { ca, agent: false, ...certificate }, (incoming) => {
            incoming.resume();
            resolve(incoming.statusCode ?? 0);
          })
            .on("error", reject)
            .end();
        });
      expect(await ask("client")).toBe(200);
      expect(await ask("server").catch(() => 401)).toBe(401);
    } finally {
      await other.stop();
      rmSync(directory, { recursive: true });
    }
  });
});
