import { openWebhook } from "../auth/webhook/open-webhook.ts";
import { fieldErrorText } from "../contract/field-error.ts";
import type { Naming } from "../contract/naming.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { type Metric, NumberMetric } from "../metrics/metric.ts";
import type { Route } from "../outbound/dial.ts";
import { ConfigFileError, type ConfigFileLoader } from "../schema/load-config-file.ts";
import type { AuditBatches } from "./audit-batches.ts";
import { eventItemJson, eventJson, eventListJson } from "./audit-event.ts";
import { AuditLog, type AuditLogMode } from "./audit-log.ts";
import { type AuditPolicy, compilePolicy } from "./audit-policy.ts";
import { AuditWebhook } from "./audit-webhook.ts";
import { Auditor } from "./auditor.ts";
import { checkPolicy } from "./check-policy.ts";
import { legacyLine } from "./legacy-line.ts";
import { type LogDestination, LogFile, streamDestination } from "./log-file.ts";
import { microClock } from "./micro-clock.ts";
import { reportLosses } from "./report-losses.ts";
import type { AuditSink } from "./request-trail.ts";
import { type AuditTruncation, truncateEvents } from "./truncate-events.ts";

/** Settings of auditing: which requests are audited, and where events are sent. */
export interface AuditConfig {
  /** Contents of the policy file. Without it, nothing is audited. */
  readonly policy: { readonly path: string; readonly contents: string } | undefined;
  /** Path of the log; `-` is standard output. Undefined disables the log. */
  readonly logPath: string | undefined;
  readonly format: "json" | "legacy";
  readonly mode: AuditLogMode;
  /** Batches of the log in batch mode. */
  readonly batches: AuditBatches;
  /** Days for which rotated files are kept; 0 keeps them regardless of age. */
  readonly maxAge: number;
  /** Number of rotated files that are kept; 0 keeps all. */
  readonly maxBackups: number;
  /** Maximum size of the log in megabytes; 0 selects the default of 100. */
  readonly maxSize: number;
  readonly compress: boolean;
  /** Size limits of events in the log; undefined for none. */
  readonly truncation: AuditTruncation | undefined;
  /** A webhook that also receives the events. */
  readonly webhook: AuditWebhookConfig | undefined;
  /** Destination that replaces the file of `logPath`, if another process writes it. */
  readonly destination?: LogDestination;
}

export interface AuditWebhookConfig {
  /** Path of a kubeconfig. */
  readonly configFile: string;
  readonly mode: AuditLogMode;
  readonly initialBackoffMs: number;
  readonly batches: AuditBatches;
  readonly truncation: AuditTruncation | undefined;
}

/** The loader of configuration files, and the naming of this server. */
export interface AuditContext {
  readonly configFiles: ConfigFileLoader;
  /** Proxy to the webhook; undefined for direct connections. */
  readonly route: Route | undefined;
  readonly naming: Naming;
  readonly log: Log;
}

export interface Audit {
  readonly auditor: Auditor;
  readonly metrics: readonly Metric[];
  /** Writes the remaining events. */
  close(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = 100;

/** A destination of events that can be closed. */
interface Sink extends AuditSink {
  close(): Promise<void>;
}

interface SinkParts extends AuditContext {
  readonly config: AuditConfig;
  readonly apiVersion: string;
  readonly counters: ReturnType<typeof createCounters>;
}

/** Timeout of a webhook request. */
const WEBHOOK_TIMEOUT_MS = 60_000;
/** Milliseconds for which a stopping server waits for the webhook. */
const CLOSE_MS = 5_000;

/**
 * Prepares auditing as configured by flags; undefined without a policy or a destination. Throws for an invalid configuration. The returned function
 * opens the log.
 */
export async function prepareAudit(
  config: AuditConfig,
  context: AuditContext,
): Promise<(() => Promise<Audit>) | undefined> {
  const { policy: file, logPath = "", webhook } = config;
  const { log } = context;
  const policy = file && loadPolicy(file.path, file.contents, context.configFiles);
  const destinations = [logPath !== "" && "--audit-log-path", webhook && "--audit-webhook-config-file"].filter(Boolean);
  if (policy === undefined || destinations.length === 0) {
    const [given] = destinations;
    if (policy !== undefined)
      log(
        "warn",
        "--audit-policy-file has no effect without --audit-log-path or --audit-webhook-config-file: nothing is audited",
      );
    else if (given) log("warn", `${given} has no effect without --audit-policy-file: nothing is audited`);
    return undefined;
  }
  const parts = {
    ...context,
    config,
    apiVersion: `${context.naming.group("audit")}/v1`,
    counters: createCounters(),
  };
  const toWebhook = webhook && (await prepareWebhook(webhook, parts));
  return async () => {
    const sinks = [...(logPath === "" ? [] : [await openLog(logPath, parts)]), ...(toWebhook ? [toWebhook] : [])];
    return openAudit(policy, sinks, parts);
  };
}

function openAudit(policy: AuditPolicy, sinks: readonly Sink[], { counters, naming }: SinkParts): Audit {
  const auditor = new Auditor({
    verdictOn: compilePolicy(policy),
    sink: {
      accept(event) {
        counters.events.add(1);
        const waits = sinks.flatMap((sink) => sink.accept(event) ?? []);
        return waits.length === 0 ? undefined : Promise.all(waits).then((taken) => taken.every(Boolean));
      },
    },
    latencyGroup: naming.group("apiserver.latency"),
    micros: microClock(Date.now, () => performance.now()),
    onLevel: (level) => counters.levels.add(1, level),
    onRejected: () => counters.rejected.add(1),
  });
  return {
    auditor,
    metrics: Object.values(counters),
    async close() {
      await Promise.all(sinks.map((sink) => sink.close()));
    },
  };
}

async function openLog(path: string, parts: SinkParts): Promise<Sink> {
  const { config, apiVersion, counters, log } = parts;
  const report = reportLosses(log, systemClock);
  const sink = new AuditLog({
    destination: config.destination ?? (await openDestination(path, config, log)),
    mode: config.mode,
    batches: config.batches,
    clock: systemClock,
    format: config.format === "legacy" ? legacyLine : (event) => eventJson(event, apiVersion),
    onLost(events, why, noRoom) {
      counters.errors.add(events, noRoom ? "buffered" : "log");
      report(events, why);
    },
  });
  const { accept } = truncated(sink, config.truncation, parts);
  return { accept, close: () => sink.close() };
}

/** Wraps a sink with the configured size limits. */
function truncated(
  sink: AuditSink,
  truncation: AuditTruncation | undefined,
  { apiVersion, naming, counters, log }: SinkParts,
): AuditSink {
  if (truncation === undefined) return { accept: (event) => sink.accept(event) };
  const report = reportLosses(log, systemClock);
  return truncateEvents(sink, {
    maxEventBytes: truncation.maxEventBytes,
    // Includes the final newline.
    sizeOf: (event) => Buffer.byteLength(eventJson(event, apiVersion)) + 1,
    annotation: `${naming.group("audit")}/truncated`,
    onLost() {
      counters.errors.add(1, "truncate");
      report(1, "event is too large even after truncating");
    },
  });
}

async function prepareWebhook(
  { configFile, mode, initialBackoffMs, batches, truncation }: AuditWebhookConfig,
  parts: SinkParts,
): Promise<Sink> {
  const { configFiles, route, apiVersion, counters, log } = parts;
  const client = await openWebhook(configFiles, configFile, WEBHOOK_TIMEOUT_MS, {
    firstDelayMs: initialBackoffMs,
    retriesAll: true,
    route,
  });
  const report = reportLosses(log, systemClock);
  const sink = new AuditWebhook({
    mode,
    batches: { ...batches, maxBatchBytes: truncation?.maxBatchBytes },
    format: eventItemJson,
    send: (events) => client.deliver(eventListJson(events, apiVersion)),
    clock: systemClock,
    onLost(events, why, noRoom) {
      counters.errors.add(events, noRoom ? "buffered" : "webhook");
      report(events, why);
    },
  });
  const { accept } = truncated(sink, truncation, parts);
  return {
    accept,
    async close() {
      client.hurry();
      const given = Promise.withResolvers<void>();
      const cancel = systemClock.after(CLOSE_MS, given.resolve);
      await Promise.race([sink.close(), given.promise]);
      cancel();
      client.close();
    },
  };
}

function loadPolicy(path: string, contents: string, loader: ConfigFileLoader): AuditPolicy {
  const policy = loader.load<AuditPolicy>(path, contents, ["Policy"]).object;
  const errors = checkPolicy(policy);
  if (errors.length > 0) {
    throw new ConfigFileError(errors.map((error) => `${path}: ${fieldErrorText(error)}`).join("\n"));
  }
  return policy;
}

/** Opens the audit log. Throws a ConfigFileError if it cannot be written. */
export async function openDestination(path: string, config: AuditConfig, log: Log): Promise<LogDestination> {
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
    events: new NumberMetric("counter", "apiserver_audit_event_total", "Number of audit events generated."),
    errors: new NumberMetric(
      "counter",
      "apiserver_audit_error_total",
      "Number of audit events that were lost, by backend.",
      ["plugin"],
    ),
    levels: new NumberMetric("counter", "apiserver_audit_level_total", "Number of requests, by audit level.", [
      "level",
    ]),
    rejected: new NumberMetric(
      "counter",
      "apiserver_audit_requests_rejected_total",
      "Number of requests rejected because the audit event could not be written.",
    ),
  };
}
