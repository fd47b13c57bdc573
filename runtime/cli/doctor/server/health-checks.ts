import { X509Certificate } from "node:crypto";
import { type Check, type Finding, NotApplicable } from "../check.ts";
import { expiryFindings } from "../thresholds.ts";
import type { ServerView } from "./server-view.ts";

const SKEW_WARNING_MS = 5_000;
const SKEW_ERROR_MS = 60_000;

const readiness: Check<ServerView> = {
  name: "readiness",
  looksAt: "the checks of `/readyz` that fail",
  async run(server) {
    const { status, text } = await server.text("/readyz?verbose");
    if (status === 200) return [];
    const failing = [...text.matchAll(/^\[-\](\S+)/gm)].map(([, name]) => name);
    return [
      {
        severity: "error",
        finding:
          failing.length > 0
            ? `The server is not ready: ${failing.join(", ")} failed.`
            : `The server is not ready: /readyz responds with ${status}.`,
        advice: failing.some((name) => name?.startsWith("etcd"))
          ? "The store does not respond: docs/operations/store-errors.md."
          : "The log of the server has the reason; a server that starts or stops is not ready for a short time.",
      },
    ];
  },
};

const clock: Check<ServerView> = {
  name: "clock",
  looksAt: "the clock of the server, compared with the one here",
  async run(server) {
    const before = server.now().getTime();
    const time = await server.serverTime();
    if (time === undefined) throw new NotApplicable("the server sends no Date header");
    // The header contains whole seconds, and the response took some time.
    const skew = time.getTime() + 500 - (before + server.now().getTime()) / 2;
    if (Math.abs(skew) < SKEW_WARNING_MS) return [];
    const seconds = Math.round(Math.abs(skew) / 1000);
    return [
      {
        severity: Math.abs(skew) < SKEW_ERROR_MS ? "warning" : "error",
        finding: `The clock of the server is ${seconds} seconds ${skew > 0 ? "ahead of" : "behind"} the clock of this machine.`,
        advice: "Synchronize both with NTP: tokens, certificates and leases are rejected or expire at the wrong time.",
      },
    ];
  },
};

const RENEWALS: { readonly [certificate: string]: string } = {
  serving: "Restart the server if it made the certificate itself, or renew the file of --tls-cert-file",
  ca: "Restart the server, which makes a new CA, and give clients the new kubeconfig",
  "front-proxy-client": "Restart the server, which renews it",
};

const certificates: Check<ServerView> = {
  name: "certificates",
  looksAt: "when certificates of the server and of the kubeconfig expire",
  async run(server) {
    const now = server.now().getTime();
    const findings: Finding[] = [];
    const shown = await server.servingCertificate();
    if (shown !== undefined) {
      const advice = `${RENEWALS.serving}: docs/operations/certificate-expiring.md.`;
      findings.push(...expiryFindings("that the server shows", shown.validToDate.getTime(), now, advice));
    }
    const { authority, client } = server.kubeconfigCertificates();
    const renew = "Get a new kubeconfig; a server renews the one of --kubeconfig-out when it is restarted.";
    for (const [name, pem] of [
      ["authority of the kubeconfig", authority],
      ["of the client in the kubeconfig", client],
    ] as const) {
      if (pem !== undefined)
        findings.push(...expiryFindings(name, new X509Certificate(pem).validToDate.getTime(), now, renew));
    }
    const metrics = await server.metrics().catch(() => undefined);
    for (const { labels, value } of metrics?.of("typeplane_certificate_expiration_timestamp_seconds") ?? []) {
      const { certificate = "" } = labels;
      if (certificate === "serving" && shown !== undefined) continue;
      const how = RENEWALS[certificate] ?? "Renew it where it was issued, and restart the server";
      const advice = `${how}: docs/operations/certificate-expiring.md.`;
      findings.push(...expiryFindings(`${certificate} of the server`, value * 1000, now, advice));
    }
    return findings;
  },
};

export const HEALTH_CHECKS: readonly Check<ServerView>[] = [readiness, clock, certificates];
