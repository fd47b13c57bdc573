import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ELDHistogram } from "node:perf_hooks";
import type { FeatureGates } from "../release/feature-gates.ts";
import type { MetricPolicy } from "../release/metric-lives.ts";
import { NumberMetric } from "./metric.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/** Directory of open file descriptors, which only some systems provide. */
const OPEN_FILES = existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

const NO_DESCRIPTORS = new Set(["EMFILE", "ENFILE"]);

/** Adds metrics of memory, CPU time and event loop delays. */
export function addProcessMetrics(metrics: RequestMetrics): void {
  const memory = new NumberMetric(
    "gauge",
    "process_resident_memory_bytes",
    "Resident memory of the process, in bytes.",
  );
  const cpu = new NumberMetric(
    "counter",
    "process_cpu_seconds_total",
    "CPU time of the process, user and system, in seconds.",
  );
  const started = new NumberMetric(
    "gauge",
    "process_start_time_seconds",
    "Start time of the process, in seconds since the Unix epoch.",
  );
  const delay = new NumberMetric(
    "gauge",
    "nodejs_eventloop_lag_seconds",
    "Delay of the event loop since the last scrape, in seconds, by quantile; quantile 1 is the maximum. Measured from the first scrape on.",
    ["quantile"],
  );
  let histogram: ELDHistogram | undefined;
  started.set(Date.now() / 1000 - process.uptime());
  const descriptors = new NumberMetric(
    "gauge",
    "process_open_fds",
    "Number of open file descriptors, connections included.",
  );
  const mostDescriptors = new NumberMetric(
    "gauge",
    "process_max_fds",
    "Largest number of open file descriptors that the system allows.",
  );
  for (const metric of [memory, cpu, started, delay]) metrics.add(metric);
  if (OPEN_FILES !== undefined) {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    if (limit !== undefined) mostDescriptors.set(Number(limit));
    for (const metric of [descriptors, mostDescriptors]) metrics.add(metric);
  }
  metrics.onExpose(() => {
    const { user, system } = process.cpuUsage();
    readOrKeep(() => memory.set(process.memoryUsage.rss()));
    if (OPEN_FILES !== undefined) readOrKeep(() => descriptors.set(readdirSync(OPEN_FILES).length));
    cpu.set((user + system) / 1e6);
    // Starts with the first scrape: it uses 0.4 MiB, and wakes the process fifty times per second.
    histogram ??= startHistogram();
    for (const quantile of [50, 90, 99, 100]) {
      delay.set(histogram.percentile(quantile) / 1e9, String(quantile / 100));
    }
    histogram.reset();
  });
}

function startHistogram(): ELDHistogram {
  const histogram = process.getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: 20 });
  histogram.enable();
  return histogram;
}

/** Reads process statistics, which needs a file descriptor. If none is available, the previous value is kept. */
function readOrKeep(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!NO_DESCRIPTORS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Creates the metric with the state of each feature gate. The stage is empty for stable features. */
export function featureMetric(gates: FeatureGates): NumberMetric {
  const help = "Whether a feature gate is enabled, by name and stage.";
  const metric = new NumberMetric("gauge", "kubernetes_feature_enabled", help, ["name", "stage"]);
  for (const { name, stage, enabled } of gates.known)
    metric.set(enabled ? 1 : 0, name, stage === "stable" ? "" : stage.toUpperCase());
  return metric;
}

/** Members of `/version` that are labels. */
type Build = Readonly<
  Record<
    | "buildDate"
    | "compiler"
    | "gitCommit"
    | "gitTreeState"
    | "gitVersion"
    | "goVersion"
    | "major"
    | "minor"
    | "platform",
    string
  >
>;

/** Creates the metric with build information as labels of a sample that is always 1. */
export function buildMetric(build: Build): NumberMetric {
  const labels = {
    build_date: build.buildDate,
    compiler: build.compiler,
    git_commit: build.gitCommit,
    git_tree_state: build.gitTreeState,
    git_version: build.gitVersion,
    go_version: build.goVersion,
    major: build.major,
    minor: build.minor,
    platform: build.platform,
  };
  const metric = new NumberMetric(
    "gauge",
    "kubernetes_build_info",
    "Version and build of the server; the value is 1.",
    Object.keys(labels),
  );
  metric.set(1, ...Object.values(labels));
  return metric;
}

/** How many metrics there are, and how many of them are not shown. */
export function addRegistryMetrics(metrics: RequestMetrics, policy: MetricPolicy): void {
  const registered = new NumberMetric(
    "counter",
    "registered_metrics_total",
    "Number of metrics that are shown, by stability level and the release that deprecated them.",
    ["stability_level", "deprecated_version"],
  );
  const hidden = new NumberMetric("counter", "hidden_metrics_total", "Number of metrics that are not shown.");
  const disabled = new NumberMetric(
    "counter",
    "disabled_metrics_total",
    "Number of metrics that --disabled-metrics names.",
  );
  for (const metric of [registered, hidden, disabled]) metrics.add(metric);
  metrics.onExpose(() => {
    registered.clear();
    for (const name of metrics.names.filter((name) => policy.isShown(name))) {
      const life = policy.lifeOf(name);
      if (life === undefined) continue;
      registered.add(1, life.stability, life.deprecated === undefined ? "" : `${life.deprecated}.0`);
    }
    hidden.set(metrics.names.filter((name) => policy.isHidden(name)).length);
    disabled.set(policy.disabled);
  });
}
