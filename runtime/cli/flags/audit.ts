import { AUDIT_LOG_MODES, type AuditLogMode } from "../../audit/audit-log.ts";
import type { AuditWebhookConfig } from "../../audit/open-audit.ts";
import type { AuditTruncation } from "../../audit/truncate-events.ts";
import { UsageError } from "../usage-error.ts";
import { boolean, choice, duration, file, fraction, number, string } from "./flag.ts";
import { section } from "./section.ts";

/** Memory for events that wait for a webhook. */
const BUFFER_BYTES = 128 * 1024 * 1024;

const maxEvent = (backend: string) =>
  number(`audit-${backend}-truncate-max-event-size`, {
    default: "102400",
    help: "Maximum size of an event in bytes. A larger one loses its request and response objects; if it is still larger, it is dropped and counted.",
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
    logTruncates: boolean("audit-log-truncate-enabled", {
      default: "false",
      help: "Limit the size of events in the audit log.",
    }),
    logMaxEvent: maxEvent("log"),
    logMaxBatch: number("audit-log-truncate-max-batch-size", {
      default: "10485760",
      help: "Must not be less than the maximum size of an event; the log has no batches.",
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
    bufferSize: number("audit-webhook-batch-buffer-size", {
      default: "10000",
      help: "Maximum number of events that wait to be sent. Events beyond it are dropped and counted. Mode batch only.",
    }),
    batchSize: number("audit-webhook-batch-max-size", {
      default: "400",
      help: "Maximum number of events in one batch. Mode batch only.",
    }),
    maxWaitMs: duration("audit-webhook-batch-max-wait", {
      default: "30s",
      help: "Maximum time until an incomplete batch is sent. Mode batch only.",
    }),
    throttles: boolean("audit-webhook-batch-throttle-enable", {
      default: "true",
      help: "Limit the rate of batches. Mode batch only.",
    }),
    perSecond: fraction("audit-webhook-batch-throttle-qps", Number.MAX_SAFE_INTEGER, {
      default: "10",
      help: "Maximum number of batches per second.",
    }),
    burst: number("audit-webhook-batch-throttle-burst", {
      default: "15",
      help: "Maximum number of batches that are sent at once after a pause.",
    }),
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
    const { policy, logPath, format, mode, maxSize, maxBackups, maxAge, compress } = values;
    const logLimits = { maxEventBytes: values.logMaxEvent, maxBatchBytes: values.logMaxBatch };
    const truncation = logPath ? truncationOf("log", values.logTruncates, logLimits) : undefined;
    const log = { policy, logPath, format, mode, maxSize, maxBackups, maxAge, compress, truncation };
    return { audit: { ...log, webhook: values.webhookFile ? webhookOf(values.webhookFile, values) : undefined } };
  },
);

interface WebhookFlags {
  readonly webhookMode: AuditLogMode;
  readonly initialBackoffMs: number;
  readonly bufferSize: number;
  readonly batchSize: number;
  readonly maxWaitMs: number;
  readonly throttles: boolean;
  readonly perSecond: number;
  readonly burst: number;
  readonly webhookTruncates: boolean;
  readonly webhookMaxEvent: number;
  readonly webhookMaxBatch: number;
}

function webhookOf(configFile: string, flags: WebhookFlags): AuditWebhookConfig {
  const { webhookMode: mode, initialBackoffMs, bufferSize, batchSize, maxWaitMs, perSecond, burst } = flags;
  if (mode === "batch") {
    checkPositive("batch webhook buffer size", bufferSize);
    checkPositive("batch webhook max batch size", batchSize);
    if (flags.throttles) {
      checkPositive("batch webhook throttle QPS", perSecond);
      checkPositive("batch webhook throttle burst", burst);
    }
  }
  const limits = { maxEventBytes: flags.webhookMaxEvent, maxBatchBytes: flags.webhookMaxBatch };
  const throttle = flags.throttles ? { perSecond, burst } : undefined;
  const batches = { bufferSize, bufferBytes: BUFFER_BYTES, maxSize: batchSize, maxWaitMs, throttle };
  return {
    configFile,
    mode,
    initialBackoffMs,
    batches,
    truncation: truncationOf("webhook", flags.webhookTruncates, limits),
  };
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
