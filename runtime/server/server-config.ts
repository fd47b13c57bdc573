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

/** Settings of connections to nodes. */
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
  /** PEM of the CA that verifies client certificates, instead of this server's own CA. The file is followed. */
  readonly clientAuthority: FileContents | undefined;
  readonly aggregation: AggregationConfig;
  readonly tls: TlsConfig;
  readonly connectionLimits: ConnectionLimits;
  readonly permitPortSharing: boolean;
  /** Number of processes that serve requests. With 1, this process serves them itself. */
  readonly workers: number;
  /** Probability that a request causes a GOAWAY on its HTTP/2 connection. */
  readonly goawayChance: number;
  readonly strictTransportSecurity: readonly string[];
  readonly corsAllowedOrigins: readonly ((origin: string) => boolean)[];
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  /** Address published in the endpoints of the `kubernetes` Service; undefined publishes none. */
  readonly advertiseAddress: string | undefined;
  /** Host name in the URLs that this server publishes. */
  readonly externalHostname: string | undefined;
  /** Node port of the `kubernetes` Service; 0 for none. */
  readonly apiServiceNodePort: number;
  /** How this server connects to nodes; undefined disables such connections. */
  readonly nodes: NodeConfig | undefined;
  readonly release: string | undefined;
  /** Base of the served kinds: `kubernetes`, `core` or `none`; undefined uses the base of the project. */
  readonly base: string | undefined;
  readonly runtimeConfig: string;
  readonly featureGates: string;
  /** The previous minor release: metrics that became hidden after it are shown. Empty shows no hidden metrics. */
  readonly showHiddenMetricsFor: string;
  /** Names of metrics that are not shown. */
  readonly disabledMetrics: readonly string[];
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
  /** Whether dependents are garbage-collected, and deletions can wait for dependents or orphan them. */
  readonly garbageCollector: boolean;
  readonly deleteCollectionWorkers: number;
  /** Memory budget in bytes for cached objects that can be read from the data file again. */
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
  /** Undefined selects text on a terminal and JSON elsewhere. */
  readonly logFormat: LogFormat | undefined;
  /** Log level. From 3 on, requests are logged. */
  readonly verbosity: number;
  /** How clients are disturbed in order to test them; undefined disables it. */
  readonly disturb: DisturbSettings | undefined;
}

export interface TlsConfig {
  /** Undefined makes the server create a certificate. The files are followed, because they are replaced before the certificate expires. */
  readonly serving: KeyPairInFiles | undefined;
  readonly minVersion: "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";
  /** OpenSSL cipher list; empty uses the default of Node.js. */
  readonly ciphers: string;
  readonly http2: boolean;
  /** Maximum number of concurrent streams per HTTP/2 connection. */
  readonly maxStreams: number;
}
