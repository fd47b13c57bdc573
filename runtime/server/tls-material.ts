import type { CertificateAuthorities } from "../auth/authenticate/client-certificate.ts";
import type { ClusterIdentity } from "../auth/pki/cluster-identity.ts";
import type { PemPair } from "../lib/follow-key-pair.ts";
import { Authorities } from "../x509/certificate-authorities.ts";
import type { ServerConfig } from "./server-config.ts";

interface Material {
  readonly serving: PemPair;
  /** PEM of the CAs of client certificates. */
  readonly clients: string;
  /** PEM of the CAs of front proxies; undefined if none are trusted. */
  readonly frontProxies: string | undefined;
}

/** The current serving certificate and CAs of clients. Files that flags name may change while the server runs. */
export class TlsMaterial {
  readonly #config: Pick<ServerConfig, "tls" | "clientAuthority" | "frontProxy">;
  readonly #identity: ClusterIdentity;
  #changed: Partial<Material> = {};
  #authorities: CertificateAuthorities | undefined;
  readonly #listeners = new Set<(changed: Partial<Material>) => void>();

  constructor(config: ServerConfig, identity: ClusterIdentity) {
    this.#config = config;
    this.#identity = identity;
  }

  get serving(): PemPair {
    return this.#changed.serving ?? this.#config.tls.serving?.pair ?? this.#identity.serving;
  }

  get clients(): string {
    return this.#changed.clients ?? this.#config.clientAuthority?.contents ?? this.#identity.authorityPem;
  }

  get frontProxies(): string | undefined {
    return this.#changed.frontProxies ?? this.#config.frontProxy?.authority.contents;
  }

  /** The CAs, parsed, for verifying client certificates. */
  get authorities(): CertificateAuthorities {
    const { clients, frontProxies } = this;
    this.#authorities ??= {
      clients: new Authorities(clients),
      ...(frontProxies !== undefined && { frontProxies: new Authorities(frontProxies) }),
    };
    return this.#authorities;
  }

  change(changed: Partial<Material>): void {
    this.#changed = { ...this.#changed, ...changed };
    this.#authorities = undefined;
    for (const listener of this.#listeners) listener(changed);
  }

  /** Calls back after each change, until the returned function is called. */
  onChange(listener: (changed: Partial<Material>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
