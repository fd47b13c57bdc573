import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { documentPages } from "../../generator/docs/document-pages.ts";
import { AdmissionMetrics } from "../../runtime/metrics/admission-metrics.ts";
import { CustomKindMetrics } from "../../runtime/metrics/custom-kind-metrics.ts";
import { FaultMetrics } from "../../runtime/metrics/fault-metrics.ts";
import { FlowMetrics } from "../../runtime/metrics/flow-metrics.ts";
import { StorageMetrics } from "../../runtime/metrics/storage-metrics.ts";
import { WatchMetrics } from "../../runtime/metrics/watch-metrics.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { readExposition, readPromQl } from "./read-promql.ts";

const root = new URL("../..", import.meta.url).pathname;
const folder = join(root, "docs/operations");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = parse(readFileSync(join(folder, "alerts.yaml"), "utf8")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(join(folder, "dashboard.json"), "utf8")) as {
  panels: { title: string; description?: string; targets?: { expr: string; legendFormat: string }[] }[];
};
const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

/** Set by Prometheus, not by the server. */
const ADDED_LABELS = ["job", "instance"];
const ADDED_METRICS = ["up"];
/** Pages that are not about a single alert. */
const OTHER_PAGES = ["alerts.md", "doctor.md"];

const directory = mkdtempSync(join(tmpdir(), "typeplane-alerts-"));
let plane: Plane;
let shown: Map<string, Set<string>>;
let labelled: Map<string, Set<string>>;
let text: string;

beforeAll(async () => {
  plane = await startPlane({ directory, flags: { controllers: "false" } });
  await plane.ready;
  const body = JSON.stringify({ metadata: { name: "a" } });
  const headers = { "Content-Type": "application/json" };
  await plane.fetch("/api/v1/namespaces/default/configmaps", { method: "POST", body, headers });
  await plane.fetch("/api/v1/namespaces/default/endpoints");
  await plane.fetch("/api/v1/configmaps?watch=1&timeoutSeconds=1");
  await requestWithCertificate();
  text = await (await plane.fetch("/metrics")).text();
  shown = readExposition(text);
  labelled = readExposition(`${text}\n${rareSamples()}`);
});
afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function requestWithCertificate(): Promise<void> {
  const { server, certificateAuthority: ca, clientCertificate: cert, clientKey: key } = plane.client;
  const [response] = await once(get(`${server}/version`, { ca, cert, key, agent: false }), "response");
  response.resume();
}

/** Samples of rare events, from the classes with which the server counts them. */
function rareSamples(): string {
  const storage = new StorageMetrics(
    () => 0,
    () => true,
  );
  storage.meterOf("pods").finished("create", 1, true);
  const watches = new WatchMetrics({ kind: () => true, resource: () => true });
  const pods = watches.meterOf({ group: "", version: "v1", kind: "Pod", resource: "pods" });
  pods.sent([1]);
  pods.terminated();
  const admission = new AdmissionMetrics();
  const call = { name: "a", type: "validating", operation: "CREATE", milliseconds: 1, code: 500 } as const;
  admission.askedWebhook({ ...call, cause: "calling_webhook_error" });
  admission.failedOpen("a", "validating");
  const conversion = new CustomKindMetrics(() => true);
  const failed = { definition: "a", from: "v1", to: "v2", milliseconds: 1, failure: "conversion_webhook_call_failure" };
  conversion.observe(failed as Parameters<CustomKindMetrics["observe"]>[0]);
  const flow = new FlowMetrics(() => 0);
  flow.metersOf("level", "schema").refused("queue-full");
  flow.metersOf("level", "schema").waited.observe(1);
  const faults = new FaultMetrics();
  faults.closedConnections.add(1, "idle");
  faults.unexpectedErrors.add(1, "request");
  const families = [storage, watches, admission, conversion, flow, faults].flatMap((some) => some.families);
  return families.map((family) => family.expose()).join("");
}

/** Returns the names in an expression that a server does not export. */
function unknownNames(expression: string, used: readonly string[] = []): string[] {
  const { metrics, grouped } = readPromQl(expression);
  const labels = new Set(ADDED_LABELS);
  const unknown: string[] = [];
  for (const [metric, matched] of metrics) {
    if (ADDED_METRICS.includes(metric)) continue;
    if (!shown.has(metric)) unknown.push(metric);
    const own = labelled.get(metric) ?? new Set<string>();
    for (const label of own) labels.add(label);
    for (const label of matched)
      if (!own.has(label) && !ADDED_LABELS.includes(label)) unknown.push(`${metric}.${label}`);
  }
  if (metrics.size === 0) unknown.push("no metric");
  return [...unknown, ...[...grouped, ...used].filter((label) => !labels.has(label))];
}

describe("the alerts in docs/operations", () => {
  it("name only metrics and labels that a server exports", () => {
    expect(rules.length).toBeGreaterThan(20);
    const wrong = rules.flatMap(({ alert, expr, annotations }) => {
      const used = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
      return unknownNames(expr, used).map((name) => `${alert}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it("have a severity and the runbook page of their name each, and each page has an alert", () => {
    const pageOf = (alert: string) =>
      alert
        .replace(/^Typeplane/, "")
        .replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`)
        .toLowerCase();
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.runbook).toBe(`docs/operations/${pageOf(alert)}.md`);
      expect(existsSync(join(root, annotations.runbook))).toBe(true);
      expect(["info", "warning", "critical"]).toContain(labels.severity);
    }
    const pages = readdirSync(folder).filter((name) => name.endsWith(".md") && !OTHER_PAGES.includes(name));
    expect(pages).toEqual([...new Set(rules.map(({ alert }) => `${pageOf(alert)}.md`))].sort());
  });

  it("have pages that name the alert, and say what it means, how to confirm it, what to do and how to prevent it", () => {
    const overview = readFileSync(join(folder, "alerts.md"), "utf8");
    for (const { alert, annotations } of rules) {
      const page = readFileSync(join(root, annotations.runbook), "utf8");
      expect(page).toContain(`\`${alert}\``);
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings).toEqual(["What it means", "Confirm it", "What to do", "Prevent it"]);
      expect(/^```sh$/m.test(page)).toBe(true);
      expect(overview).toContain(`| \`${alert}\` |`);
    }
  });

  it("have pages in the navigation of the documentation site", async () => {
    const { sidebar } = await documentPages(root);
    const links = sidebar.find((item) => item.text === "Operations")?.items?.map(({ link }) => link);
    expect(links?.slice(0, 2)).toEqual(["/operations/alerts", "/operations/doctor"]);
    for (const { annotations } of rules) expect(links).toContain(annotations.runbook.replace(/^docs|\.md$/g, ""));
  });
});

describe("the dashboard in docs/operations", () => {
  it("names only metrics and labels that a server exports", () => {
    expect(queries.length).toBeGreaterThan(30);
    const wrong = queries.flatMap(({ title, expr, legendFormat }) => {
      const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
      return unknownNames(expr, used).map((name) => `${title}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it("names runbook pages that exist", () => {
    const named = dashboard.panels.flatMap(({ description = "" }) => /Runbook: ([\w-]+)/.exec(description)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !existsSync(join(folder, `${name}.md`)))).toEqual([]);
  });
});

describe("the metrics that alerts need", () => {
  const sample = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);

  it("show the room for the data file and the duration of its commits", () => {
    expect(sample("typeplane_storage_disk_size_bytes")).toBeGreaterThan(
      sample("typeplane_storage_disk_available_bytes") - 1,
    );
    expect(sample("typeplane_storage_limit_bytes")).toBeGreaterThan(2 ** 30);
    expect(sample("typeplane_storage_commit_duration_seconds_count")).toBeGreaterThan(0);
    expect(sample("typeplane_storage_commit_duration_seconds_sum")).toBeGreaterThan(0);
    expect(sample("typeplane_storage_commit_failures_total")).toBe(0);
  });

  it("show when the certificates of the server expire", () => {
    const days = (name: string) =>
      (sample(`typeplane_certificate_expiration_timestamp_seconds\\{certificate="${name}"\\}`) - Date.now() / 1000) /
      86_400;
    expect(days("serving")).toBeGreaterThan(360);
    expect(days("serving")).toBeLessThan(366);
    expect(days("ca")).toBeGreaterThan(3600);
  });

  it("count client certificates that expire within a week", () => {
    expect(sample('apiserver_client_certificate_expiration_seconds_bucket\\{le="604800"\\}')).toBe(0);
    expect(sample("apiserver_client_certificate_expiration_seconds_count")).toBe(1);
  });
});
