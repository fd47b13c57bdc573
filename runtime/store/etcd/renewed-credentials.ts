import type { Socket } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { CallCredentials, ChannelCredentials } from "@grpc/grpc-js";
import type { PemPair } from "../../lib/follow-key-pair.ts";
import { connectTls } from "../../outbound/connect-tls.ts";

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
 * longer than certificates. The credentials of the gRPC library cannot be used: they send the member's address as a server name, which Node 26
 * refuses.
 */
export class RenewedCredentials extends ChannelCredentials {
  readonly #tls: EtcdTls;
  readonly #host: string;
  #pair: PemPair | undefined;
  #context: SecureContext | undefined;

  /** `address` is host and port of the member. */
  constructor(tls: EtcdTls, address: string) {
    super();
    this.#tls = tls;
    this.#host = address.replace(/:\d+\/?$/, "").replace(/^\[(.*)\]$/, "$1");
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(...[, , callCredentials]: ConnectorArguments): SecureConnector {
    return {
      waitForReady: () => Promise.resolve(),
      connect: (socket) => this.#secure(socket),
      getCallCredentials: () => callCredentials ?? CallCredentials.createEmpty(),
      destroy: () => undefined,
    };
  }

  #secure(socket: Socket): ReturnType<SecureConnector["connect"]> {
    return new Promise((resolve, reject) => {
      const secureContext = this.#presentContext();
      const secured = connectTls({ socket, servername: this.#host, secureContext, ALPNProtocols: ["h2"] });
      secured.once("secureConnect", () => resolve({ socket: secured, secure: true }));
      secured.on("error", reject);
    });
  }

  #presentContext(): SecureContext {
    const { authorityPem, client } = this.#tls;
    const pair = client?.();
    if (this.#context === undefined || pair !== this.#pair) {
      this.#context = createSecureContext({ ca: authorityPem, key: pair?.keyPem, cert: pair?.certificatePem });
      this.#pair = pair;
    }
    return this.#context;
  }
}
