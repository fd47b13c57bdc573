import type { Agent } from "node:https";
import type { Socket } from "node:net";

/** Opens a connection to a server through a proxy. Rejects within a bounded time, with the message of Go's client. */
export type Dial = (host: string, port: number) => Promise<Socket>;

/** Connections through a proxy. */
export interface Route {
  readonly dial: Dial;
  /** Returns an agent that keeps connections for a few seconds: one for `https:`, one for `http:`. */
  agentFor(protocol: string): Agent;
}

/** A proxy to which the caller opens the connection. */
export interface Tunnel {
  readonly proxy: ProxyAddress;
  /** Called before each attempt to connect to the proxy. */
  begin(): void;
  /** Requests a connection to `address`, such as `10.0.0.1:2379`, through an open connection to the proxy. */
  through(socket: Socket, address: string): Promise<Socket>;
}

/** Host and port, or the path of a Unix socket. */
export type ProxyAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Proxies of outgoing connections by type of traffic. A type without a proxy connects directly. */
export interface Egress {
  readonly controlplane: Route | undefined;
  readonly cluster: Route | undefined;
  readonly etcd: Tunnel | undefined;
}
