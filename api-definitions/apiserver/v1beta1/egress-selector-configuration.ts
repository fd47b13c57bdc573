import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type OmitZero, type Open } from "../../vocabulary.ts";

/** Ways out of the server's network. */
export interface EgressSelectorConfiguration extends TypeMeta {
  egressSelections: EgressSelection[];
}

export interface EgressSelection {
  name: string;
  connection: Connection;
}

export interface Connection {
  proxyProtocol?: ProtocolType & OmitZero;
  transport?: Transport;
}

export type ProtocolType = Open<"HTTPConnect" | "GRPC" | "Direct">;

export interface Transport {
  tcp?: TCPTransport;
  uds?: UDSTransport;
}

export interface TCPTransport {
  url?: string & OmitZero;
  tlsConfig?: TLSConfig;
}

export interface TLSConfig {
  caBundle?: string & OmitZero;
  clientKey?: string & OmitZero;
  clientCert?: string & OmitZero;
}

export interface UDSTransport {
  udsName?: string & OmitZero;
}

export const egressSelectorConfiguration = configKind<EgressSelectorConfiguration>({});
