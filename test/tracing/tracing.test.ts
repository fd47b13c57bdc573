import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { type OpenSpan, withSpan } from "../../runtime/lib/trace-context.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { availability, register, startExtension } from "../aggregation/extension-server.ts";
import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { type CollectedSpan, startTraceCollector, type TraceCollector } from "../fixtures/trace-collector.ts";
import { FakeEtcd } from "../tools/fake-etcd.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-tracing-"));
const file = (name: string, contents: object): string => {
  writeFileSync(join(directory, name), stringify(contents));
  return join(directory, name);
};
const configuration = (fields: object) =>
  file("tracing.yaml", { apiVersion: "apiserver.config.k8s.io/v1beta1", kind: "TracingConfiguration", ...fields });

afterAll(() => rmSync(directory, { recursive: true }));

describe("traces of requests", () => {
  const seen: IncomingHttpHeaders[] = [];
  let collector: TraceCollector;
  let hook: HttpsServer;
  let plane: Plane;
  let call: ReturnType<typeof createClient>;

  beforeAll(async () => {
    collector = await startTraceCollector();
    hook = await startHttps((request, response) => {
      seen.push(request.headers);
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { request: review, ...kind } = JSON.parse(Buffer.concat(chunks).toString());
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ ...kind, response: { uid: review.uid, allowed: true } }));
      });
    });
    plane = await startPlane({
      flags: {
        controllers: "false",
        "tracing-config-file": configuration({ endpoint: `127.0.0.1:${collector.port}` }),
      },
    });
    call = createClient(plane);
    await plane.ready;
    await call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      body: {
        metadata: { name: "hook" },
        webhooks: [
          {
            name: "hook.example.com",
            clientConfig: { url: hook.url, caBundle: Buffer.from(hook.authority).toString("base64") },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      },
    });
  });

  afterAll(async () => {
    await plane?.stop();
    await hook?.close();
    collector?.close();
  });

  const trace = "0af7651916cd43dd8448eb211c80319c";
  const parent = "b7ad6b7169203331";
  const send = (name: string, flags: string) =>
    call("POST", "/api/v1/namespaces/default/configmaps", {
      body: { metadata: { name } },
      headers: { traceparent: `00-${trace}-${parent}-${flags}` },
    });
  const named = (name: string): CollectedSpan => {
    const found = collector.spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no span ${name} among ${collector.spans.map((span) => span.name)}`);
    return found;
  };

  it("continue a sampled trace of an administrator down to webhooks and the store, with the names of Kubernetes", async () => {
    await expect
      .poll(async () => {
        await send(`a-${seen.length}-${Date.now()}`, "01");
        return seen.length;
      })
      .toBeGreaterThan(0);
    const root = "POST /api/v1/namespaces/{:namespace}/configmaps";
    await expect.poll(() => collector.spans.map(({ name }) => name)).toContain("Call validating webhook");
    await expect.poll(() => collector.spans.map(({ name }) => name)).toContain(root);
    const parentOf = (span: CollectedSpan | undefined) => collector.spans.find(({ id }) => id === span?.parent);
    const plugin = parentOf(named("Call validating webhook"));
    expect(plugin?.name).toBe("Validate ValidatingAdmissionWebhook");
    const request = parentOf(parentOf(plugin));
    expect(request).toMatchObject({ name: root, parent, trace, service: "apiserver" });
    for (const name of ["authentication", "authorization", "Create", "SerializeObject"])
      expect(collector.spans.filter((span) => span.parent === request?.id).map((span) => span.name)).toContain(name);
    const create = collector.spans.find((span) => span.name === "Create" && span.parent === request?.id);
    const parts = collector.spans.filter((span) => span.parent === create?.id).map((span) => span.name);
    for (const name of ["Create etcd3", "Admit MutatingAdmissionWebhook", "Validate ResourceQuota"])
      expect(parts).toContain(name);
    expect(seen.map(({ traceparent }) => traceparent)).toContain(
      `00-${trace}-${named("Call validating webhook").id}-01`,
    );
  });

  it("have spans for reads of the watch cache, within those of the verb", async () => {
    const headers = { traceparent: `00-${"2".repeat(32)}-${parent}-01` };
    await call("GET", "/api/v1/namespaces/default/configmaps/kube-root-ca.crt", { headers });
    await call("GET", "/api/v1/namespaces/default/configmaps", { headers });
    const verbs = () => {
      const spans = collector.spans.filter((span) => span.trace === "2".repeat(32));
      return ["cacher.Get", "cacher.GetList"].map((name) => {
        const read = spans.find((span) => span.name === name);
        return spans.find(({ id }) => id === read?.parent)?.name;
      });
    };
    await expect.poll(verbs, { timeout: 60_000 }).toEqual(["Get", "List"]);
  });

  it("continue in extension servers: the header of the client is replaced by the span of this server", async () => {
    const extension = await startExtension((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
    try {
      await availability(call, await register(call, extension), "Passed");
      await call("GET", "/apis/echo.example.com/v1/things", {
        headers: { traceparent: `00-${"3".repeat(32)}-${parent}-01` },
      });
      const { traceparent } = extension.seen[0]?.headers ?? {};
      expect(traceparent).toMatch(new RegExp(`^00-${"3".repeat(32)}-[0-9a-f]{16}-01$`));
      expect(traceparent).not.toContain(parent);
    } finally {
      await extension.close();
    }
  });

  it("are not exported for a trace that is not sampled, whose context is passed on all the same", async () => {
    const before = seen.length;
    await send("unsampled", "00");
    expect(seen[before]?.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  });

  it("do not let an anonymous client decide that it is traced", async () => {
    const before = collector.spans.length;
    const { status } = await call("GET", "/version", {
      anonymous: true,
      headers: { traceparent: `00-${"1".repeat(32)}-${parent}-01` },
    });
    expect(status).toBe(200);
    await send("last", "01");
    await expect.poll(() => collector.spans.length).toBeGreaterThan(before);
    expect(collector.spans.filter((span) => span.trace === "1".repeat(32))).toEqual([]);
  });
});

it("requests to etcd carry the context of the span that needs them, and none outside of a trace", async () => {
  const etcd = await FakeEtcd.start(5);
  const store = await EtcdStore.connect({ endpoints: [etcd.endpoint] });
  try {
    await store.get("/registry/a");
    expect(etcd.traces.at(-1)).toBeUndefined();
    const traceparent = `00-${"4".repeat(32)}-${"5".repeat(16)}-01`;
    const span: OpenSpan = { traceparent, child: () => span, fail: () => undefined, end: () => undefined };
    await withSpan(span, () => store.get("/registry/a"));
    expect(etcd.traces.at(-1)).toBe(traceparent);
  } finally {
    await store.close();
    etcd.stop();
  }
});

describe("a TracingConfiguration that is wrong", () => {
  const problemOf = (fields: object, flags: Record<string, string> = {}) =>
    startPlane({ listen: false, flags: { "tracing-config-file": configuration(fields), ...flags } }).then(
      async (plane) => {
        await plane.stop();
        return "";
      },
      (error: Error) => error.message,
    );

  it.each<[object, string]>([
    [{ samplingRatePerMillion: -1 }, "samplingRatePerMillion: Invalid value: -1: sampling rate must be positive"],
    [
      { samplingRatePerMillion: 1000001 },
      "samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million",
    ],
    [
      { endpoint: "https://localhost:4317" },
      "unsupported scheme: https.  Options are none, dns, unix, or unix-abstract.",
    ],
  ])("is refused: %j", async (fields, message) => {
    expect(await problemOf(fields)).toContain(message);
  });

  it("is refused while the gate APIServerTracing is off", async () => {
    expect(await problemOf({}, { "feature-gates": "APIServerTracing=false" })).toBe(
      "APIServerTracing feature is not enabled, but tracing config file was provided",
    );
  });
});
