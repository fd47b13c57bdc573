import type { AuditBatches } from "../../audit/audit-batches.ts";
import { AUDIT_LOG_MODES, type AuditLogMode } from "../../audit/audit-log.ts";
import type { AuditWebhookConfig } from "../../audit/open-audit.ts";
import type { AuditTruncation } from "../../audit/truncate-events.ts";
import { UsageError } from "../usage-error.ts";
import { boolean, choice, duration, file, fraction, number, string } from "./flag.ts";
import { section } from "./section.ts";

/** Memory for events that wait for a backend. */
const BUFFER_BYTES = 128 * 1024 * 1024;

const maxEvent = (backend: string) =>
  number(`audit-${backend}-truncate-max-event-size`, {
    default: "102400",
    help: "Maximum size of an event in bytes. A larger one loses its request and response objects; if it is still larger, it is dropped and counted.",
  });

/** The only version of audit events. */
const version = (backend: string) =>
  choice(`audit-${backend}-version`, ["audit.k8s.io/v1"], {
    default: "audit.k8s.io/v1",
    help: "API version of the events: audit.k8s.io/v1 is the only one.",
  });

const bufferSize = (backend: string) =>
  number(`audit-${backend}-batch-buffer-size`, {
    default: "10000",
    help: "Maximum number of waiting events. Events beyond it are dropped and counted. Mode batch only.",
  });

const batchSize = (backend: string, events: string, help: string) =>
  number(`audit-${backend}-batch-max-size`, { default: events, help });

const maxWait = (backend: string, time: string) =>
  duration(`audit-${backend}-batch-max-wait`, {
    default: time,
    help: "Maximum time that an incomplete batch waits for further events. Mode batch only.",
  });

const throttles = (backend: string, isDefault: "true" | "false") =>
  boolean(`audit-${backend}-batch-throttle-enable`, {
    default: isDefault,
    help: "Limit the rate of batches. Mode batch only.",
  });

const perSecond = (backend: string, batches: string) =>
  fraction(`audit-${backend}-batch-throttle-qps`, Number.MAX_SAFE_INTEGER, {
    default: batches,
    help: "Maximum number of batches per second.",
  });

const burst = (backend: string, batches: string) =>
  number(`audit-${backend}-batch-throttle-burst`, {
    default: batches,
    help: "Maximum number of batches at once after a pause.",
  });

export const AUDIT = section(
  "Audit",
  {
    policy: file("audit-policy-file", {
      help: "File of kind Policy: which requests are audited, at which level. Without it nothing is audited.",
    }),
    logPath: string("audit-log-path", {
      help: 'File that audit events are written to; "-" means standard output.',
    }),
    format: choice("audit-log-format", ["json", "legacy"], {
      default: "json",
      help: "Format of the audit log: json (one event per line) or legacy (text).",
    }),
    mode: choice("audit-log-mode", AUDIT_LOG_MODES, {
      default: "blocking",
      help: "batch (requests do not wait for the log), blocking (requests wait) or blocking-strict (requests that cannot be logged when they arrive fail).",
    }),
    maxSize: number("audit-log-maxsize", {
      default: "100",
      help: "Size in megabytes at which the audit log is rotated. 0 means 100.",
    }),
    maxBackups: number("audit-log-maxbackup", {
      default: "0",
      help: "Maximum number of rotated audit logs. 0 keeps all.",
    }),
    maxAge: number("audit-log-maxage", {
      default: "0",
      help: "Maximum age of rotated audit logs in days. 0 keeps all.",
    }),
    compress: boolean("audit-log-compress", { default: "false", help: "Compress rotated audit logs with gzip." }),
    logVersion: version("log"),
    logBufferSize: bufferSize("log"),
    logBatchSize: batchSize(
      "log",
      "1",
      "Number of events that a write waits for. All that wait are written at once. Mode batch only.",
    ),
    logMaxWaitMs: maxWait("log", "0s"),
    logThrottles: throttles("log", "false"),
    logPerSecond: perSecond("log", "0"),
    logBurst: burst("log", "0"),
    logTruncates: boolean("audit-log-truncate-enabled", {
      default: "false",
      help: "Limit the size of events in the audit log.",
    }),
    logMaxEvent: maxEvent("log"),
    logMaxBatch: number("audit-log-truncate-max-batch-size", {
      default: "10485760",
      help: "Must not be less than the maximum size of an event; batches of the log are not limited.",
    }),
    webhookFile: string("audit-webhook-config-file", {
      help: "kubeconfig of a webhook that audit events are sent to.",
    }),
    webhookMode: choice("audit-webhook-mode", AUDIT_LOG_MODES, {
      default: "batch",
      help: "batch (requests do not wait for the webhook), blocking (requests wait) or blocking-strict (requests whose first event cannot be sent fail).",
    }),
    initialBackoffMs: duration("audit-webhook-initial-backoff", {
      default: "10s",
      help: "Delay before the first retry of a failed request to the webhook.",
    }),
    formerBackoffMs: duration("audit-webhook-batch-initial-backoff", {
      help: "Former name of --audit-webhook-initial-backoff.",
      deprecated: "Deprecated, use --audit-webhook-initial-backoff instead.",
    }),
    webhookVersion: version("webhook"),
    webhookBufferSize: bufferSize("webhook"),
    webhookBatchSize: batchSize("webhook", "400", "Maximum number of events in one batch. Mode batch only."),
    webhookMaxWaitMs: maxWait("webhook", "30s"),
    webhookThrottles: throttles("webhook", "true"),
    webhookPerSecond: perSecond("webhook", "10"),
    webhookBurst: burst("webhook", "15"),
    webhookTruncates: boolean("audit-webhook-truncate-enabled", {
      default: "false",
      help: "Limit the size of events and batches that are sent to the webhook.",
    }),
    webhookMaxEvent: maxEvent("webhook"),
    webhookMaxBatch: number("audit-webhook-truncate-max-batch-size", {
      default: "10485760",
      help: "Maximum size of the events of a batch in bytes; larger batches are split.",
    }),
  },
  (values) => {
    const { policy, logPath, format, mode, maxSize, maxBackups, maxAge, compress, webhookFile } = values;
    const logLimits = { maxEventBytes: values.logMaxEvent, maxBatchBytes: values.logMaxBatch };
    const truncation = logPath ? truncationOf("log", values.logTruncates, logLimits) : undefined;
    const batches = batchesOf("log", logPath && mode, {
      bufferSize: values.logBufferSize,
      maxSize: values.logBatchSize,
      maxWaitMs: values.logMaxWaitMs,
      throttles: values.logThrottles,
      perSecond: values.logPerSecond,
      burst: values.logBurst,
    });
    const log = { policy, logPath, format, mode, batches, maxSize, maxBackups, maxAge, compress, truncation };
    return { audit: { ...log, webhook: webhookFile ? webhookOf(webhookFile, values) : undefined } };
  },
);

interface WebhookFlags {
  readonly webhookMode: AuditLogMode;
  readonly initialBackoffMs: number;
  readonly formerBackoffMs: number;
  readonly webhookBufferSize: number;
  readonly webhookBatchSize: number;
  readonly webhookMaxWaitMs: number;
  readonly webhookThrottles: boolean;
  readonly webhookPerSecond: number;
  readonly webhookBurst: number;
  readonly webhookTruncates: boolean;
  readonly webhookMaxEvent: number;
  readonly webhookMaxBatch: number;
}

function webhookOf(configFile: string, flags: WebhookFlags): AuditWebhookConfig {
  const { webhookMode: mode, initialBackoffMs, formerBackoffMs } = flags;
  const batches = batchesOf("webhook", mode, {
    bufferSize: flags.webhookBufferSize,
    maxSize: flags.webhookBatchSize,
    maxWaitMs: flags.webhookMaxWaitMs,
    throttles: flags.webhookThrottles,
    perSecond: flags.webhookPerSecond,
    burst: flags.webhookBurst,
  });
  const limits = { maxEventBytes: flags.webhookMaxEvent, maxBatchBytes: flags.webhookMaxBatch };
  return {
    configFile,
    mode,
    initialBackoffMs: formerBackoffMs || initialBackoffMs,
    batches,
    truncation: truncationOf("webhook", flags.webhookTruncates, limits),
  };
}

interface BatchFlags {
  readonly bufferSize: number;
  readonly maxSize: number;
  readonly maxWaitMs: number;
  readonly throttles: boolean;
  readonly perSecond: number;
  readonly burst: number;
}

/** As in Kubernetes, the values are checked in batch mode only. */
function batchesOf(backend: string, mode: AuditLogMode | "" | undefined, flags: BatchFlags): AuditBatches {
  const { bufferSize, maxSize, maxWaitMs, throttles, perSecond, burst } = flags;
  if (mode === "batch") {
    checkPositive(`batch ${backend} buffer size`, bufferSize);
    checkPositive(`batch ${backend} max batch size`, maxSize);
    if (throttles) {
      checkPositive(`batch ${backend} throttle QPS`, perSecond);
      checkPositive(`batch ${backend} throttle burst`, burst);
    }
  }
  const throttle = throttles ? { perSecond, burst } : undefined;
  return { bufferSize, bufferBytes: BUFFER_BYTES, maxSize, maxWaitMs, throttle };
}

/** As in Kubernetes, the limits are validated even if they are not used. */
function truncationOf(backend: string, isEnabled: boolean, limits: AuditTruncation): AuditTruncation | undefined {
  const { maxEventBytes, maxBatchBytes } = limits;
  checkPositive(`truncate ${backend} max event size`, maxEventBytes);
  if (maxBatchBytes < maxEventBytes)
    throw new UsageError(
      `invalid audit truncate ${backend} max batch size ${maxBatchBytes}, must be greater than max event size (${maxEventBytes})`,
    );
  return isEnabled ? limits : undefined;
}

function checkPositive(what: string, value: number): void {
  if (value <= 0) throw new UsageError(`invalid audit ${what} ${value}, must be a positive number`);
}
