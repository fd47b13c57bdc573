import type { OidcOptions } from "../auth/authenticate/jwt/oidc-options.ts";

/** What a server is told at its start; flags and `startPlane` fill it in. */
export interface ServerConfig {
  readonly bindAddress: string;
  /** 0 chooses a free port. */
  readonly securePort: number;
  /** Absent: nothing is kept on disk. */
  readonly dataDir: string | undefined;
  readonly etcd: EtcdConfig | undefined;
  readonly certDir: string;
  readonly kubeconfigOut: string | undefined;
  /** Contents of the static token file. */
  readonly tokenAuthFile: { readonly path: string; readonly contents: string } | undefined;
  readonly clientCaFile: string | undefined;
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly authorizationModes: readonly string[];
  readonly anonymousAuth: boolean;
  /** Whether `anonymousAuth` was asked for rather than left as it is. */
  readonly anonymousAuthGiven: boolean;
  /** File of kind AuthenticationConfiguration. */
  readonly authenticationConfig: string | undefined;
  readonly oidc: OidcOptions | undefined;
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: string;
  readonly serviceAccountIssuer: string;
  readonly apiAudiences: readonly string[];
  readonly release: string | undefined;
  readonly runtimeConfig: string;
  readonly featureGates: string;
  /** The release before, whose metrics are shown although they are hidden by now; empty hides them. */
  readonly showHiddenMetricsFor: string;
  readonly enabledPlugins: readonly string[];
  readonly disabledPlugins: readonly string[];
  /** Whether namespaces are emptied, owners' dependents collected and defaults made by this server itself. */
  readonly controllers: boolean;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutSeconds: number;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly eventTtlSeconds: number;
  readonly shutdownDelayMs: number;
}

export interface EtcdConfig {
  readonly servers: readonly string[];
  readonly prefix: string;
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}
