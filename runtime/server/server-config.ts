import type { AggregationConfig } from "../aggregation/create-aggregation.ts";
import type { AuditConfig } from "../audit/open-audit.ts";
import type { AuthenticationConfig } from "../auth/authenticate/authentication-config.ts";
import type { AuthorizationConfig } from "../auth/authorize/load-authorizers.ts";
import type { BudgetConfig } from "../http/pipeline/budgets.ts";
import type { ConnectionLimits } from "../http/transport/connection-limits.ts";
import type { EncryptionConfig } from "../store/encryption/load-encryption.ts";
import type { StoreConfig } from "../store/open-store.ts";

/** Configuration of a server, from flags or from `startPlane`. */
export interface ServerConfig extends StoreConfig, AuthenticationConfig, AuthorizationConfig {
  readonly bindAddress: string;
  /** 0 chooses a free port. */
  readonly securePort: number;
  readonly encryption: EncryptionConfig;
  readonly kubeconfigOut: string | undefined;
  /** Contents of the static token file. */
  readonly tokenAuthFile: { readonly path: string; readonly contents: string } | undefined;
  /** PEM of who signs client certificates, instead of the authority of this server. */
  readonly clientAuthority: string | undefined;
  readonly aggregation: AggregationConfig;
  readonly tls: TlsConfig;
  readonly connectionLimits: ConnectionLimits;
  readonly permitPortSharing: boolean;
  /** Part of requests after which a connection of HTTP/2 is ended gently. */
  readonly goawayChance: number;
  readonly strictTransportSecurity: readonly string[];
  readonly corsAllowedOrigins: readonly ((origin: string) => boolean)[];
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  /** Published behind the API service; undefined publishes nothing. */
  readonly advertiseAddress: string | undefined;
  /** Host name in the URLs that this server publishes. */
  readonly externalHostname: string | undefined;
  /** 0: the API service has none. */
  readonly apiServiceNodePort: number;
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
