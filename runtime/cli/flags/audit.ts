import { AUDIT_LOG_MODES } from "../../audit/audit-log.ts";
import { UsageError } from "../usage-error.ts";
import { boolean, choice, duration, file, number, string } from "./flag.ts";
import { section } from "./section.ts";

const positive = (name: string, fallback: string, what: string, help: string) =>
  number(name, { default: fallback, help }).to((value) => checkPositive(what, value));

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
    bufferSize: positive(
      "audit-webhook-batch-buffer-size",
      "10000",
      "buffer size",
      "Maximum number of events that wait to be sent. Events beyond it are dropped and counted. Mode batch only.",
    ),
    batchSize: positive(
      "audit-webhook-batch-max-size",
      "400",
      "max batch size",
      "Maximum number of events in one batch. Mode batch only.",
    ),
    maxWaitMs: duration("audit-webhook-batch-max-wait", {
      default: "30s",
      help: "Maximum time until an incomplete batch is sent. Mode batch only.",
    }),
    throttles: boolean("audit-webhook-batch-throttle-enable", {
      default: "true",
      help: "Limit the rate of batches. Mode batch only.",
    }),
    perSecond: number("audit-webhook-batch-throttle-qps", {
      default: "10",
      help: "Maximum number of batches per second.",
    }),
    burst: number("audit-webhook-batch-throttle-burst", {
      default: "15",
      help: "Maximum number of batches that are sent at once after a pause.",
    }),
  },
  ({ webhookFile = "", webhookMode, initialBackoffMs, bufferSize, batchSize, maxWaitMs, ...rest }) => {
    const { throttles, perSecond, burst, ...log } = rest;
    const throttle = throttles
      ? { perSecond: checkPositive("throttle QPS", perSecond), burst: checkPositive("throttle burst", burst) }
      : undefined;
    const batches = { bufferSize, maxSize: batchSize, maxWaitMs, throttle };
    const webhook = { configFile: webhookFile, mode: webhookMode, initialBackoffMs, batches };
    return { audit: { ...log, webhook: webhookFile === "" ? undefined : webhook } };
  },
);

function checkPositive(what: string, value: number): number {
  if (value > 0) return value;
  throw new UsageError(`invalid audit batch webhook ${what} ${value}, must be a positive number`);
}
