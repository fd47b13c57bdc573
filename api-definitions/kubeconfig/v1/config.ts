import { type Always, type Bytes, configKind, type OmitZero, type Open, type RawObject } from "../../vocabulary.ts";

/** Servers, credentials and which of them go together. */
export interface Config {
  kind?: string & OmitZero;
  apiVersion?: string & OmitZero;
  preferences: Preferences;
  clusters: NamedCluster[];
  users: NamedAuthInfo[];
  contexts: NamedContext[];
  "current-context": string;
  extensions?: NamedExtension[];
}

export interface Preferences {
  colors?: boolean & OmitZero;
  extensions?: NamedExtension[];
}

export interface NamedExtension {
  name: string;
  extension: RawObject;
}

export interface NamedCluster {
  name: string;
  cluster: Cluster;
}

export interface Cluster {
  server: string;
  "tls-server-name"?: string & OmitZero;
  "insecure-skip-tls-verify"?: boolean & OmitZero;
  "certificate-authority"?: string & OmitZero;
  "certificate-authority-data"?: Bytes;
  "proxy-url"?: string & OmitZero;
  "disable-compression"?: boolean & OmitZero;
  extensions?: NamedExtension[];
}

export interface NamedAuthInfo {
  name: string;
  user: AuthInfo;
}

export interface AuthInfo {
  "client-certificate"?: string & OmitZero;
  "client-certificate-data"?: Bytes;
  "client-key"?: string & OmitZero;
  "client-key-data"?: Bytes;
  token?: string & OmitZero;
  tokenFile?: string & OmitZero;
  as?: string & OmitZero;
  "as-uid"?: string & OmitZero;
  "as-groups"?: string[];
  "as-user-extra"?: Record<string, string[]>;
  username?: string & OmitZero;
  password?: string & OmitZero;
  "auth-provider"?: AuthProviderConfig;
  exec?: ExecConfig;
  extensions?: NamedExtension[];
}

export interface AuthProviderConfig {
  name: string;
  config: Record<string, string>;
}

export interface ExecConfig {
  command: string;
  args?: string[] & Always;
  env?: ExecEnvVar[] & Always;
  apiVersion?: string & OmitZero;
  installHint?: string & OmitZero;
  provideClusterInfo: boolean;
  interactiveMode?: ExecInteractiveMode & OmitZero;
}

export type ExecInteractiveMode = Open<"Never" | "IfAvailable" | "Always">;

export interface ExecEnvVar {
  name: string;
  value: string;
}

export interface NamedContext {
  name: string;
  context: Context;
}

export interface Context {
  cluster: string;
  user: string;
  namespace?: string & OmitZero;
  extensions?: NamedExtension[];
}

export const config = configKind<Config>({});
