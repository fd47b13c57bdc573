import { readConfigKinds } from "../../generated/registry.ts";
import { eventJson } from "../audit/audit-event.ts";
import { AuditLog } from "../audit/audit-log.ts";
import { type AuditPolicy, compilePolicy } from "../audit/audit-policy.ts";
import { Auditor } from "../audit/auditor.ts";
import { checkPolicy } from "../audit/check-policy.ts";
import { legacyLine } from "../audit/legacy-line.ts";
import { type LogDestination, LogFile, streamDestination } from "../audit/log-file.ts";
import { fieldErrorText } from "../contract/field-error.ts";
import { type Metric, NumberMetric } from "../http/metrics/metric.ts";
import type { Log } from "../lib/log.ts";
import { microClock } from "../lib/micro-time.ts";
import { ConfigFileError, ConfigFileLoader } from "../schema/load-config-file.ts";
import type { Platform } from "./platform.ts";
import type { AuditConfig } from "./server-config.ts";

export interface Audit {
  readonly auditor: Auditor;
  readonly metrics: readonly Metric[];
  /** Writes what is left. */
  close(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = 100;

/**
 * The audit log as flags ask for it; undefined where there is no policy or no log. Throws for what cannot be used; what it
 * returns opens the log.
 */
export function prepareAudit(config: AuditConfig, platform: Platform, log: Log): (() => Promise<Audit>) | undefined {
  const { policy: file, logPath } = config;
  const policy = file && loadPolicy(file.path, file.contents, platform);
  if (policy === undefined || logPath === undefined || logPath === "") {
    if (policy !== undefined) log("warn", "there is an audit policy but no --audit-log-path: nothing is audited");
    if (logPath) log("warn", "there is an --audit-log-path but no --audit-policy-file: nothing is audited");
    return undefined;
  }
  return () => openAudit(policy, logPath, { config, platform, log });
}

async function openAudit(
  policy: AuditPolicy,
  logPath: string,
  { config, platform, log }: { config: AuditConfig; platform: Platform; log: Log },
): Promise<Audit> {
  const counters = createCounters();
  const apiVersion = `${platform.naming.group("audit")}/v1`;
  const sink = new AuditLog({
    destination: await openDestination(logPath, config, log),
    mode: config.mode,
    format: config.format === "legacy" ? legacyLine : (event) => eventJson(event, apiVersion),
    onLost(events, why) {
      counters.errors.add(events, "log");
      log("error", `${events} audit events are lost: ${why}`);
    },
  });
  const auditor = new Auditor({
    verdictOn: compilePolicy(policy),
    sink: {
      accept(event) {
        counters.events.add(1);
        return sink.accept(event);
      },
    },
    micros: microClock(Date.now, () => performance.now()),
    onLevel: (level) => counters.levels.add(1, level),
    onRejected: () => counters.rejected.add(1),
  });
  return { auditor, metrics: Object.values(counters), close: () => sink.close() };
}

function loadPolicy(path: string, contents: string, { schemas }: Platform): AuditPolicy {
  const loader = new ConfigFileLoader(schemas, readConfigKinds());
  const policy = loader.load<AuditPolicy>(path, contents, ["Policy"]).object;
  const errors = checkPolicy(policy);
  if (errors.length > 0) {
    throw new ConfigFileError(errors.map((error) => `${path}: ${fieldErrorText(error)}`).join("\n"));
  }
  return policy;
}

async function openDestination(path: string, config: AuditConfig, log: Log): Promise<LogDestination> {
  if (path === "-") return streamDestination(process.stdout);
  try {
    return await LogFile.open({
      path,
      maxBytes: (config.maxSize === 0 ? DEFAULT_MEGABYTES : config.maxSize) * MEGABYTE,
      maxAgeDays: config.maxAge,
      maxBackups: config.maxBackups,
      compress: config.compress,
      now: () => new Date(),
      onProblem: (message) => log("error", message),
    });
  } catch (error) {
    throw new ConfigFileError(`--audit-log-path=${path}: ${(error as Error).message}`, { cause: error });
  }
}

function createCounters() {
  return {
    events: new NumberMetric("counter", "apiserver_audit_event_total", "Audit events that were made."),
    errors: new NumberMetric("counter", "apiserver_audit_error_total", "Audit events that are lost, by log.", [
      "plugin",
    ]),
    levels: new NumberMetric(
      "counter",
      "apiserver_audit_level_total",
      "Requests, by how much is written down of them.",
      ["level"],
    ),
    rejected: new NumberMetric(
      "counter",
      "apiserver_audit_requests_rejected_total",
      "Requests refused because they could not be written down.",
    ),
  };
}
