/**
 * Serves pods over TLS like an API server, at a fraction of the cost: `pod-server.ts PODS EVENTS_PER_SECOND`. Supports lists in pages and
 * streaming lists. After `POST /begin`, sends changes at a steady rate. Prints its kubeconfig.
 */

import { generateKeyPairSync } from "node:crypto";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate } from "../../runtime/auth/pki/issue-certificate.ts";
import { podJson } from "./pod-json.ts";

const pods = Number(process.argv[2]);
const perSecond = Number(process.argv[3]);
const TICK_MS = 10;

const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
const life = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 86_400_000) };
const authority = issueCertificate(
  { commonName: "bench", publicKey: keys.publicKey, use: "authority", ...life },
  keys.privateKey,
);
const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
const certificate = issueCertificate(
  { commonName: "127.0.0.1", publicKey: own.publicKey, use: "server", names: ["127.0.0.1"], ...life },
  { certificate: authority, key: keys.privateKey },
);

const watchers = new Set<ServerResponse>();
let version = pods;
let next = 0;
let begun = false;

const frame = (type: string, object: string): string => `{"type":"${type}","object":${object}}\n`;
const bookmark = (annotations: object): string =>
  frame(
    "BOOKMARK",
    JSON.stringify({ kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: String(version), annotations } }),
  );

function list(response: ServerResponse, query: URLSearchParams): void {
  const from = Number(query.get("continue") ?? 0);
  const to = Math.min(pods, from + Number(query.get("limit") ?? pods));
  const rest = to < pods ? `,"continue":"${to}"` : "";
  response.write(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"${version}"${rest}},"items":[`);
  // Entries of lists have no kind and no apiVersion.
  for (let index = from; index < to; index++)
    response.write(
      (index > from ? "," : "") + podJson(index, index + 1).replace('"apiVersion":"v1","kind":"Pod",', ""),
    );
  response.end("]}");
}

function watch(response: ServerResponse, query: URLSearchParams): void {
  if (query.get("sendInitialEvents") === "true") {
    for (let index = 0; index < pods; index++) response.write(frame("ADDED", podJson(index, index + 1)));
    response.write(bookmark({ "k8s.io/initial-events-end": "true" }));
  }
  response.flushHeaders();
  watchers.add(response);
  response.on("close", () => watchers.delete(response));
}

setInterval(() => {
  if (!begun) return;
  let text = "";
  for (let count = 0; count < (perSecond * TICK_MS) / 1000; count++) {
    text += frame("MODIFIED", podJson(next, ++version));
    next = (next + 1) % pods;
  }
  for (const watcher of watchers) watcher.write(text);
}, TICK_MS);

const server = createServer(
  { cert: certificate.toString(), key: own.privateKey.export({ type: "pkcs8", format: "pem" }) },
  (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "https://bench");
    response.setHeader("Content-Type", "application/json");
    if (request.method === "POST") {
      begun = request.url === "/begin";
      response.end("{}");
    } else if (searchParams.get("watch") === "true") watch(response, searchParams);
    else list(response, searchParams);
  },
);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  const kubeconfig = {
    clusters: [
      {
        name: "bench",
        cluster: {
          server: `https://127.0.0.1:${port}`,
          "certificate-authority-data": Buffer.from(authority.toString()).toString("base64"),
        },
      },
    ],
    users: [{ name: "bench", user: { token: "bench" } }],
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    "current-context": "bench",
  };
  process.stdout.write(`${JSON.stringify(kubeconfig)}\n`);
});
