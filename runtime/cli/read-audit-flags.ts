import { AUDIT_LOG_MODES } from "../audit/audit-log.ts";
import type { AuditConfig, AuditWebhookConfig } from "../audit/open-audit.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

/** Policy, log and webhook of the audit. */
export function readAuditFlags(flags: FlagValues): AuditConfig {
  const policy = flags.string("audit-policy-file");
  return {
    policy: policy === undefined ? undefined : { path: policy, contents: readFlagFile("audit-policy-file", policy) },
    logPath: flags.string("audit-log-path"),
    format: flags.choice("audit-log-format", ["json", "legacy"]),
    mode: flags.choice("audit-log-mode", AUDIT_LOG_MODES),
    maxAge: flags.number("audit-log-maxage"),
    maxBackups: flags.number("audit-log-maxbackup"),
    maxSize: flags.number("audit-log-maxsize"),
    compress: flags.boolean("audit-log-compress"),
    webhook: readWebhook(flags),
  };
}

function readWebhook(flags: FlagValues): AuditWebhookConfig | undefined {
  const positive = (name: string, words: string): number => {
    const value = flags.number(`audit-webhook-batch-${name}`);
    if (value > 0) return value;
    throw new UsageError(`invalid audit batch webhook ${words} ${value}, must be a positive number`);
  };
  const config = {
    mode: flags.choice("audit-webhook-mode", AUDIT_LOG_MODES),
    initialBackoffMs: flags.duration("audit-webhook-initial-backoff"),
    batches: {
      bufferSize: positive("buffer-size", "buffer size"),
      maxSize: positive("max-size", "max batch size"),
      maxWaitMs: flags.duration("audit-webhook-batch-max-wait"),
      throttle: flags.boolean("audit-webhook-batch-throttle-enable")
        ? {
            perSecond: positive("throttle-qps", "throttle QPS"),
            burst: positive("throttle-burst", "throttle burst"),
          }
        : undefined,
    },
  };
  const configFile = flags.string("audit-webhook-config-file") ?? "";
  return configFile === "" ? undefined : { configFile, ...config };
}
