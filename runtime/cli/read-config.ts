import type { ServerConfig } from "../server/server-config.ts";
import type { FlagValues } from "./parse-flags.ts";
import { readAggregationFlags } from "./read-aggregation-flags.ts";
import { readAuditFlags } from "./read-audit-flags.ts";
import { readAuthority } from "./read-authority.ts";
import { readBudgetFlags } from "./read-budget-flags.ts";
import { readConnectionLimits } from "./read-connection-limits.ts";
import { readEncryptionFlags } from "./read-encryption-flags.ts";
import { readEtcdFlags } from "./read-etcd-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";
import { readFrontProxyFlags } from "./read-front-proxy-flags.ts";
import { readNetworkFlags } from "./read-network-flags.ts";
import { readOidcFlags } from "./read-oidc-flags.ts";
import { readOriginPattern } from "./read-origin-pattern.ts";
import { readServiceAccounts } from "./read-service-accounts.ts";
import { readTls } from "./read-tls.ts";
import { readAuthorizationWebhookFlags, readTokenWebhookFlags } from "./read-webhook-flags.ts";

/** Turns flags into the configuration of a server. */
export function readConfig(flags: FlagValues): ServerConfig {
  const dataDir = flags.string("data-dir");
  const tokenFile = flags.string("token-auth-file");
  return {
    ...readNetworkFlags(flags),
    dataDir: dataDir === "memory" ? undefined : dataDir,
    etcd: readEtcdFlags(flags),
    encryption: readEncryptionFlags(flags),
    historyMs: flags.duration("etcd-compaction-interval") || Number.POSITIVE_INFINITY,
    certDir: flags.string("cert-dir") ?? ".typeplane/pki",
    kubeconfigOut: flags.string("kubeconfig-out"),
    tokenAuthFile:
      tokenFile === undefined ? undefined : { path: tokenFile, contents: readFlagFile("token-auth-file", tokenFile) },
    clientAuthority: readAuthority(flags, "client-ca-file"),
    frontProxy: readFrontProxyFlags(flags),
    aggregation: readAggregationFlags(flags),
    tls: readTls(flags),
    connectionLimits: readConnectionLimits(flags),
    permitPortSharing: flags.boolean("permit-port-sharing"),
    goawayChance: flags.fraction("goaway-chance", MOST_GOAWAYS),
    strictTransportSecurity: flags.list("strict-transport-security-directives"),
    corsAllowedOrigins: flags.list("cors-allowed-origins").map(readOriginPattern),
    authorizationModes: flags.list("authorization-mode"),
    authorizationConfig: flags.string("authorization-config"),
    authorizationWebhook: readAuthorizationWebhookFlags(flags),
    anonymousAuth: flags.boolean("anonymous-auth"),
    anonymousAuthGiven: flags.given("anonymous-auth"),
    authenticationConfig: flags.string("authentication-config"),
    oidc: readOidcFlags(flags),
    tokenWebhook: readTokenWebhookFlags(flags),
    serviceAccounts: readServiceAccounts(flags),
    apiAudiences: flags.list("api-audiences"),
    release: flags.string("release"),
    runtimeConfig: flags.list("runtime-config").join(","),
    featureGates: flags.list("feature-gates").join(","),
    showHiddenMetricsFor: flags.string("show-hidden-metrics-for-version") ?? "",
    enabledPlugins: flags.list("enable-admission-plugins"),
    disabledPlugins: flags.list("disable-admission-plugins"),
    admissionConfig: flags.string("admission-control-config-file"),
    allowPrivileged: flags.boolean("allow-privileged"),
    tolerationSeconds: {
      notReady: flags.number("default-not-ready-toleration-seconds"),
      unreachable: flags.number("default-unreachable-toleration-seconds"),
    },
    garbageCollector: flags.boolean("enable-garbage-collector"),
    deleteCollectionWorkers: Math.max(1, flags.number("delete-collection-workers")),
    controllers: flags.boolean("controllers"),
    requestTimeoutMs: flags.duration("request-timeout"),
    minRequestTimeoutSeconds: flags.number("min-request-timeout"),
    budgets: readBudgetFlags(flags),
    eventTtlSeconds: flags.duration("event-ttl") / 1000,
    livezGraceMs: flags.duration("livez-grace-period"),
    audit: readAuditFlags(flags),
    shutdownDelayMs: flags.duration("shutdown-delay-duration"),
  };
}

/** Maximum of `--goaway-chance`, as in kube-apiserver. */
const MOST_GOAWAYS = 0.02;
