import { isIP } from "node:net";
import type { ServerConfig } from "../compose/server-config.ts";
import { hostAddress, isLoopback, isUnspecified } from "../lib/host-address.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readAuditFlags } from "./read-audit-flags.ts";
import { readEncryptionFlags } from "./read-encryption-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";
import { readOidcFlags } from "./read-oidc-flags.ts";
import { readServiceAccounts } from "./read-service-accounts.ts";
import { readTls } from "./read-tls.ts";
import { readAuthorizationWebhookFlags, readTokenWebhookFlags } from "./read-webhook-flags.ts";

/** Turns flags into what a server is told. */
export function readConfig(flags: FlagValues): ServerConfig {
  const dataDir = flags.string("data-dir");
  const etcdServers = flags.list("etcd-servers");
  const tokenFile = flags.string("token-auth-file");
  return {
    bindAddress: flags.string("bind-address") ?? "127.0.0.1",
    securePort: flags.number("secure-port"),
    dataDir: dataDir === "memory" ? undefined : dataDir,
    etcd:
      etcdServers.length === 0
        ? undefined
        : {
            servers: etcdServers,
            prefix: flags.string("etcd-prefix") ?? "/registry",
            caFile: flags.string("etcd-cafile"),
            certFile: flags.string("etcd-certfile"),
            keyFile: flags.string("etcd-keyfile"),
          },
    encryption: readEncryptionFlags(flags),
    historyMs: flags.duration("etcd-compaction-interval") || Number.POSITIVE_INFINITY,
    certDir: flags.string("cert-dir") ?? ".typeplane/pki",
    kubeconfigOut: flags.string("kubeconfig-out"),
    tokenAuthFile:
      tokenFile === undefined ? undefined : { path: tokenFile, contents: readFlagFile("token-auth-file", tokenFile) },
    clientCaFile: flags.string("client-ca-file"),
    tls: readTls(flags),
    permitPortSharing: flags.boolean("permit-port-sharing"),
    goawayChance: flags.fraction("goaway-chance", MOST_GOAWAYS),
    strictTransportSecurity: flags.list("strict-transport-security-directives"),
    corsAllowedOrigins: flags.list("cors-allowed-origins").map(readOrigin),
    authorizationModes: flags.list("authorization-mode"),
    authorizationConfig: flags.string("authorization-config"),
    authorizationWebhook: readAuthorizationWebhookFlags(flags),
    anonymousAuth: flags.boolean("anonymous-auth"),
    anonymousAuthGiven: flags.given("anonymous-auth"),
    authenticationConfig: flags.string("authentication-config"),
    oidc: readOidcFlags(flags),
    tokenWebhook: readTokenWebhookFlags(flags),
    serviceClusterIpRange: flags.string("service-cluster-ip-range") ?? "10.0.0.0/24",
    serviceNodePortRange: flags.string("service-node-port-range") ?? "30000-32767",
    serviceAccounts: readServiceAccounts(flags),
    advertiseAddress: readAdvertised(flags),
    externalHostname: flags.string("external-hostname") ?? flags.string("advertise-address"),
    apiServiceNodePort: flags.number("kubernetes-service-node-port"),
    apiAudiences: flags.list("api-audiences"),
    release: flags.string("release"),
    runtimeConfig: flags.list("runtime-config").join(","),
    featureGates: flags.list("feature-gates").join(","),
    showHiddenMetricsFor: flags.string("show-hidden-metrics-for-version") ?? "",
    enabledPlugins: flags.list("enable-admission-plugins"),
    disabledPlugins: flags.list("disable-admission-plugins"),
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
    maxRequestsInflight: flags.number("max-requests-inflight"),
    maxMutatingRequestsInflight: flags.number("max-mutating-requests-inflight"),
    eventTtlSeconds: flags.duration("event-ttl") / 1000,
    livezGraceMs: flags.duration("livez-grace-period"),
    audit: readAuditFlags(flags),
    shutdownDelayMs: flags.duration("shutdown-delay-duration"),
  };
}

/** Connections that end more often than this cost more than they spread. */
const MOST_GOAWAYS = 0.02;

/** Where others reach this server: nobody else reaches loopback. */
function readAdvertised(flags: FlagValues): string | undefined {
  const asked = flags.string("advertise-address");
  if (asked !== undefined && isIP(asked) === 0) {
    throw new UsageError(`--advertise-address=${asked}: not an IP address`);
  }
  if (flags.choice("endpoint-reconciler-type", ["lease", "none"]) === "none") return undefined;
  const address = asked ?? flags.string("bind-address") ?? "";
  const reachable = isUnspecified(address) ? hostAddress(address) : address;
  return reachable === undefined || isLoopback(reachable) ? undefined : reachable;
}

function readOrigin(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw new UsageError(`--cors-allowed-origins: ${pattern} is not a regular expression`);
  }
}
