import { canServeHttp2, type TlsCredentials } from "../http/transport/create-http-server.ts";
import type { Listener, ListenOptions } from "../http/transport/listen.ts";
import type { ServerConfig } from "./server-config.ts";
import type { ServerCore } from "./server-core.ts";
import type { TlsMaterial } from "./tls-material.ts";

/** Address, TLS settings and limits of the listener. */
export function listenOptions({ config, tls, log }: Pick<ServerCore, "config" | "tls" | "log">): ListenOptions {
  const { goawayChance, strictTransportSecurity } = config;
  if (config.tls.http2 && !canServeHttp2())
    log(
      "warn",
      `only HTTP/1.1 is served: Node ${process.versions.node} cannot serve HTTP/2 securely; use 22.18, 24.2 or newer`,
    );
  return {
    host: config.bindAddress,
    port: config.securePort,
    tls: {
      ...config.tls,
      http2: config.tls.http2 && canServeHttp2(),
      credentials: () => credentialsOf(tls),
      onChange: (renew) => tls.onChange(({ serving }) => renew({ trustsOthers: serving === undefined })),
    },
    limits: config.connectionLimits,
    reusePort: config.permitPortSharing,
    ...(strictTransportSecurity.length > 0 && {
      headers: { "Strict-Transport-Security": strictTransportSecurity.join("; ") },
    }),
    ...(goawayChance > 0 && { endsConnection: () => Math.random() < goawayChance }),
  };
}

function credentialsOf({ serving, clients, frontProxies }: TlsMaterial): TlsCredentials {
  return { serving, clientAuthorities: frontProxies === undefined ? [clients] : [clients, frontProxies] };
}

/** URL at which clients reach the server. */
export function urlOf({ bindAddress }: ServerConfig, { address }: Listener): string {
  const reachable = bindAddress === "0.0.0.0" ? "127.0.0.1" : bindAddress === "::" ? "::1" : bindAddress;
  return `https://${reachable.includes(":") ? `[${reachable}]` : reachable}:${address.port}`;
}
