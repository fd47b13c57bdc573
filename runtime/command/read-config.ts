import type { ServerConfig } from "../compose/server-config.ts";
import type { FlagValues } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";
import { readOidcFlags } from "./read-oidc-flags.ts";

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
    certDir: flags.string("cert-dir") ?? ".typeplane/pki",
    kubeconfigOut: flags.string("kubeconfig-out"),
    tokenAuthFile:
      tokenFile === undefined ? undefined : { path: tokenFile, contents: readFlagFile("token-auth-file", tokenFile) },
    clientCaFile: flags.string("client-ca-file"),
    tlsCertFile: flags.string("tls-cert-file"),
    tlsPrivateKeyFile: flags.string("tls-private-key-file"),
    authorizationModes: flags.list("authorization-mode"),
    anonymousAuth: flags.boolean("anonymous-auth"),
    anonymousAuthGiven: flags.given("anonymous-auth"),
    authenticationConfig: flags.string("authentication-config"),
    oidc: readOidcFlags(flags),
    serviceClusterIpRange: flags.string("service-cluster-ip-range") ?? "10.0.0.0/24",
    serviceNodePortRange: flags.string("service-node-port-range") ?? "30000-32767",
    serviceAccountIssuer: flags.string("service-account-issuer") ?? "",
    apiAudiences: flags.list("api-audiences"),
    release: flags.string("release"),
    runtimeConfig: flags.list("runtime-config").join(","),
    featureGates: flags.list("feature-gates").join(","),
    showHiddenMetricsFor: flags.string("show-hidden-metrics-for-version") ?? "",
    enabledPlugins: flags.list("enable-admission-plugins"),
    disabledPlugins: flags.list("disable-admission-plugins"),
    controllers: flags.boolean("controllers"),
    requestTimeoutMs: flags.duration("request-timeout"),
    minRequestTimeoutSeconds: flags.number("min-request-timeout"),
    maxRequestsInflight: flags.number("max-requests-inflight"),
    maxMutatingRequestsInflight: flags.number("max-mutating-requests-inflight"),
    eventTtlSeconds: flags.duration("event-ttl") / 1000,
    shutdownDelayMs: flags.duration("shutdown-delay-duration"),
  };
}
