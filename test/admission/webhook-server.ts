import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import type { Parsed } from "../fixtures/plane-client.ts";

/** Longer than any client keeps an idle connection. A server that closes it first may reset a request that is being sent. */
const KEEP_ALIVE_MS = 120_000;

export interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: Parsed;
}

/** What a handler returns: the response of a review, or another body. */
export type Reply = object | { readonly raw: string; readonly status?: number } | "silence";

export interface WebhookServer {
  readonly url: string;
  readonly port: number;
  /** CA bundle as in webhook configurations. */
  readonly caBundle: string;
  /** All received requests with their paths. */
  readonly asked: (Review & { readonly path: string })[];
  /** Handlers by path. */
  readonly replies: Record<string, (review: Review) => Reply>;
  close(): Promise<void>;
}

/** Starts a webhook server on loopback, with a certificate of its own authority. */
export async function startWebhookServer(): Promise<WebhookServer> {
  const directory = mkdtempSync(join(tmpdir(), "webhook-"));
  const names = ["127.0.0.1", "hooks.default.svc"];
  const identity = ensureClusterIdentity({ directory, names, vendor: "kubernetes", now: () => new Date() });
  const asked: WebhookServer["asked"] = [];
  const replies: WebhookServer["replies"] = {};
  const { certificatePem: cert, keyPem: key } = identity.serving;
  const server = createServer({ cert, key, keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
      asked.push({ ...review, path: incoming.url ?? "" });
      const reply = replies[incoming.url?.split("?")[0] ?? ""]?.(review) ?? { allowed: true };
      if (reply === "silence") return;
      outgoing.setHeader("Content-Type", "application/json");
      if ("raw" in reply) {
        outgoing.statusCode = (reply as { status?: number }).status ?? 200;
        outgoing.end(reply.raw);
        return;
      }
      const { kind, apiVersion, request } = review;
      outgoing.end(JSON.stringify({ kind, apiVersion, response: { uid: request.uid, ...reply } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(identity.authorityPem).toString("base64"),
    asked,
    replies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}
