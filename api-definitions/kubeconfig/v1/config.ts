import { type Always, type Bytes, configKind, type OmitZero, type Open, type RawObject } from "../../vocabulary.ts";

/**
 * Kubeconfig file: clusters, users and contexts by which kubectl and other clients connect to API servers. The API
 * server reads the same format for the webhooks it calls; there `exec`, `auth-provider`, impersonation and `proxy-url`
 * are refused. Relative paths are relative to the directory of the file.
 */
export interface Config {
  /** Kind of the file: `Config`. Optional. */
  kind?: string & OmitZero;
  /** Version of the file format: `v1`. Optional. */
  apiVersion?: string & OmitZero;
  /** Preferences of the command-line client. No current client uses them; set it to `{}`. */
  preferences: Preferences;
  /** API servers to connect to, by name. */
  clusters: NamedCluster[];
  /** Credentials of users, by name. */
  users: NamedAuthInfo[];
  /** Named combinations of cluster, user and default namespace. */
  contexts: NamedContext[];
  /** Name of the context that is used if no other is selected, such as by `kubectl --context`. */
  "current-context": string;
  /** Additional data for tools that extend kubeconfig files. Other clients preserve and ignore it. */
  extensions?: NamedExtension[];
}

/** Preferences of the command-line client. */
export interface Preferences {
  /** Whether output is coloured. Not used by current clients. */
  colors?: boolean & OmitZero;
  /** Additional data for tools that extend the preferences. Other clients preserve and ignore it. */
  extensions?: NamedExtension[];
}

/** Additional data of a tool, with a name. */
export interface NamedExtension {
  /** Name of the extension, unique in its list. */
  name: string;
  /** Data of the extension, in the format of the tool. */
  extension: RawObject;
}

/** API server with the name by which contexts refer to it. */
export interface NamedCluster {
  /** Name of the cluster, unique in the file. */
  name: string;
  /** Address of the API server and how its certificate is verified. */
  cluster: Cluster;
}

/** How to connect to an API server. */
export interface Cluster {
  /** URL of the API server, such as `https://10.0.0.1:6443`. */
  server: string;
  /** Host name that the certificate of the API server must be valid for. Defaults to the host in `server`. */
  "tls-server-name"?: string & OmitZero;
  /**
   * Whether the certificate of the API server is accepted without verification. Unsafe: anyone on the network path can
   * read and change the traffic. Excludes the CA certificates. Defaults to `false`.
   */
  "insecure-skip-tls-verify"?: boolean & OmitZero;
  /**
   * Path of a file with PEM-encoded CA certificates that verify the certificate of the API server. Defaults to the
   * system's CA certificates.
   */
  "certificate-authority"?: string & OmitZero;
  /**
   * PEM-encoded CA certificates that verify the certificate of the API server. Takes precedence over
   * `certificate-authority`.
   */
  "certificate-authority-data"?: Bytes;
  /**
   * URL of the proxy for all requests to this cluster: `http`, `https` or `socks5`. If unset, the proxy variables of
   * the environment apply.
   */
  "proxy-url"?: string & OmitZero;
  /** Whether the client asks for uncompressed responses, which saves CPU time on fast networks. Defaults to `false`. */
  "disable-compression"?: boolean & OmitZero;
  /** Additional data for tools that extend the cluster. Other clients preserve and ignore it. */
  extensions?: NamedExtension[];
}

/** Credentials with the name by which contexts refer to them. */
export interface NamedAuthInfo {
  /** Name of the user in this file, unique in it. It need not be the name that the API server knows. */
  name: string;
  /** Credentials of the user. */
  user: AuthInfo;
}

/**
 * Credentials of a user: a client certificate, a token, a user name with password, or a plugin that supplies one of
 * them.
 */
export interface AuthInfo {
  /** Path of a file with the PEM-encoded client certificate. Needs `client-key` or `client-key-data`. */
  "client-certificate"?: string & OmitZero;
  /** PEM-encoded client certificate. Takes precedence over `client-certificate`. */
  "client-certificate-data"?: Bytes;
  /** Path of a file with the PEM-encoded private key of the client certificate. */
  "client-key"?: string & OmitZero;
  /** PEM-encoded private key of the client certificate. Takes precedence over `client-key`. */
  "client-key-data"?: Bytes;
  /** Bearer token that is sent to the API server. */
  token?: string & OmitZero;
  /**
   * Path of a file with a bearer token. Takes precedence over `token`, and is read again so that a renewed token is
   * used.
   */
  tokenFile?: string & OmitZero;
  /** Name of the user to impersonate. The user of the credentials needs the permission `impersonate`. */
  as?: string & OmitZero;
  /** UID to impersonate, together with `as`. */
  "as-uid"?: string & OmitZero;
  /** Groups to impersonate, together with `as`. */
  "as-groups"?: string[];
  /** Additional information about the user to impersonate, together with `as`: values by key. */
  "as-user-extra"?: Record<string, string[]>;
  /**
   * User name for HTTP basic authentication. Excludes a token. Kubernetes API servers no longer support it; webhooks
   * may.
   */
  username?: string & OmitZero;
  /** Password for HTTP basic authentication, together with `username`. */
  password?: string & OmitZero;
  /** Authentication plugin that is built into the client. Clients that do not have it fail; prefer `exec`. */
  "auth-provider"?: AuthProviderConfig;
  /** Command that the client runs to get credentials. Excludes `auth-provider`. */
  exec?: ExecConfig;
  /** Additional data for tools that extend the user. Other clients preserve and ignore it. */
  extensions?: NamedExtension[];
}

/** Authentication plugin that is built into the client, with its settings. */
export interface AuthProviderConfig {
  /** Name of the plugin, such as `oidc`. */
  name: string;
  /** Settings of the plugin, in its own format. The plugin may store renewed credentials here. */
  config: Record<string, string>;
}

/**
 * Command that supplies credentials. It prints an ExecCredential with a token or a client certificate, which the client
 * caches until it expires.
 */
export interface ExecConfig {
  /** Command to run: a name that is looked up in `PATH`, or a path. */
  command: string;
  /** Arguments of the command. */
  args?: string[] & Always;
  /** Environment variables of the command, in addition to those of the client. */
  env?: ExecEnvVar[] & Always;
  /**
   * Version of ExecCredential in which client and command exchange data, such as `client.authentication.k8s.io/v1`. The
   * command must answer in the same version.
   */
  apiVersion?: string & OmitZero;
  /** Text that the client shows if the command is not found, such as how to install it. */
  installHint?: string & OmitZero;
  /**
   * Whether the command receives address and CA certificates of the cluster in the environment variable
   * `KUBERNETES_EXEC_INFO`. These can be large. Defaults to `false`.
   */
  provideClusterInfo: boolean;
  /**
   * Whether the command may use standard input to ask the user. Required in `v1` of `client.authentication.k8s.io`;
   * defaults to `IfAvailable` in `v1beta1`.
   */
  interactiveMode?: ExecInteractiveMode & OmitZero;
}

export type ExecInteractiveMode = Open<
  /** The command never uses standard input. */
  | "Never"
  /** The command uses standard input if it is a terminal. */
  | "IfAvailable"
  /** The command needs standard input. The client fails if it is not a terminal. */
  | "Always"
>;

/** Environment variable of a command that supplies credentials. */
export interface ExecEnvVar {
  /** Name of the environment variable. */
  name: string;
  /** Value of the environment variable. */
  value: string;
}

/** Context with the name by which it is selected. */
export interface NamedContext {
  /** Name of the context, unique in the file. */
  name: string;
  /** Cluster, user and default namespace. */
  context: Context;
}

/** Combination of a cluster, a user and a default namespace. */
export interface Context {
  /** Name of an entry in `clusters`. */
  cluster: string;
  /** Name of an entry in `users`. */
  user: string;
  /** Namespace of requests that do not name one. Defaults to `default`. */
  namespace?: string & OmitZero;
  /** Additional data for tools that extend the context. Other clients preserve and ignore it. */
  extensions?: NamedExtension[];
}

export const config = configKind<Config>({});
