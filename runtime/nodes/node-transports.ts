import { readFileSync } from "node:fs";
import type { Agent as PlainAgent } from "node:http";
import type { Agent } from "node:https";
import { createSecureContext } from "node:tls";
import { CurrentKeyPair } from "../lib/current-key-pair.ts";
import type { KeyPairInFiles, PemPair } from "../lib/follow-key-pair.ts";
import type { Dial } from "../outbound/dial.ts";
import { DialingAgent } from "../outbound/dialing-agent.ts";
import { TrustingAgent } from "../outbound/trusting-agent.ts";
import type { ConnectionTarget } from "./connection-target.ts";

/** Files of the `--kubelet-*` flags. */
export interface KubeletCredentials {
  readonly client: KeyPairInFiles | undefined;
  /** CA file of kubelets. Without it their certificates are not verified, as in Kubernetes. */
  readonly authorityFile: string | undefined;
}

const IDLE_CONNECTIONS = 25;
const IDLE_MS = 90_000;
const POOL = { keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, timeout: IDLE_MS };

/** Connections to kubelets and to the targets of proxies, created on first use. */
export class NodeTransports {
  readonly #credentials: KubeletCredentials;
  readonly #dial: Dial | undefined;
  readonly #client: CurrentKeyPair | undefined;
  readonly #agents = new Map<string, { readonly pair: PemPair | undefined; readonly agent: Agent | PlainAgent }>();

  /** Without `dial`, connections are direct. */
  constructor(credentials: KubeletCredentials, dial?: Dial) {
    this.#credentials = credentials;
    this.#client = credentials.client && new CurrentKeyPair(credentials.client);
    this.#dial = dial;
  }

  agentFor({ scheme, trust }: Pick<ConnectionTarget, "scheme" | "trust">): Agent | PlainAgent {
    const key = `${scheme} ${trust}`;
    const pair = scheme === "http" || trust === "proxy" ? undefined : this.#client?.get();
    const known = this.#agents.get(key);
    if (known !== undefined && known.pair === pair) return known.agent;
    const agent = scheme === "http" ? this.#plain() : this.#secure(trust, pair);
    // The connections of an agent with a previous certificate end by themselves.
    this.#agents.set(key, { pair, agent });
    return agent;
  }

  close(): void {
    for (const { agent } of this.#agents.values()) agent.destroy();
  }

  #plain(): PlainAgent {
    return this.#dial === undefined
      ? new (process.getBuiltinModule("node:http").Agent)(POOL)
      : new DialingAgent(POOL, this.#dial);
  }

  #secure(trust: ConnectionTarget["trust"], pair: PemPair | undefined): Agent {
    const { authorityFile } = this.#credentials;
    const authority =
      trust === "kubelet" && authorityFile !== undefined ? readFileSync(authorityFile, "utf8") : undefined;
    return new TrustingAgent(
      {
        ...POOL,
        rejectUnauthorized: authority !== undefined,
        secureContext: createSecureContext({
          ...(authority !== undefined && { ca: authority }),
          allowPartialTrustChain: true,
          ...(pair && { cert: pair.certificatePem, key: pair.keyPem }),
        }),
      },
      authority,
      this.#dial,
    );
  }
}
