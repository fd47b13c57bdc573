import type { ClusterIdentity } from "../auth/pki/cluster-identity.ts";
import type { Listener, listen } from "../http/transport/listen.ts";
import type { ServerConfig } from "./server-config.ts";

/** Where and how a server listens. */
export function listenOptions(config: ServerConfig, identity: ClusterIdentity): Parameters<typeof listen>[1] {
  const { tls, frontProxy, goawayChance, strictTransportSecurity } = config;
  return {
    host: config.bindAddress,
    port: config.securePort,
    tls: {
      ...tls,
      serving: tls.serving?.pair ?? identity.serving,
      clientAuthorities: [clientAuthorityOf(config, identity), ...(frontProxy ? [frontProxy.authority] : [])],
    },
    limits: config.connectionLimits,
    reusePort: config.permitPortSharing,
    ...(strictTransportSecurity.length > 0 && {
      headers: { "Strict-Transport-Security": strictTransportSecurity.join("; ") },
    }),
    ...(goawayChance > 0 && { endsConnection: () => Math.random() < goawayChance }),
  };
}

/** CA certificate for client certificates. */
export function clientAuthorityOf({ clientAuthority }: ServerConfig, identity: ClusterIdentity): string {
  return clientAuthority ?? identity.authorityPem;
}

/** URL at which clients reach the server. */
export function urlOf({ bindAddress }: ServerConfig, { address }: Listener): string {
  const reachable = bindAddress === "0.0.0.0" ? "127.0.0.1" : bindAddress === "::" ? "::1" : bindAddress;
  return `https://${reachable.includes(":") ? `[${reachable}]` : reachable}:${address.port}`;
}
