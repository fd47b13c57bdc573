import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type OmitZero, type Open } from "../../vocabulary.ts";

/** Ways out of the server's network. */
export interface EgressSelectorConfiguration extends TypeMeta {
  /** One way per sort of traffic. */
  egressSelections: EgressSelection[];
}

/** A way out for one sort of traffic. */
export interface EgressSelection {
  /** The sort of traffic. */
  name: string;
  /** The way. */
  connection: Connection;
}

/** A way out. */
export interface Connection {
  /** Protocol spoken with the proxy. */
  proxyProtocol?: ProtocolType & OmitZero;
  /** How the proxy is reached. */
  transport?: Transport;
}

export type ProtocolType = Open<"HTTPConnect" | "GRPC" | "Direct">;

/** How a proxy is reached; one of the two. */
export interface Transport {
  /** Over the network. */
  tcp?: TCPTransport;
  /** Over a socket of the machine. */
  uds?: UDSTransport;
}

/** A proxy on the network. */
export interface TCPTransport {
  /** Its address. */
  url?: string & OmitZero;
  /** Certificates for the connection. */
  tlsConfig?: TLSConfig;
}

/** Certificates for a connection. */
export interface TLSConfig {
  /** File with the certificates to trust. */
  caBundle?: string & OmitZero;
  /** File with the client's key. */
  clientKey?: string & OmitZero;
  /** File with the client's certificate. */
  clientCert?: string & OmitZero;
}

/** A proxy on the machine. */
export interface UDSTransport {
  /** Path of the socket. */
  udsName?: string & OmitZero;
}

export const egressSelectorConfiguration = configKind<EgressSelectorConfiguration>({});
