import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AggregationMetrics } from "../../runtime/metrics/aggregation-metrics.ts";
import { CustomKindMetrics } from "../../runtime/metrics/custom-kind-metrics.ts";
import { LEAST_TO_SWEEP, NumberMetric } from "../../runtime/metrics/metric.ts";
import { startWebhookServer, type WebhookServer } from "../admission/webhook-server.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { DEFINITIONS, define, definitionOf } from "../kinds/custom/definitions.ts";

const { call } = servePlane();
const MAPS = "/api/v1/namespaces/default/configmaps";

/** Differs in each attempt of a test, because a failed one may leave objects. */
const newName = (prefix: string) => `${prefix}-${randomUUID().slice(0, 8)}`;

const scrape = async () => (await call("GET", "/metrics")).text.split("\n");
/** Lines that contain one of the names, each name once. */
const namesIn = (lines: readonly string[], pattern: RegExp) =>
  new Set(lines.flatMap((line) => pattern.exec(line)?.[0] ?? []));

describe("series of webhooks", () => {
  const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const AT_ONCE = 100;
  let hooks: WebhookServer;

  beforeAll(async () => {
    hooks = await startWebhookServer();
  });
  afterAll(() => hooks.close());

  const configuration = (name: string) => ({
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: `${hooks.url}/${name}`, caBundle: hooks.caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });

  /** Registers webhooks with these names, and waits until each of them was called. */
  const register = async (names: readonly string[]) => {
    hooks.asked.length = 0;
    await Promise.all(names.map((name) => call("POST", CONFIGURATIONS, { body: configuration(name) })));
    const calledAll = async () => {
      await call("POST", `${MAPS}?dryRun=All`, { body: { metadata: { name: "a" } } });
      return new Set(hooks.asked.map(({ path }) => path)).size;
    };
    await expect.poll(calledAll, { timeout: 60_000 }).toBe(names.length);
  };
  const remove = async (names: readonly string[]) => {
    for (const name of names) await call("DELETE", `${CONFIGURATIONS}/${name}`);
    const stillCalled = async () => {
      hooks.asked.length = 0;
      await call("POST", `${MAPS}?dryRun=All`, { body: { metadata: { name: "a" } } });
      return hooks.asked.length;
    };
    await expect.poll(stillCalled, { timeout: 60_000 }).toBe(0);
  };

  it("do not add up while 1,000 webhooks come and go, and are shown once after the last one is deleted", async () => {
    const prefix = newName("hook");
    const shown = async () => namesIn(await scrape(), new RegExp(`${prefix}-\\d+`));
    for (let first = 0; first < 1000; first += AT_ONCE) {
      const names = Array.from({ length: AT_ONCE }, (_, i) => `${prefix}-${first + i}`);
      await register(names);
      await remove(names);
    }
    const last = await shown();
    expect(last).toContain(`${prefix}-999`);
    expect(last.size).toBeLessThanOrEqual(2 * LEAST_TO_SWEEP);
    expect(await shown()).toEqual(new Set());
  }, 240_000);

  it("stay as long as their webhook, and begin at 0 for a later one with the same name", async () => {
    const name = newName("hook");
    const count = async (): Promise<number | undefined> => {
      const line = (await scrape()).find(
        (each) =>
          each.startsWith("apiserver_admission_webhook_request_total{") && each.includes(`name="${name}.example.com"`),
      );
      return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
    };
    await register([name]);
    const before = (await count()) ?? 0;
    await call("POST", `${MAPS}?dryRun=All`, { body: { metadata: { name: "a" } } });
    expect(await count()).toBe(before + 1);
    await remove([name]);
    await scrape();
    expect(await count()).toBeUndefined();
    await register([name]);
    expect(await count()).toBe(1);
    await remove([name]);
  });
});

describe("series of custom kinds", () => {
  /** Creates a definition, and an object of its kind, which it deletes. */
  const use = async (plural: string): Promise<void> => {
    await define(call, definitionOf(plural, plural, { type: "object" }));
    const body = { apiVersion: "example.com/v1", kind: plural, metadata: { name: "a" } };
    const created = await call("POST", pathOf(plural), { body });
    expect(created.status, created.text).toBe(201);
    await call("GET", pathOf(plural));
    await call("DELETE", `${pathOf(plural)}/a`);
  };
  const pathOf = (plural: string) => `/apis/example.com/v1/namespaces/default/${plural}`;

  it("are shown once after their definition is deleted, and begin at 0 for a later one", async () => {
    const plural = newName("figs");
    const shown = async (family = "") =>
      (await scrape()).filter((line) => line.startsWith(family) && line.includes(plural));
    await use(plural);
    const watch = call("GET", `${pathOf(plural)}?watch=1&resourceVersion=0&timeoutSeconds=60`);
    await expect.poll(() => shown("apiserver_longrunning_requests")).toEqual([expect.stringMatching(/ 1$/)]);
    await call("DELETE", `${DEFINITIONS}/${plural}.example.com`);
    await watch;
    await expect.poll(async () => (await call("GET", pathOf(plural))).status).toBe(404);
    expect(await shown("apiserver_request_total")).not.toEqual([]);
    expect(await shown()).toEqual([]);
    await use(plural);
    const created = (await shown("apiserver_request_total")).filter((line) => line.includes('code="201"'));
    expect(created).toEqual([expect.stringMatching(/ 1$/)]);
    await call("DELETE", `${DEFINITIONS}/${plural}.example.com`);
  });

  it("of open watches are not counted below 0 when their definition is deleted", async () => {
    const plural = newName("figs");
    await use(plural);
    const watch = call("GET", `${pathOf(plural)}?watch=1&resourceVersion=0&timeoutSeconds=60`);
    const open = async () => (await scrape()).filter((line) => line.startsWith("apiserver_longrunning_requests"));
    await expect.poll(async () => (await open()).some((line) => line.includes(plural))).toBe(true);
    await call("DELETE", `${DEFINITIONS}/${plural}.example.com`);
    await watch;
    expect((await open()).filter((line) => !line.endsWith(" 0"))).toEqual([]);
  });
});

describe("series of FlowSchemas and priority levels", () => {
  const FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";

  it("go with them", async () => {
    const name = newName("flow");
    const level = {
      metadata: { name },
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } },
    };
    const rule = { verbs: ["get"], apiGroups: [""], resources: ["secrets"], namespaces: ["default"] };
    const schema = {
      metadata: { name },
      spec: {
        matchingPrecedence: 2,
        priorityLevelConfiguration: { name },
        rules: [{ subjects: [{ kind: "Group", group: { name: "*" } }], resourceRules: [rule] }],
      },
    };
    expect((await call("POST", `${FLOW}/prioritylevelconfigurations`, { body: level })).status).toBe(201);
    expect((await call("POST", `${FLOW}/flowschemas`, { body: schema })).status).toBe(201);
    const shown = async () => (await scrape()).some((line) => line.includes(name));
    await expect.poll(shown).toBe(true);
    await call("GET", "/api/v1/namespaces/default/secrets/a");
    await call("DELETE", `${FLOW}/flowschemas/${name}`);
    await call("DELETE", `${FLOW}/prioritylevelconfigurations/${name}`);
    await expect.poll(shown).toBe(false);
  });
});

describe("a family of which clients choose labels", () => {
  it("keeps what is live, and at most twice as many series in between", () => {
    const live = new Set<string>();
    const metric = new NumberMetric("counter", "calls_total", "Calls.", ["name"]);
    metric.keepWhile(
      () =>
        ([name = ""]) =>
          live.has(name),
    );
    for (let i = 0; i < LEAST_TO_SWEEP; i++) live.add(`live-${i}`);
    for (const name of live) metric.add(1, name);
    let most = 0;
    for (let i = 0; i < 5000; i++) {
      metric.add(1, `gone-${i}`);
      most = Math.max(most, [...metric.samples()].length);
    }
    expect(most).toBeLessThanOrEqual(2 * live.size + 1);
    metric.sweep();
    expect([...metric.samples()].map(({ values }) => values[0])).toEqual([...live]);
  });

  it("has those of the definitions that conversion webhooks convert for", () => {
    const definitions = new Set(["a.example.com", "b.example.com"]);
    const metrics = new CustomKindMetrics((name) => definitions.has(name));
    for (const definition of definitions)
      metrics.observe({ definition, from: "v1", to: "v2", milliseconds: 1 } as Parameters<typeof metrics.observe>[0]);
    definitions.delete("b.example.com");
    for (const family of metrics.families) family.sweep?.();
    const text = metrics.families.map((family) => family.expose()).join("");
    expect(text).toContain('crd_name="a.example.com"');
    expect(text).not.toContain('crd_name="b.example.com"');
    expect(text).toContain('apiserver_conversion_webhook_request_total{failure_type="",result="success"} 2');
  });

  it("has those of the APIServices that exist", () => {
    const names = new Set(["v1.a.example.com", "v1.b.example.com"]);
    const metrics = new AggregationMetrics(() => [...names].map((name) => ({ name, available: false })));
    for (const name of names) metrics.lost(name, "ServiceNotFound");
    names.delete("v1.b.example.com");
    for (const family of metrics.families) family.sweep?.();
    metrics.collect();
    const text = metrics.families.map((family) => family.expose()).join("");
    expect(text).toContain(
      'aggregator_unavailable_apiservice_total{name="v1.a.example.com",reason="ServiceNotFound"} 1',
    );
    expect(text).not.toContain("v1.b.example.com");
  });
});
