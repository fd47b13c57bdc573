import { ChannelCredentials } from "@grpc/grpc-js";
import type { PemPair } from "../../lib/follow-key-pair.ts";

export interface EtcdTls {
  /** CA certificate of the members. Defaults to those of the system. */
  readonly authorityPem?: string | undefined;
  /** Returns the client certificate for a new connection. */
  readonly client?: (() => PemPair) | undefined;
}

type ConnectorArguments = Parameters<ChannelCredentials["_createSecureConnector"]>;
type SecureConnector = ReturnType<ChannelCredentials["_createSecureConnector"]>;

/**
 * TLS credentials for one member of etcd. Each connection presents the client certificate that is current when it is made: channels live
 * longer than certificates.
 */
export class RenewedCredentials extends ChannelCredentials {
  readonly #tls: EtcdTls;

  constructor(tls: EtcdTls) {
    super();
    this.#tls = tls;
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(...target: ConnectorArguments): SecureConnector {
    const { authorityPem, client } = this.#tls;
    const connectorWith = (pair: PemPair | undefined) => {
      const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
      const inner = ChannelCredentials.createSsl(pem(authorityPem), pem(pair?.keyPem), pem(pair?.certificatePem));
      return { pair, connector: inner._createSecureConnector(...target) };
    };
    let current = connectorWith(client?.());
    return {
      waitForReady: () => current.connector.waitForReady(),
      connect(socket) {
        const pair = client?.();
        if (pair !== current.pair) current = connectorWith(pair);
        return current.connector.connect(socket);
      },
      getCallCredentials: () => current.connector.getCallCredentials(),
      destroy: () => current.connector.destroy(),
    };
  }
}
