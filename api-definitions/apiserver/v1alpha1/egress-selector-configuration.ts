import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type OmitZero, type Open } from "../../vocabulary.ts";

/**
 * Proxies through which an API server connects to nodes, extension servers, webhooks and etcd: file of
 * `--egress-selector-config-file`.
 */
export interface EgressSelectorConfiguration extends TypeMeta {
  /** Connection for each type of traffic. Types without an entry connect directly. */
  egressSelections: EgressSelection[];
}

/** Type of traffic and the connection that it uses. */
export interface EgressSelection {
  /**
   * Type of traffic: `cluster` (nodes, pods, services, extension servers, webhooks that are given by Service), `controlplane`
   * (webhooks that are given by URL, and those of authentication, authorization and audit) or `etcd`. Each may be used once.
   * `master` is the deprecated name of `controlplane`.
   */
  name: string;
  /** How traffic of this type leaves the server. */
  connection: Connection;
}

/** How an API server connects: directly or through a proxy. */
export interface Connection {
  /** Protocol that the server speaks with the proxy. */
  proxyProtocol?: ProtocolType & OmitZero;
  /** How the proxy is reached. Required unless `proxyProtocol` is `Direct`, and not allowed with it. */
  transport?: Transport;
}

export type ProtocolType = Open<
  /** The server opens connections with the HTTP method CONNECT. */
  | "HTTPConnect"
  /** The server opens connections by gRPC, over a Unix socket. Not supported: the server does not start with it. */
  | "GRPC"
  /** The server connects without a proxy. */
  | "Direct"
>;

/** How a proxy is reached. Exactly one of `tcp` and `uds` must be set. */
export interface Transport {
  /** TCP connection to the proxy. Not allowed with `GRPC`. */
  tcp?: TCPTransport;
  /** Unix socket of the proxy on the machine of the server. */
  uds?: UDSTransport;
}

/** TCP connection to a proxy. */
export interface TCPTransport {
  /** URL of the proxy, such as `https://127.0.0.1:8131`. `http` or `https`. */
  url?: string & OmitZero;
  /** Certificates of the TLS connection. Required if `url` is `https`, and not allowed for `http`. */
  tlsConfig?: TLSConfig;
}

/** Certificates of a TLS connection to a proxy. */
export interface TLSConfig {
  /**
   * Path of a file with the CA certificates that verify the certificate of the proxy. Defaults to the system's CA
   * certificates.
   */
  caBundle?: string & OmitZero;
  /** Path of a file with the private key of the client certificate. Required. */
  clientKey?: string & OmitZero;
  /** Path of a file with the certificate by which the server authenticates to the proxy. Required. */
  clientCert?: string & OmitZero;
}

/** Unix socket of a proxy. */
export interface UDSTransport {
  /** Path of the socket, without a prefix such as `unix://`. Required. */
  udsName?: string & OmitZero;
}

export const egressSelectorConfiguration = configKind<EgressSelectorConfiguration>({});
