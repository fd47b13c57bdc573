import type { AggregationConfig } from "../aggregation/create-aggregation.ts";
import type { AuditConfig } from "../audit/open-audit.ts";
import type { AuthenticationConfig, FileContents } from "../auth/authenticate/authentication-config.ts";
import type { AuthorizationConfig } from "../auth/authorize/load-authorizers.ts";
import type { DisturbSettings } from "../disturb/disturb-settings.ts";
import type { BudgetConfig } from "../http/pipeline/budgets.ts";
import type { ConnectionLimits } from "../http/transport/connection-limits.ts";
import type { KeyPairInFiles } from "../lib/follow-key-pair.ts";
import type { LogFormat } from "../lib/log.ts";
import type { NodeSettings } from "../nodes/connection-target.ts";
import type { KubeletCredentials } from "../nodes/node-transports.ts";
import type { EncryptionConfig } from "../store/encryption/load-encryption.ts";
import type { StoreConfig } from "../store/open-store.ts";

/** Connections to nodes, as set by flags. */
export interface NodeConfig extends NodeSettings {
  readonly timeoutMs: number;
  readonly credentials: KubeletCredentials;
}

/** Configuration of a server, from flags or from `startPlane`. */
export interface ServerConfig extends StoreConfig, AuthenticationConfig, AuthorizationConfig {
  readonly bindAddress: string;
  /** 0 chooses a free port. */
  readonly securePort: number;
  readonly encryption: EncryptionConfig;
  readonly kubeconfigOut: string | undefined;
  /** Contents of the static token file. */
  readonly tokenAuthFile: FileContents | undefined;
  /** PEM of the CA for client certificates, instead of this server's own CA. The file is followed. */
  readonly clientAuthority: FileContents | undefined;
  readonly aggregation: AggregationConfig;
  readonly tls: TlsConfig;
  readonly connectionLimits: ConnectionLimits;
  readonly permitPortSharing: boolean;
  /** Number of processes that serve requests; 1: this one does. */
  readonly workers: number;
  /** Probability that a request causes a GOAWAY on its HTTP/2 connection. */
  readonly goawayChance: number;
  readonly strictTransportSecurity: readonly string[];
  readonly corsAllowedOrigins: readonly ((origin: string) => boolean)[];
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  /** Address in the endpoints of the API service; undefined publishes none. */
  readonly advertiseAddress: string | undefined;
  /** Host name in the URLs that this server publishes. */
  readonly externalHostname: string | undefined;
  /** 0: the API service has no node port. */
  readonly apiServiceNodePort: number;
  /** How this server connects to nodes; undefined if it does not. */
  readonly nodes: NodeConfig | undefined;
  readonly release: string | undefined;
  /** Kinds of Kubernetes that are served: `kubernetes`, `core` or `none`; undefined for the base of the project. */
  readonly base: string | undefined;
  readonly runtimeConfig: string;
  readonly featureGates: string;
  /** The previous release, to show metrics that are hidden since then; empty hides them. */
  readonly showHiddenMetricsFor: string;
  readonly enabledPlugins: readonly string[];
  readonly disabledPlugins: readonly string[];
  /** File of kind AdmissionConfiguration. */
  readonly admissionConfig: string | undefined;
  /** File of kind EgressSelectorConfiguration. */
  readonly egressSelectorConfig: string | undefined;
  /** File of kind TracingConfiguration. */
  readonly tracingConfig: string | undefined;
  /** Whether privileged containers are allowed. */
  readonly allowPrivileged: boolean;
  readonly tolerationSeconds: { readonly notReady: number; readonly unreachable: number };
  /** Whether deletions wait for dependents or orphan them, and dependents are collected. */
  readonly garbageCollector: boolean;
  readonly deleteCollectionWorkers: number;
  /** Memory for the bytes of cached objects that can be read from the data file again. */
  readonly watchCacheBytes: number;
  /** Whether this server runs built-in controllers: namespace deletion, garbage collection, default objects. */
  readonly controllers: boolean;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutSeconds: number;
  readonly budgets: BudgetConfig;
  readonly eventTtlSeconds: number;
  readonly livezGraceMs: number;
  /** Whether `/debug/pprof/` is served. */
  readonly profiling: boolean;
  readonly audit: AuditConfig;
  readonly shutdownDelayMs: number;
  /** Absent: text on a terminal, JSON elsewhere. */
  readonly logFormat: LogFormat | undefined;
  /** From 3 on requests are logged. */
  readonly verbosity: number;
  /** How clients are disturbed, for tests of them; undefined in any other server. */
  readonly disturb: DisturbSettings | undefined;
}

export interface TlsConfig {
  /** The server creates a certificate if absent. The files are followed: they are replaced before the certificate expires. */
  readonly serving: KeyPairInFiles | undefined;
  readonly minVersion: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** In OpenSSL syntax; empty uses the default of Node. */
  readonly ciphers: string;
  readonly http2: boolean;
  /** Concurrent streams per HTTP/2 connection. */
  readonly maxStreams: number;
}
