import { readFileSync } from "node:fs";
import type { Agent as PlainAgent } from "node:http";
import type { Agent } from "node:https";
import { createSecureContext } from "node:tls";
import type { Dial } from "../outbound/dial.ts";
import { DialingAgent } from "../outbound/dialing-agent.ts";
import { TrustingAgent } from "../outbound/trusting-agent.ts";
import type { ConnectionTarget } from "./connection-target.ts";

/** Files of `--kubelet-*`. */
export interface KubeletCredentials {
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  /** CA of kubelets; without it their certificates are not verified, as in Kubernetes. */
  readonly authorityFile: string | undefined;
}

const IDLE_CONNECTIONS = 25;
const IDLE_MS = 90_000;
const POOL = { keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, timeout: IDLE_MS };

/** Connections to kubelets and to the targets of proxies, created when the first request needs them. */
export class NodeTransports {
  readonly #credentials: KubeletCredentials;
  readonly #dial: Dial | undefined;
  readonly #agents = new Map<string, Agent | PlainAgent>();

  /** Connections are direct without `dial`. */
  constructor(credentials: KubeletCredentials, dial?: Dial) {
    this.#credentials = credentials;
    this.#dial = dial;
  }

  agentFor({ scheme, trust }: Pick<ConnectionTarget, "scheme" | "trust">): Agent | PlainAgent {
    const key = `${scheme} ${trust}`;
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = scheme === "http" ? this.#plain() : this.#secure(trust);
      this.#agents.set(key, agent);
    }
    return agent;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #plain(): PlainAgent {
    return this.#dial === undefined
      ? new (process.getBuiltinModule("node:http").Agent)(POOL)
      : new DialingAgent(POOL, this.#dial);
  }

  #secure(trust: ConnectionTarget["trust"]): Agent {
    const { certificateFile, keyFile, authorityFile } = this.#credentials;
    const authority =
      trust === "kubelet" && authorityFile !== undefined ? readFileSync(authorityFile, "utf8") : undefined;
    const presents = trust !== "proxy" && certificateFile !== undefined && keyFile !== undefined;
    return new TrustingAgent(
      {
        ...POOL,
        rejectUnauthorized: authority !== undefined,
        secureContext: createSecureContext({
          ...(authority !== undefined && { ca: authority }),
          allowPartialTrustChain: true,
          ...(presents && { cert: readFileSync(certificateFile), key: readFileSync(keyFile) }),
        }),
      },
      authority,
      this.#dial,
    );
  }
}
