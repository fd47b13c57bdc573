import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";

/** Starts a webhook that holds reviews until it is told to respond, so that the reviewed requests stay in flight. */
export async function startHoldingWebhook() {
  let waiting: (() => void)[] = [];
  const server: HttpsServer = await startHttps((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const { apiVersion, kind, request } = JSON.parse(Buffer.concat(chunks).toString());
      waiting.push(() => {
        res.setHeader("Content-Type", "application/json");
        res.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true } }));
      });
    });
  });
  return {
    /** Configuration that reviews ConfigMaps of the namespace `held`. */
    configuration: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "holds-config-maps" },
      webhooks: [
        {
          name: "holds.example.com",
          clientConfig: { url: `${server.url}/review`, caBundle: Buffer.from(server.authority).toString("base64") },
          rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "held" } },
          sideEffects: "None",
          timeoutSeconds: 30,
          admissionReviewVersions: ["v1"],
        },
      ],
    },
    get held(): number {
      return waiting.length;
    },
    /** Responds to all held reviews. */
    letGo(): void {
      const held = waiting;
      waiting = [];
      for (const answer of held) answer();
    },
    close: () => server.close(),
  };
}
