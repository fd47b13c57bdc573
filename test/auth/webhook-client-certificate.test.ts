import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { WebhookClient } from "../../runtime/auth/webhook/webhook-client.ts";
import { connectionOfKubeconfig } from "../../runtime/auth/webhook/webhook-connection.ts";
import { systemClock } from "../../runtime/lib/clock.ts";
import type { TestCertificate } from "../fixtures/certificates.ts";
import { startHttps } from "../fixtures/https-server.ts";
import { replaceFile } from "../fixtures/replace-file.ts";

it("presents the client certificate that the files of a kubeconfig contain at the time", async () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-webhook-client-"));
  const file = (name: string): string => join(directory, name);
  const write = ({ cert, key }: TestCertificate) => {
    replaceFile(file("client.crt"), cert);
    replaceFile(file("client.key"), key);
  };
  const presented: (string | undefined)[] = [];
  const hook = await startHttps(
    (request: IncomingMessage, response) => {
      presented.push((request.socket as TLSSocket).getPeerX509Certificate()?.serialNumber);
      response.end("{}");
    },
    { requestCert: true },
  );
  write(hook.client);
  const connection = connectionOfKubeconfig(file("kubeconfig"), {
    "current-context": "main",
    contexts: [{ name: "main", context: { cluster: "hook", user: "server" } }],
    clusters: [
      {
        name: "hook",
        cluster: { server: hook.url, "certificate-authority-data": Buffer.from(hook.authority).toString("base64") },
      },
    ],
    users: [{ name: "server", user: { "client-certificate": "client.crt", "client-key": "client.key" } }],
  });
  const client = new WebhookClient(connection, { timeoutMs: 10_000, clock: systemClock, random: Math.random });
  try {
    await client.deliver("{}");
    const renewed = hook.issue("webhook-client", "client");
    write(renewed);
    // Files are read at most once per second.
    await setTimeout(1100);
    await client.deliver("{}");
    const serials = [hook.client, renewed].map(({ cert }) => new X509Certificate(cert).serialNumber);
    expect(presented).toEqual(serials);
  } finally {
    client.close();
    await hook.close();
    rmSync(directory, { recursive: true });
  }
});
