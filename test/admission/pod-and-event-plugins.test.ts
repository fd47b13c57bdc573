import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Toleration } from "../../api-definitions/core/v1/scheduling.ts";
import { areTolerationsAllowed, mergeTolerations } from "../../runtime/admission/tolerations.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";
import { createClient } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-plugins-"));
let plane: Plane;
let call: ReturnType<typeof createClient>;
let webhook: HttpsServer;
/** Only the first one is a name. */
const ANNOTATIONS = { seen: "yes", "other/seen": "no", "not seen": "no", "": "no" };
const reviews: { spec: { containers: { image: string }[]; annotations?: object; namespace: string } }[] = [];

beforeAll(async () => {
  webhook = await startHttps((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk) => {
      text += chunk;
    });
    incoming.on("end", () => {
      const review = JSON.parse(text);
      reviews.push(review);
      const images: string[] = review.spec.containers.map(({ image }: { image: string }) => image);
      if (images.includes("broken")) {
        outgoing.writeHead(400).end();
        return;
      }
      const allowed = !images.includes("bad");
      const reason = allowed ? undefined : "unsigned";
      outgoing.setHeader("Content-Type", "application/json");
      outgoing.end(JSON.stringify({ ...review, status: { allowed, reason, auditAnnotations: ANNOTATIONS } }));
    });
  });
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "w",
    contexts: [{ name: "w", context: { cluster: "w", user: "u" } }],
    clusters: [
      {
        name: "w",
        cluster: {
          server: webhook.url,
          "certificate-authority-data": Buffer.from(webhook.authority).toString("base64"),
        },
      },
    ],
    users: [{ name: "u", user: { token: "t" } }],
  };
  writeFileSync(join(directory, "webhook.kubeconfig"), JSON.stringify(kubeconfig));
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: [
      {
        name: "EventRateLimit",
        configuration: {
          apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
          kind: "Configuration",
          limits: [
            { type: "Namespace", qps: 1, burst: 3 },
            { type: "SourceAndObject", qps: 1, burst: 2, cacheSize: 10 },
          ],
        },
      },
      {
        name: "PodTolerationRestriction",
        configuration: {
          apiVersion: "podtolerationrestriction.admission.k8s.io/v1alpha1",
          kind: "Configuration",
          default: [{ key: "team", operator: "Exists" }],
          whitelist: [{ operator: "Exists" }],
        },
      },
      {
        name: "PodNodeSelector",
        configuration: {
          podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "pool=shared", limited: "pool=shared,disk=ssd" },
        },
      },
      { name: "ImagePolicyWebhook", configuration: { imagePolicy: { kubeConfigFile: "webhook.kubeconfig" } } },
    ],
  };
  writeFileSync(join(directory, "admission.json"), JSON.stringify(configuration));
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] };
  writeFileSync(join(directory, "policy.json"), JSON.stringify(policy));
  plane = await startPlane({
    flags: {
      controllers: "false",
      "admission-control-config-file": join(directory, "admission.json"),
      "enable-admission-plugins": "EventRateLimit,PodTolerationRestriction,PodNodeSelector,ImagePolicyWebhook",
      "disable-admission-plugins": "ServiceAccount,DefaultTolerationSeconds",
      "audit-policy-file": join(directory, "policy.json"),
      "audit-log-path": join(directory, "audit.log"),
    },
  });
  await plane.ready;
  call = createClient(plane);
  const scheduler = "scheduler.alpha.kubernetes.io";
  const namespaces = {
    plain: {},
    limited: {},
    dedicated: {
      [`${scheduler}/node-selector`]: "pool=dedicated",
      [`${scheduler}/defaultTolerations`]: '[{"key":"dedicated","operator":"Equal","value":"yes"}]',
      [`${scheduler}/tolerationsWhitelist`]: '[{"key":"dedicated","operator":"Exists"}]',
    },
    malformed: { [`${scheduler}/node-selector`]: "a=b=c" },
    untyped: { [`${scheduler}/defaultTolerations`]: '[{"key":{"a":1}}]' },
  };
  for (const [name, annotations] of Object.entries(namespaces)) {
    await call("POST", "/api/v1/namespaces", { body: { metadata: { name, annotations } } });
  }
});

afterAll(async () => {
  await plane.stop();
  await webhook.close();
  rmSync(directory, { recursive: true });
});

beforeEach(() => reviews.splice(0));

let count = 0;
const create = (namespace: string, spec: object = {}, metadata: object = {}) =>
  call("POST", `/api/v1/namespaces/${namespace}/pods`, {
    body: {
      metadata: { name: `p${count++}`, ...metadata },
      spec: { containers: [{ name: "c", image: `image${count}` }], ...spec },
    },
  });

describe("PodNodeSelector", () => {
  it("adds the node selector of the cluster, or that of the annotation of the namespace, to a new pod", async () => {
    expect((await create("plain", { nodeSelector: { zone: "a" } })).body.spec.nodeSelector).toEqual({
      pool: "shared",
      zone: "a",
    });
    expect((await create("dedicated")).body.spec.nodeSelector).toEqual({ pool: "dedicated" });
  });

  it("rejects a pod whose node selector contradicts that of its namespace", async () => {
    const refused = await create("dedicated", { nodeSelector: { pool: "shared" } });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining("pod node label selector conflicts with its namespace node label selector"),
    ]);
  });

  it("rejects node selectors that the configuration does not list for the namespace", async () => {
    expect((await create("limited", { nodeSelector: { disk: "ssd" } })).status).toBe(201);
    const refused = await create("limited", { nodeSelector: { zone: "a" } });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining("pod node label selector labels conflict with its namespace whitelist"),
    ]);
  });

  it("fails for a malformed annotation", async () => {
    const refused = await create("malformed");
    expect([refused.status, refused.body.message]).toEqual([500, "invalid selector: [a b c]"]);
  });
});

describe("PodTolerationRestriction", () => {
  it("adds default tolerations of the configuration, and memory pressure for pods with requests", async () => {
    const { body } = await create("plain", {
      containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }],
    });
    expect(body.spec.tolerations).toEqual([
      { key: "team", operator: "Exists" },
      { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
    ]);
  });

  it("adds default tolerations of the namespace, and rejects those that its annotation does not allow", async () => {
    const dedicated = { key: "dedicated", operator: "Equal", value: "yes" };
    expect((await create("dedicated")).body.spec.tolerations).toEqual([dedicated]);
    const refused = await create("dedicated", { tolerations: [{ key: "other", operator: "Exists" }] });
    expect([refused.status, refused.body.message]).toEqual([
      500,
      "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist",
    ]);
  });
});

it("PodTolerationRestriction fails for an annotation whose tolerations have fields of other types", async () => {
  const refused = await create("untyped");
  expect([refused.status, refused.body.message]).toEqual([500, expect.stringContaining("[]v1.Toleration")]);
});

describe("EventRateLimit", () => {
  const event = (name: string, object: string, namespace = "plain") =>
    call("POST", `/api/v1/namespaces/${namespace}/events`, {
      body: {
        metadata: { name },
        involvedObject: { kind: "Pod", name: object, namespace },
        source: { component: "t" },
      },
    });

  it("answers 429 beyond the burst of a source and object, and of a namespace", async () => {
    expect((await event("a", "one")).status).toBe(201);
    expect((await event("b", "one")).status).toBe(201);
    const refused = await event("c", "one");
    expect(refused.body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Too many requests: limit reached on type SourceAndObject for key tPodplainone",
      reason: "TooManyRequests",
      code: 429,
    });
    const both = await event("d", "one");
    expect(both.body.message).toContain("limit reached on type Namespace for key plain");
    expect((await event("e", "one", "limited")).status).toBe(201);
  });
});

describe("ImagePolicyWebhook", () => {
  it("adds the annotations of the webhook to the audit event, unless their keys are no names", async () => {
    const created = await create("plain", { containers: [{ name: "c", image: "annotated" }] });
    const logged = () =>
      readFileSync(join(directory, "audit.log"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .find(({ auditID, stage }) => auditID === created.headers["audit-id"] && stage === "ResponseComplete");
    // The event may be written after the client has the response.
    const { annotations } = await vi.waitUntil(logged, 20_000);
    expect(Object.keys(annotations).filter((key) => key.includes("image-policy"))).toEqual([
      "imagepolicywebhook.image-policy.k8s.io/seen",
    ]);
  });

  it("sends the images and the annotations for it to the webhook, and caches the decision", async () => {
    const spec = { containers: [{ name: "c", image: "good" }], initContainers: [{ name: "i", image: "first" }] };
    const metadata = { annotations: { "ticket.image-policy.k8s.io/number": "7", other: "x" } };
    expect((await create("plain", spec, metadata)).status).toBe(201);
    expect((await create("plain", spec, metadata)).status).toBe(201);
    expect(reviews.map((review) => review.spec)).toEqual([
      {
        containers: [{ image: "good" }, { image: "first" }],
        annotations: { "ticket.image-policy.k8s.io/number": "7" },
        namespace: "plain",
      },
    ]);
  });

  it("rejects pods whose images the webhook denies, and pods if the webhook fails", async () => {
    const denied = await create("plain", { containers: [{ name: "c", image: "bad" }] });
    expect([denied.status, denied.body.message]).toEqual([
      403,
      expect.stringContaining("image policy webhook backend denied one or more images: unsigned"),
    ]);
    const failed = await create("plain", { containers: [{ name: "c", image: "broken" }] });
    expect(failed.status).toBe(403);
  });

  it("rejects ephemeral containers whose images the webhook denies (CVE-2023-2727)", async () => {
    const created = await create("plain", { containers: [{ name: "c", image: "good" }] });
    const path = `/api/v1/namespaces/plain/pods/${created.body.metadata.name}/ephemeralcontainers`;
    const debugWith = (image: string) =>
      call("PATCH", path, {
        type: "application/strategic-merge-patch+json",
        body: { spec: { ephemeralContainers: [{ name: "debug", image }] } },
      });
    const denied = await debugWith("bad");
    expect([denied.status, denied.body.message]).toEqual([403, expect.stringContaining("denied one or more images")]);
    expect((await debugWith("debugger")).status).toBe(200);
  });
});

describe("merging tolerations", () => {
  const toleration = fc.record(
    {
      key: fc.constantFrom("a", "b"),
      operator: fc.constantFrom<"Exists" | "Equal">("Exists", "Equal"),
      value: fc.constantFrom("x", "y"),
      effect: fc.constantFrom<"NoSchedule" | "NoExecute">("NoSchedule", "NoExecute"),
      tolerationSeconds: fc.constantFrom(1, 2),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Toleration>;

  /** The rules for two tolerations, one at a time. */
  function covers(wide: Toleration, narrow: Toleration): boolean {
    if (JSON.stringify(Object.entries(wide).sort()) === JSON.stringify(Object.entries(narrow).sort())) return true;
    if (wide.key !== narrow.key && !(wide.key === undefined && wide.operator === "Exists")) return false;
    if (wide.effect !== undefined && wide.effect !== narrow.effect) return false;
    if (wide.effect === "NoExecute" && wide.tolerationSeconds !== undefined) {
      if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false;
    }
    if (wide.operator === "Exists") return true;
    return narrow.operator === "Equal" && (wide.value ?? "") === (narrow.value ?? "");
  }
  const sound = toleration.filter(
    ({ operator, value, effect, tolerationSeconds }) =>
      !(operator === "Exists" && value !== undefined) && !(effect !== "NoExecute" && tolerationSeconds !== undefined),
  );

  it("keeps every toleration that no other one covers, and covers all of them", () => {
    fc.assert(
      fc.property(fc.array(sound, { maxLength: 6 }), fc.array(sound, { maxLength: 6 }), (first, second) => {
        const merged = mergeTolerations(first, second);
        for (const one of [...first, ...second]) expect(merged.some((other) => covers(other, one))).toBe(true);
        expect(areTolerationsAllowed([...first, ...second], merged)).toBe(true);
        for (const [index, one] of merged.entries()) {
          expect(merged.some((other, at) => at !== index && covers(other, one) && !covers(one, other))).toBe(false);
        }
      }),
    );
  });

  it("allows exactly the tolerations that a list covers", () => {
    fc.assert(
      fc.property(sound, fc.array(sound, { maxLength: 5 }), (one, allowed) => {
        expect(areTolerationsAllowed([one], allowed)).toBe(allowed.some((other) => covers(other, one)));
      }),
    );
  });

  it("takes linear time", () => {
    const list = (size: number): Toleration[] =>
      Array.from({ length: size }, (_, index) => ({ key: "k", operator: "Equal", value: String(index) }));
    const many = list(20_000);
    const began = process.cpuUsage();
    expect(mergeTolerations(many, many)).toHaveLength(20_000);
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(10);
  });
});
