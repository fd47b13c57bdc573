import { X509Certificate } from "node:crypto";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a bundle. Throws for one that cannot be read. */
export function readBundle(pem: string): X509Certificate[] {
  return (pem.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
}

/** Several bundles in one: each certificate once, and none whose time is over. */
export function joinBundles(bundles: readonly string[], now: Date): string {
  const good = bundles.flatMap(readBundle).filter(({ validToDate }) => validToDate >= now);
  return [...new Set(good.map((certificate) => certificate.toString()))].join("");
}

/** Those who sign certificates for one purpose. */
export class Authorities {
  readonly #certificates: readonly X509Certificate[];

  constructor(pem: string) {
    this.#certificates = readBundle(pem);
  }

  /**
   * Whether the first certificate of a chain leads to one of these, by way of those that follow it. The chain must be good
   * otherwise: times and purposes are looked at where connections are made.
   */
  vouchFor([leaf, ...others]: readonly X509Certificate[]): boolean {
    if (leaf === undefined) return false;
    if (this.#certificates.some((known) => known.fingerprint256 === leaf.fingerprint256 || hasSigned(known, leaf)))
      return true;
    const [issuer] = others;
    return issuer?.ca === true && hasSigned(issuer, leaf) && this.vouchFor(others);
  }
}

function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
