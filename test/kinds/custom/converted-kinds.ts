import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Reply, type Review, startWebhookServer, type WebhookServer } from "../../admission/webhook-server.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { definitionWith } from "./definitions.ts";

const version = (name: string, properties: object, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties },
        status: { type: "object", properties: { phase: { type: "string" } } },
      },
    },
  },
  subresources: { status: {} },
  additionalPrinterColumns: [{ name: name === "v1" ? "Full" : "First", type: "string", jsonPath: FULL[name] }],
});

const FULL: Record<string, string> = { v1: ".spec.fullName", v2: ".spec.first" };
const TEXT = { type: "string" };

export function convertOne(object: Parsed, apiVersion: string): Parsed {
  if (object.apiVersion === apiVersion) throw new Error("asked to convert to the same version");
  const { fullName, first, last, ...spec } = object.spec ?? {};
  const names = apiVersion.endsWith("v2")
    ? { first: fullName?.split(" ")[0], last: fullName?.split(" ")[1] }
    : { fullName: `${first} ${last}` };
  return { ...object, apiVersion, spec: { ...spec, ...names } };
}

export const succeed = (convertedObjects: Parsed[]): Reply => ({ convertedObjects, result: { status: "Success" } });

export const convertAll = ({ request }: Review): Reply =>
  succeed(request.objects.map((object: Parsed) => convertOne(object, request.desiredAPIVersion)));

export const path = (apiVersion: string, plural: string, name = "") =>
  `/apis/example.com/${apiVersion}/namespaces/default/${plural}${name && `/${name}`}`;

export const v1 = (kind: string, name: string, fullName = "Ada Lovelace") => ({
  apiVersion: "example.com/v1",
  kind,
  metadata: { name },
  spec: { fullName, age: 36 },
});
export const v2 = (kind: string, name: string, first = "Ada", last = "Lovelace") => ({
  apiVersion: "example.com/v2",
  kind,
  metadata: { name },
  spec: { first, last, age: 36 },
});

/** Starts a plane for the tests of a file, and a server of conversion webhooks, which converts all objects unless a test replaces `/convert`. */
export function serveConversions() {
  /** Some kinds are encrypted, to check that conversion and encryption work together. */
  const directory = mkdtempSync(join(tmpdir(), "conversion-webhooks-"));
  const encryption = join(directory, "encryption.json");
  writeFileSync(
    encryption,
    JSON.stringify({
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "EncryptionConfiguration",
      resources: [
        {
          resources: ["owners.example.com", "moves.example.com"],
          providers: [{ secretbox: { keys: [{ name: "one", secret: Buffer.alloc(32, 7).toString("base64") }] } }],
        },
      ],
    }),
  );
  const { call } = servePlane({ controllers: "true", "encryption-provider-config": encryption });
  let hooks: WebhookServer;

  beforeAll(async () => {
    hooks = await startWebhookServer();
  });

  afterAll(async () => {
    await hooks.close();
    rmSync(directory, { recursive: true });
  });

  beforeEach(() => {
    hooks.asked.length = 0;
    hooks.replies["/convert"] = convertAll;
  });

  /** v1 has `spec.fullName`, which v2 splits into `spec.first` and `spec.last`. */
  const definition = (plural: string, kind: string, webhook: object = {}, stored = "v1") => {
    const versions = [
      version("v1", { fullName: TEXT, age: { type: "integer" } }, stored === "v1"),
      version("v2", { first: TEXT, last: TEXT, age: { type: "integer" } }, stored === "v2"),
    ];
    const clientConfig = { url: `${hooks.url}/convert`, caBundle: hooks.caBundle };
    const asked = { clientConfig, conversionReviewVersions: ["v1"], ...webhook };
    return definitionWith(plural, kind, versions, { conversion: { strategy: "Webhook", webhook: asked } });
  };

  /** Returns the reviews of one kind. Caches of other kinds may be loading at the same time. */
  const askedFor = (kind: string) => hooks.asked.filter(({ request }) => request.objects?.[0]?.kind === kind);

  return { call, hooks: () => hooks, definition, askedFor };
}
