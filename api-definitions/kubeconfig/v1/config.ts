import { type Always, type Bytes, configKind, type OmitZero, type Open, type RawObject } from "../../vocabulary.ts";

/** Servers, credentials and which of them go together. */
export interface Config {
  /** Always `Config`. */
  kind?: string & OmitZero;
  /** Always `v1`. */
  apiVersion?: string & OmitZero;
  /** Settings of the command line. */
  preferences: Preferences;
  /** Servers by name. */
  clusters: NamedCluster[];
  /** Credentials by name. */
  users: NamedAuthInfo[];
  /** Which server and credentials go together. */
  contexts: NamedContext[];
  /** The context to use unless another is asked for. */
  "current-context": string;
  /** Anything else, for programs that know it. */
  extensions?: NamedExtension[];
}

/** Settings of the command line. */
export interface Preferences {
  /** Whether output is coloured. */
  colors?: boolean & OmitZero;
  /** Anything else, for programs that know it. */
  extensions?: NamedExtension[];
}

/** Something for programs that know it. */
export interface NamedExtension {
  /** Its name. */
  name: string;
  /** The thing. */
  extension: RawObject;
}

/** A server and its name. */
export interface NamedCluster {
  /** Its name. */
  name: string;
  /** The server. */
  cluster: Cluster;
}

/** How to reach a server. */
export interface Cluster {
  /** Its address. */
  server: string;
  /** Name its certificate must have, if not that of the address. */
  "tls-server-name"?: string & OmitZero;
  /** Does not check its certificate. */
  "insecure-skip-tls-verify"?: boolean & OmitZero;
  /** File with the certificates to trust. */
  "certificate-authority"?: string & OmitZero;
  /** The certificates to trust. */
  "certificate-authority-data"?: Bytes;
  /** Proxy to go through. */
  "proxy-url"?: string & OmitZero;
  /** Asks for answers that are not compressed. */
  "disable-compression"?: boolean & OmitZero;
  /** Anything else, for programs that know it. */
  extensions?: NamedExtension[];
}

/** Credentials and their name. */
export interface NamedAuthInfo {
  /** Their name. */
  name: string;
  /** The credentials. */
  user: AuthInfo;
}

/** Credentials. */
export interface AuthInfo {
  /** File with the certificate. */
  "client-certificate"?: string & OmitZero;
  /** The certificate. */
  "client-certificate-data"?: Bytes;
  /** File with the certificate's key. */
  "client-key"?: string & OmitZero;
  /** The certificate's key. */
  "client-key-data"?: Bytes;
  /** A token. */
  token?: string & OmitZero;
  /** File with a token. */
  tokenFile?: string & OmitZero;
  /** User to pretend to be. */
  as?: string & OmitZero;
  /** Uid to pretend to have. */
  "as-uid"?: string & OmitZero;
  /** Groups to pretend to be in. */
  "as-groups"?: string[];
  /** Further facts to pretend. */
  "as-user-extra"?: Record<string, string[]>;
  /** Name for a password. */
  username?: string & OmitZero;
  /** The password. */
  password?: string & OmitZero;
  /** A plugin built into the client. */
  "auth-provider"?: AuthProviderConfig;
  /** A program that gives credentials. */
  exec?: ExecConfig;
  /** Anything else, for programs that know it. */
  extensions?: NamedExtension[];
}

/** A plugin built into the client. */
export interface AuthProviderConfig {
  /** Its name. */
  name: string;
  /** Its settings. */
  config: Record<string, string>;
}

/** A program that gives credentials. */
export interface ExecConfig {
  /** The program. */
  command: string;
  /** Its arguments. */
  args?: string[] & Always;
  /** Its environment. */
  env?: ExecEnvVar[] & Always;
  /** Version in which it is spoken to. */
  apiVersion?: string & OmitZero;
  /** How to get the program, when it is missing. */
  installHint?: string & OmitZero;
  /** Tells the program about the server. */
  provideClusterInfo: boolean;
  /** Whether it may ask the user. */
  interactiveMode?: ExecInteractiveMode & OmitZero;
}

export type ExecInteractiveMode = Open<"Never" | "IfAvailable" | "Always">;

/** An environment variable. */
export interface ExecEnvVar {
  /** Name of the variable. */
  name: string;
  /** Its value. */
  value: string;
}

/** A context and its name. */
export interface NamedContext {
  /** Its name. */
  name: string;
  /** The context. */
  context: Context;
}

/** Which server and credentials go together. */
export interface Context {
  /** Name of the server. */
  cluster: string;
  /** Name of the credentials. */
  user: string;
  /** Namespace to use unless another is asked for. */
  namespace?: string & OmitZero;
  /** Anything else, for programs that know it. */
  extensions?: NamedExtension[];
}

export const config = configKind<Config>({});
