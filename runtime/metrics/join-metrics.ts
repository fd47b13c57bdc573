import { setImmediate } from "node:timers";

/** Metrics with the same meaning in every process of a server: the largest value is used. All others are added up. */
const SAME_EVERYWHERE = new Set([
  "aggregator_unavailable_apiservice",
  "apiserver_requested_deprecated_apis",
  "apiserver_storage_objects",
  "apiserver_storage_size_bytes",
  "apiserver_watch_cache_resource_version",
  "disabled_metrics_total",
  "hidden_metrics_total",
  "kube_apiserver_clusterip_allocator_allocated_ips",
  "kube_apiserver_clusterip_allocator_available_ips",
  "kube_apiserver_nodeport_allocator_allocated_ports",
  "kube_apiserver_nodeport_allocator_available_ports",
  "kubernetes_build_info",
  "kubernetes_feature_enabled",
  "nodejs_eventloop_lag_seconds",
  "registered_metrics_total",
  "typeplane_certificate_expiration_timestamp_seconds",
  "typeplane_etcd_space_exceeded",
  // Metrics of the only process that has the data file.
  "typeplane_storage_commit_duration_seconds",
  "typeplane_storage_commit_failures_total",
  "typeplane_storage_disk_available_bytes",
  "typeplane_storage_disk_size_bytes",
  "typeplane_storage_limit_bytes",
]);

/** Metrics of which the smallest value is used: the start time of the server is the earliest one, and a check fails if it fails in one process. */
const SMALLEST = new Set(["process_start_time_seconds", "kubernetes_healthcheck"]);

const LINES_PER_TURN = 2000;

interface Family {
  readonly name: string;
  readonly lines: string[];
  type: string;
  readonly samples: Map<string, number>;
}

/** Metrics of one process in the text format of Prometheus. */
export interface ProcessMetrics {
  readonly text: string;
  /** Whether the process has ended: then only its counters and histograms are used. */
  readonly ended?: boolean;
}

/** Joins the metrics of several processes, yielding to the event loop. With `isShown`, only some families. */
export async function joinMetrics(
  processes: readonly ProcessMetrics[],
  isShown: (family: string) => boolean = () => true,
): Promise<string> {
  const families = new Map<string, Family>();
  let lines = 0;
  for (const { text, ended = false } of processes) {
    let family: Family | undefined;
    for (let at = 0, end = 0; at < text.length; at = end + 1) {
      end = text.indexOf("\n", at);
      if (end === -1) end = text.length;
      const line = text.slice(at, end);
      if (line.startsWith("# ")) family = describe(line, families) ?? family;
      else if (family !== undefined && line !== "" && !(ended && family.type === "gauge")) add(line, family);
      if (++lines % LINES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const parts: string[] = [];
  for (const { name: family, lines: header, samples } of families.values()) {
    if (!isShown(family)) continue;
    let part = `${header.join("\n")}\n`;
    for (const [name, value] of samples) part += `${name} ${value}\n`;
    parts.push(part);
  }
  return parts.join("");
}

/** Parses a line such as `# TYPE name gauge`. */
function describe(line: string, families: Map<string, Family>): Family | undefined {
  const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+)(?: (.*))?$/.exec(line) ?? [];
  if (word === undefined) return undefined;
  let family = families.get(name);
  if (family === undefined) {
    family = { name, lines: [], type: "", samples: new Map() };
    families.set(name, family);
  }
  if (word === "TYPE") family.type = rest;
  if (!family.lines.some((known) => known.startsWith(`# ${word} `))) family.lines.push(line);
  return family;
}

function add(line: string, { name: family, samples }: Family): void {
  const end = line.lastIndexOf(" ");
  const name = line.slice(0, end);
  const value = Number(line.slice(end + 1));
  const known = samples.get(name);
  if (known === undefined) samples.set(name, value);
  else samples.set(name, combine(family, known, value));
}

function combine(family: string, one: number, other: number): number {
  if (SAME_EVERYWHERE.has(family)) return Math.max(one, other);
  return SMALLEST.has(family) ? Math.min(one, other) : one + other;
}
