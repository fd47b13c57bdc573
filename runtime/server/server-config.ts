import type { AuditLogMode } from "../audit/audit-log.ts";
import type { AuditBatches } from "../audit/audit-webhook.ts";
import type { OidcOptions } from "../auth/authenticate/jwt/oidc-options.ts";
import type { FrontProxyTrust } from "../contract/authentication.ts";
import type { ConnectionLimits } from "../http/transport/connection-limits.ts";

/** Configuration of a server, from flags or from `startPlane`. */
export interface ServerConfig {
  readonly bindAddress: string;
  /** 0 chooses a free port. */
  readonly securePort: number;
  /** Absent: nothing is kept on disk. */
  readonly dataDir: string | undefined;
  readonly etcd: EtcdConfig | undefined;
  /** File of kind EncryptionConfiguration, and whether it is read again when it changes. */
  readonly encryption: { readonly file: string | undefined; readonly reload: boolean };
  /** How long superseded objects stay watchable and readable; infinite when they are never forgotten. */
  readonly historyMs: number;
  readonly certDir: string;
  readonly kubeconfigOut: string | undefined;
  /** Contents of the static token file. */
  readonly tokenAuthFile: { readonly path: string; readonly contents: string } | undefined;
  /** PEM of who signs client certificates, instead of the authority of this server. */
  readonly clientAuthority: string | undefined;
  /** Proxies whose headers are believed. */
  readonly frontProxy: FrontProxyTrust | undefined;
  readonly aggregation: AggregationConfig;
  readonly tls: TlsConfig;
  readonly connectionLimits: ConnectionLimits;
  readonly permitPortSharing: boolean;
  /** Part of requests after which a connection of HTTP/2 is ended gently. */
  readonly goawayChance: number;
  readonly strictTransportSecurity: readonly string[];
  readonly corsAllowedOrigins: readonly ((origin: string) => boolean)[];
  readonly authorizationModes: readonly string[];
  /** File of kind AuthorizationConfiguration, instead of modes. */
  readonly authorizationConfig: string | undefined;
  /** The webhook of mode Webhook. */
  readonly authorizationWebhook: AuthorizationWebhookFlags | undefined;
  readonly anonymousAuth: boolean;
  /** Whether `--anonymous-auth` was set explicitly. */
  readonly anonymousAuthGiven: boolean;
  /** File of kind AuthenticationConfiguration. */
  readonly authenticationConfig: string | undefined;
  readonly oidc: OidcOptions | undefined;
  /** A webhook that authenticates bearer tokens. */
  readonly tokenWebhook:
    | { readonly configFile: string; readonly version: string; readonly cacheMs: number }
    | undefined;
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  readonly serviceAccounts: ServiceAccountConfig;
  /** Published behind the API service; undefined publishes nothing. */
  readonly advertiseAddress: string | undefined;
  /** Host name in the URLs that this server publishes. */
  readonly externalHostname: string | undefined;
  /** 0: the API service has none. */
  readonly apiServiceNodePort: number;
  readonly apiAudiences: readonly string[];
  readonly release: string | undefined;
  readonly runtimeConfig: string;
  readonly featureGates: string;
  /** The release before, whose metrics are shown although they are hidden by now; empty hides them. */
  readonly showHiddenMetricsFor: string;
  readonly enabledPlugins: readonly string[];
  readonly disabledPlugins: readonly string[];
  /** File of kind AdmissionConfiguration. */
  readonly admissionConfig: string | undefined;
  /** Whether containers may run as if they were the host. */
  readonly allowPrivileged: boolean;
  readonly tolerationSeconds: { readonly notReady: number; readonly unreachable: number };
  /** Whether deletions wait for dependents or orphan them, and dependents are collected. */
  readonly garbageCollector: boolean;
  readonly deleteCollectionWorkers: number;
  /** Whether namespaces are emptied, owners' dependents collected and defaults made by this server itself. */
  readonly controllers: boolean;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutSeconds: number;
  readonly budgets: BudgetConfig;
  readonly eventTtlSeconds: number;
  readonly livezGraceMs: number;
  readonly audit: AuditConfig;
  readonly shutdownDelayMs: number;
}

/** What users may have of the server at a time; 0 is no limit. */
export interface BudgetConfig {
  /** Requests that are worked on. */
  readonly reads: number;
  readonly writes: number;
  /** Watches, logs and connections. */
  readonly longRunning: UserLimits;
  /** Of bodies that are on their way. */
  readonly requestBodyBytes: UserLimits;
  /** Of responses that clients have still to read. */
  readonly responseBytes: UserLimits;
  /** Of objects that watches have still to send. */
  readonly watchBacklogBytes: number;
}

export interface UserLimits {
  readonly perUser: number;
  readonly total: number;
}

export interface TlsConfig {
  /** PEM; made by the server itself where absent. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly minVersion: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** As OpenSSL writes them; empty leaves the choice to Node. */
  readonly ciphers: string;
  readonly http2: boolean;
  /** Requests at a time on one connection of HTTP/2. */
  readonly maxStreams: number;
}

/** How requests for groups of other servers are passed on to them. */
export interface AggregationConfig {
  /** What this server shows them; made by the server itself where absent. */
  readonly client: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  /** Whether they go straight to an endpoint rather than to the address of the service. */
  readonly toEndpoints: boolean;
  /** Whether answers that lead elsewhere are refused. */
  readonly rejectsRedirects: boolean;
}

export interface ServiceAccountConfig {
  /** The first is that of new tokens; all are accepted. At least one. */
  readonly issuers: readonly [string, ...string[]];
  /** PEM of the key that signs; the server makes one where it is absent. */
  readonly signingKey: string | undefined;
  /** PEM of keys, private or public, that may have signed besides. */
  readonly keys: readonly string[];
  /** 0 is no limit. */
  readonly maxTokenSeconds: number;
  readonly extendsTokens: boolean;
  /** Whether Secret and account of an old token must exist. */
  readonly looksUp: boolean;
  readonly jwksUri: string | undefined;
}

/** What is written down about requests, and where. */
export interface AuditConfig {
  /** Contents of the policy file; without one nothing is written down. */
  readonly policy: { readonly path: string; readonly contents: string } | undefined;
  /** `-` is standard output; without one there is no log. */
  readonly logPath: string | undefined;
  readonly format: "json" | "legacy";
  readonly mode: AuditLogMode;
  /** Days; 0 keeps files whatever their age. */
  readonly maxAge: number;
  /** Files; 0 keeps all. */
  readonly maxBackups: number;
  /** Megabytes; 0 is the default, a hundred. */
  readonly maxSize: number;
  readonly compress: boolean;
  /** Where events are sent besides. */
  readonly webhook: AuditWebhookConfig | undefined;
}

export interface AuditWebhookConfig {
  /** A kubeconfig. */
  readonly configFile: string;
  readonly mode: AuditLogMode;
  readonly initialBackoffMs: number;
  readonly batches: AuditBatches;
}

export interface EtcdConfig {
  readonly servers: readonly string[];
  readonly prefix: string;
  /** PEM, each. */
  readonly authority: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

export interface AuthorizationWebhookFlags {
  /** A kubeconfig. */
  readonly configFile: string;
  /** Version of the reviews it is sent: `v1` or `v1beta1`. */
  readonly version: string;
  /** Durations such as `5m0s`. */
  readonly authorizedTtl: string;
  readonly unauthorizedTtl: string;
}
