import { setTimeout } from "node:timers";
import { type Check, type Finding, NotApplicable } from "../check.ts";
import type { MetricsText, Sample } from "../metrics-text.ts";
import { diskFindings, formatBytes } from "../thresholds.ts";
import type { ServerView } from "./server-view.ts";

/** Two readings of a server's metrics, some seconds apart. */
export interface Readings {
  readonly before: MetricsText;
  readonly now: MetricsText;
}

/** Same values as in docs/operations/alerts.yaml. */
const SLOW_COMMIT_SECONDS = 0.5;
const SLOW_STORE_SECONDS = 1;
const LATE_LOOP_SECONDS = 0.5;
const NEARLY = 0.8;
const ENOUGH = 100;

const diskSpace: Check<Readings> = {
  name: "disk-space",
  looksAt: "free space of the disk with the data file",
  run({ now }) {
    const available = now.value("typeplane_storage_disk_available_bytes");
    if (available === undefined) throw new NotApplicable("the server has no data file");
    return diskFindings(available, now.value("typeplane_storage_disk_size_bytes") ?? 0);
  },
};

const dataFileSize: Check<Readings> = {
  name: "data-file-size",
  looksAt: "size of the data file, compared with its limit",
  run({ now }) {
    const limit = now.value("typeplane_storage_limit_bytes");
    if (limit === undefined) throw new NotApplicable("the server has no data file");
    const size = now.value("apiserver_storage_size_bytes") ?? 0;
    if (size < limit * NEARLY) return [];
    return [
      {
        severity: size < limit * 0.95 ? "warning" : "error",
        finding: `The data file has ${formatBytes(size)} of at most ${formatBytes(limit)}.`,
        advice: "Delete objects and compact the file, or raise the limit: docs/operations/data-file-near-limit.md.",
      },
    ];
  },
};

const etcdSpace: Check<Readings> = {
  name: "etcd-space",
  looksAt: "whether etcd refuses writes because its database has reached its quota (alarm NOSPACE)",
  run({ now }) {
    const members = now.of("typeplane_etcd_space_exceeded");
    if (members.length === 0) throw new NotApplicable("the server has no etcd");
    if (members.every(({ value }) => value === 0)) return [];
    return [
      {
        severity: "error",
        finding: "etcd has the alarm NOSPACE: its database has reached its quota, and it refuses writes.",
        advice: "Free space or raise the quota, and disarm the alarm: docs/operations/store-errors.md.",
      },
    ];
  },
};

const slowSyncs: Check<Readings> = {
  name: "slow-syncs",
  looksAt: "duration of commits and of requests to the store",
  run({ now }) {
    const findings: Finding[] = [];
    const advice = "Find out what else uses the disk: docs/operations/slow-syncs.md.";
    const slow = (what: string, histogram: string, limit: number): void => {
      const seconds = now.quantile(histogram, 0.99);
      // With fewer values, the slowest 1 % is a single value.
      if (seconds === undefined || seconds <= limit || (now.value(`${histogram}_count`) ?? 0) < ENOUGH) return;
      const bound = Number.isFinite(seconds) ? `${seconds} s` : "longer than is measured";
      const finding = `Since the server started, the slowest 1 % of ${what} took up to ${bound}.`;
      findings.push({ severity: "warning", finding, advice });
    };
    slow("commits", "typeplane_storage_commit_duration_seconds", SLOW_COMMIT_SECONDS);
    slow("requests to the store", "etcd_request_duration_seconds", SLOW_STORE_SECONDS);
    return findings;
  },
};

/** Creates a check of an error counter: a warning if it increases, information if it has increased since the start. */
function counterCheck(
  check: Pick<Check<Readings>, "name" | "looksAt">,
  counters: readonly { readonly metric: string; readonly labels?: Readonly<Record<string, string>> }[],
  describe: (sample: Sample) => string,
  advice: string,
): Check<Readings> {
  return {
    ...check,
    run({ before, now }) {
      return counters.flatMap(({ metric, labels }): Finding[] => {
        const grown = now.growth(metric, before, labels);
        const earlier = now.of(metric, labels).filter(({ value }) => value > 0);
        if (grown.length > 0)
          return grown.map((sample) => ({
            severity: "warning",
            finding: `Just now: ${describe(sample)} (${sample.value} times).`,
            advice,
          }));
        return earlier.map((sample) => ({
          severity: "info",
          finding: `Since the server started, but not now: ${describe(sample)} (${sample.value} times).`,
          advice,
        }));
      });
    },
  };
}

const watchers = counterCheck(
  { name: "watchers", looksAt: "watches that were closed because their clients did not read fast enough" },
  [{ metric: "typeplane_watches_ended_total" }],
  ({ labels }) => `watches were closed because their clients did not read fast enough (${labels.reason})`,
  "Find the slow clients: docs/operations/watchers-behind.md.",
);

const backlog: Check<Readings> = {
  name: "watch-backlog",
  looksAt: "bytes that clients have not read yet, compared with the limit",
  run({ now }) {
    return ["watch_backlog_bytes", "response_bytes"].flatMap((budget): Finding[] => {
      const [used = 0, limit] = [
        now.value("typeplane_budget_used", { budget }),
        now.value("typeplane_budget_limit", { budget }),
      ];
      if (limit === undefined || used < limit * NEARLY) return [];
      return [
        {
          severity: "warning",
          finding: `${formatBytes(used)} of at most ${formatBytes(limit)} (${budget}) wait for clients that read too slowly.`,
          advice: "Find the slow clients: docs/operations/watchers-behind.md.",
        },
      ];
    });
  },
};

const fairness = counterCheck(
  { name: "fairness", looksAt: "requests that priority and fairness rejects" },
  [{ metric: "apiserver_flowcontrol_rejected_requests_total" }],
  ({ labels }) =>
    `requests of the FlowSchema ${labels.flow_schema} at the priority level ${labels.priority_level} were rejected (${labels.reason})`,
  "Find the clients that fill the queues: docs/operations/fairness-rejecting.md.",
);

const limits = counterCheck(
  { name: "limits", looksAt: "requests and connections that limits refuse" },
  [
    { metric: "typeplane_budget_refusals_total" },
    { metric: "typeplane_connections_closed_total", labels: { reason: "connection_limit" } },
    { metric: "typeplane_connections_closed_total", labels: { reason: "handshake_limit" } },
  ],
  ({ labels }) =>
    labels.budget === undefined
      ? `connections were closed (${labels.reason})`
      : `requests were refused because of the limit of ${labels.budget} for ${labels.limit === "all" ? "all users" : "one user"}`,
  "Fix the clients or raise the limit: docs/operations/limit-reached.md.",
);

const storeErrors = counterCheck(
  { name: "store-errors", looksAt: "failed requests to the store and failed commits" },
  [{ metric: "etcd_request_errors_total" }, { metric: "typeplane_storage_commit_failures_total" }],
  ({ labels }) =>
    labels.operation === undefined
      ? "the data file could not be written"
      : `the store failed to ${labels.operation} ${labels.type}`,
  "Look at the log of the server: docs/operations/store-errors.md.",
);

const changeLog = counterCheck(
  { name: "change-log", looksAt: "failed writes of the change log" },
  [{ metric: "typeplane_change_log_write_failures_total" }],
  () => "the change log could not be written",
  "Free space on the disk of --change-log-dir, or repair the directory: docs/operations/change-log-failing.md.",
);

const unexpectedErrors = counterCheck(
  { name: "unexpected-errors", looksAt: "errors that the server did not expect" },
  [{ metric: "typeplane_unexpected_errors_total" }],
  ({ labels }) => `the server met unexpected errors (${labels.source})`,
  "Look at the log of the server: docs/operations/unexpected-errors.md.",
);

const eventLoop: Check<Readings> = {
  name: "event-loop",
  looksAt: "how late the event loop runs",
  run({ now }) {
    const late = now.value("nodejs_eventloop_lag_seconds", { quantile: "0.99" }) ?? 0;
    if (late <= LATE_LOOP_SECONDS) return [];
    const finding = `The event loop of the server ran ${late.toFixed(1)} s late, and all requests with it.`;
    const advice = "Give the process more CPU time or memory: docs/operations/event-loop-blocked.md.";
    return [{ severity: "warning", finding, advice }];
  },
};

const fileDescriptors: Check<Readings> = {
  name: "file-descriptors",
  looksAt: "open file descriptors, compared with their limit",
  run({ now }) {
    const [open, most] = [now.value("process_open_fds"), now.value("process_max_fds")];
    if (open === undefined || most === undefined) throw new NotApplicable("the system of the server shows none");
    if (open < most * NEARLY) return [];
    const finding = `The server has ${open} of at most ${most} file descriptors open.`;
    const advice = "Raise the limit, or close connections: docs/operations/file-descriptors-low.md.";
    return [{ severity: "warning", finding, advice }];
  },
};

export const LOAD_CHECKS: readonly Check<Readings>[] = [
  diskSpace,
  dataFileSize,
  etcdSpace,
  slowSyncs,
  storeErrors,
  changeLog,
  watchers,
  backlog,
  fairness,
  limits,
  unexpectedErrors,
  eventLoop,
  fileDescriptors,
];

/** Returns the same checks for a server. All share two readings: that of the beginning, and one that the first check takes `intervalMs` later. */
export function loadChecksOf(intervalMs: number): Check<ServerView>[] {
  let readings: Promise<Readings> | undefined;
  const take = async (server: ServerView): Promise<Readings> => {
    const before = await server.metrics();
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
    return { before, now: await server.metricsNow() };
  };
  return LOAD_CHECKS.map((check) => ({
    ...check,
    async run(server: ServerView) {
      readings ??= take(server);
      return check.run(await readings);
    },
  }));
}
