import type { Agent } from "node:https";
import { createSecureContext, getCACertificates } from "node:tls";
import { TrustingAgent } from "../lib/trusting-agent.ts";
import type { ApiService, ServiceReference } from "./api-service.ts";

/** The certificate by which other servers know this one. */
export interface ProxyCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Connections to the server of one APIService. */
export interface RemoteTransport {
  readonly options: TransportOptions;
  readonly agent: Agent;
  /** Makes no more of its connections than what is under way needs. */
  retire(): void;
  /** Cuts all of them. */
  close(): void;
}

/** What connections depend on; where it is the same they are kept. */
export interface TransportOptions {
  readonly serverName: string;
  /** PEM; the machine's own authorities where it is empty. */
  readonly authority: string;
  readonly verifies: boolean;
  readonly certificate: ProxyCertificate | undefined;
}

/** As many connections are kept for later, and for as long. */
const IDLE_CONNECTIONS = 25;
const IDLE_MS = 90_000;

export function transportOptions(
  { spec }: ApiService,
  { namespace, name }: ServiceReference,
  certificate: ProxyCertificate | undefined,
): TransportOptions {
  return {
    serverName: `${name}.${namespace}.svc`,
    authority: pemOf(spec?.caBundle),
    verifies: spec?.insecureSkipTLSVerify !== true,
    certificate,
  };
}

export function isSameTransport(a: TransportOptions, b: TransportOptions): boolean {
  return (
    a.serverName === b.serverName &&
    a.authority === b.authority &&
    a.verifies === b.verifies &&
    a.certificate === b.certificate
  );
}

/** Throws where the authorities cannot be read. */
export function openTransport(options: TransportOptions): RemoteTransport {
  const { serverName, authority, verifies, certificate } = options;
  if (authority !== "" && !authority.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error("unable to load root certificates: unable to parse bytes as PEM block");
  // Loaded with the first APIService that needs it: most servers pass nothing on.
  const agent = new TrustingAgent(
    {
      keepAlive: true,
      maxFreeSockets: IDLE_CONNECTIONS,
      timeout: IDLE_MS,
      servername: serverName,
      rejectUnauthorized: verifies,
      secureContext: createSecureContext({
        // Node has authorities of its own; people who add one add it to the machine's.
        ca: authority === "" ? (verifies ? getCACertificates("system") : []) : authority,
        allowPartialTrustChain: true,
        ...(certificate && { cert: certificate.certificatePem, key: certificate.keyPem }),
      }),
    },
    authority || undefined,
  );
  return {
    options,
    agent,
    retire() {
      (agent as { keepAlive?: boolean }).keepAlive = false;
      for (const idle of Object.values(agent.freeSockets)) for (const socket of idle ?? []) socket.destroy();
    },
    close: () => agent.destroy(),
  };
}

function pemOf(bundle: string | Uint8Array | undefined): string {
  if (bundle === undefined || bundle === null) return "";
  return Buffer.from(typeof bundle === "string" ? Buffer.from(bundle, "base64") : bundle).toString("utf8");
}
