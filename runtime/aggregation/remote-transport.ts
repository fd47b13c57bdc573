import type { Agent } from "node:https";
import { createSecureContext } from "node:tls";
import type { PemPair } from "../lib/follow-key-pair.ts";
import { systemAuthorities } from "../outbound/connect-tls.ts";
import type { Dial } from "../outbound/dial.ts";
import { TrustingAgent } from "../outbound/trusting-agent.ts";
import type { ServiceReference } from "../values/service-address.ts";
import type { ApiService } from "./api-service.ts";

/** Connections to the server of one APIService. */
export interface RemoteTransport {
  readonly options: TransportOptions;
  readonly agent: Agent;
  /** Closes idle connections, and the others when their requests end. */
  retire(): void;
  /** Closes all connections. */
  close(): void;
}

/** TLS options of connections. While they are equal, connections are kept. */
export interface TransportOptions {
  readonly serverName: string;
  /** CA certificates as PEM; empty selects those of the system. */
  readonly authority: string;
  readonly verifies: boolean;
  /** Client certificate of this server. */
  readonly certificate: PemPair | undefined;
}

/** Maximum number of idle connections, and how long each is kept. */
const IDLE_CONNECTIONS = 25;
const IDLE_MS = 90_000;

export function transportOptions(
  { spec }: ApiService,
  { namespace, name }: ServiceReference,
  certificate: PemPair | undefined,
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

/** Opens a transport. Throws if the CA certificates cannot be parsed. */
export function openTransport(options: TransportOptions, dial?: Dial): RemoteTransport {
  const { serverName, authority, verifies, certificate } = options;
  if (authority !== "" && !authority.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error("unable to load root certificates: unable to parse bytes as PEM block");
  // Created only for an APIService that needs it: most servers forward nothing.
  const agent = new TrustingAgent(
    {
      keepAlive: true,
      maxFreeSockets: IDLE_CONNECTIONS,
      timeout: IDLE_MS,
      servername: serverName,
      rejectUnauthorized: verifies,
      secureContext: createSecureContext({
        // Uses the CA certificates of the system instead of those of Node.js, because administrators add theirs to the system.
        ca: authority === "" ? (verifies ? [...systemAuthorities()] : []) : authority,
        allowPartialTrustChain: true,
        ...(certificate && { cert: certificate.certificatePem, key: certificate.keyPem }),
      }),
    },
    authority || undefined,
    dial,
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
