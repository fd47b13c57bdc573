import type { Agent } from "node:https";
import type { Route } from "../outbound/dial.ts";
import { DialingAgent } from "../outbound/dialing-agent.ts";
import { TrustingAgent } from "../outbound/trusting-agent.ts";
import { hostPort } from "../values/service-address.ts";
import type { ConnectProxy } from "./connect-proxy.ts";

/** Same as the defaults of Node.js for its own agents. */
const POOL = { keepAlive: true, timeout: 5000 };

/** Connections through a proxy, which are kept for a few seconds. */
export class ProxyRoute implements Route {
  readonly #proxy: ConnectProxy;
  readonly #secure: TrustingAgent;
  readonly #plain: DialingAgent;
  readonly dial: Route["dial"];

  constructor(proxy: ConnectProxy) {
    this.#proxy = proxy;
    this.dial = (host, port) => proxy.dial(hostPort({ host, port }));
    this.#secure = new TrustingAgent(POOL, undefined, this.dial);
    this.#plain = new DialingAgent(POOL, this.dial);
  }

  agentFor(protocol: string): Agent {
    // The agents' types differ in options that are irrelevant for requests without TLS.
    return protocol === "https:" ? this.#secure : (this.#plain as unknown as Agent);
  }

  close(): void {
    this.#proxy.close();
    this.#secure.destroy();
    this.#plain.destroy();
  }
}
