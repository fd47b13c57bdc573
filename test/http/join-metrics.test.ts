import { describe, expect, it } from "vitest";
import { joinMetrics } from "../../runtime/metrics/join-metrics.ts";
import { Histogram, NumberMetric } from "../../runtime/metrics/metric.ts";

function exposed(requests: number, waits: readonly number[], started: number, objects: number): string {
  const counter = new NumberMetric("counter", "requests_total", "Requests.", ["verb"]);
  counter.add(requests, "get it");
  const histogram = new Histogram("wait_seconds", "Waits.", [], [0.1, 1]);
  for (const wait of waits) histogram.observe(wait);
  const inFlight = new NumberMetric("gauge", "in_flight", "In flight.");
  inFlight.set(requests);
  const start = new NumberMetric("gauge", "process_start_time_seconds", "Start.");
  start.set(started);
  const stored = new NumberMetric("gauge", "apiserver_storage_objects", "Objects.", ["resource"]);
  stored.set(objects, "pods");
  return [counter, histogram, inFlight, start, stored].map((metric) => metric.expose()).join("");
}

describe("metrics of several processes", () => {
  it("are added up, but for gauges that are the same everywhere", async () => {
    const joined = await joinMetrics([{ text: exposed(2, [0.05], 20, 7) }, { text: exposed(3, [0.5, 2], 10, 6) }]);
    expect(joined).toBe(
      exposed(5, [0.05, 0.5, 2], 10, 7).replace("wait_seconds_sum 2.55", `wait_seconds_sum ${0.05 + 2.5}`),
    );
  });

  it("show the commits of the data file once, which every process reads from the one that writes it", async () => {
    const commits = new Histogram("typeplane_storage_commit_duration_seconds", "Commits.", [], [0.1]);
    commits.observe(0.05);
    const text = commits.expose();
    expect(await joinMetrics([{ text }, { text }])).toBe(text);
  });

  it("show a health check as failed if it failed in one of them, and only families that are selected", async () => {
    const text = (value: number) => {
      const check = new NumberMetric("gauge", "kubernetes_healthcheck", "Check.", ["name", "type"]);
      check.set(value, "etcd", "livez");
      return check.expose();
    };
    const processes = [{ text: text(1) + exposed(1, [], 1, 1) }, { text: text(0) }, { text: text(1) }];
    expect(await joinMetrics(processes, (family) => family.startsWith("kubernetes_"))).toBe(text(0));
  });

  it("keep the counters of a process that ended, and not its gauges", async () => {
    const joined = await joinMetrics([{ text: exposed(2, [], 20, 7) }, { text: exposed(3, [], 10, 9), ended: true }]);
    expect(joined).toContain('requests_total{verb="get it"} 5\n');
    expect(joined).toContain("\nin_flight 2\n");
    expect(joined).toContain("process_start_time_seconds 20\n");
    expect(joined).toContain('apiserver_storage_objects{resource="pods"} 7\n');
  });
});
