import { ChannelCredentials } from "@grpc/grpc-js";
import type { Tunnel } from "../../outbound/dial.ts";

type SecureConnector = ReturnType<ChannelCredentials["_createSecureConnector"]>;
type ConnectorArguments = Parameters<ChannelCredentials["_createSecureConnector"]>;

/**
 * Credentials of a channel whose target is a proxy. They request a tunnel to `address` from the proxy, over which the wrapped credentials
 * connect to the member.
 */
export class TunnelCredentials extends ChannelCredentials {
  readonly #inner: ChannelCredentials;
  readonly #tunnel: Tunnel;
  readonly #address: string;

  constructor(inner: ChannelCredentials, tunnel: Tunnel, address: string) {
    super();
    this.#inner = inner;
    this.#tunnel = tunnel;
    this.#address = address;
  }

  override _isSecure(): boolean {
    return this.#inner._isSecure();
  }

  /** Channels to different members have the same proxy as their target and must not be shared. */
  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(...[, options, callCredentials]: ConnectorArguments): SecureConnector {
    const target = { scheme: "dns", path: this.#address };
    const inner = this.#inner._createSecureConnector(target, options, callCredentials);
    return {
      // Called before each connection to the proxy.
      waitForReady: async () => {
        await inner.waitForReady();
        this.#tunnel.begin();
      },
      connect: async (socket) => inner.connect(await this.#tunnel.through(socket, this.#address)),
      getCallCredentials: () => inner.getCallCredentials(),
      destroy: () => inner.destroy(),
    };
  }
}
