import { X509Certificate } from "node:crypto";
import type { Validity } from "../contract/authentication.ts";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Maximum number of cached certificates; the least recently used are evicted. A start parses those of the server several times. */
const KEPT = 32;
const parsed = new Map<string, X509Certificate>();

/** Parses the certificates of a bundle. Throws if one is invalid. */
export function readBundle(pem: string): X509Certificate[] {
  return (pem.match(BLOCK) ?? []).map(parse);
}

function parse(block: string): X509Certificate {
  const certificate = parsed.get(block) ?? new X509Certificate(block);
  parsed.delete(block);
  parsed.set(block, certificate);
  const [oldest] = parsed.keys();
  if (parsed.size > KEPT && oldest !== undefined) parsed.delete(oldest);
  return certificate;
}

/** Joins several bundles. The result contains each certificate once, and no expired ones. */
export function joinBundles(bundles: readonly string[], now: Date): string {
  const good = bundles.flatMap(readBundle).filter(({ validToDate }) => validToDate >= now);
  return [...new Set(good.map((certificate) => certificate.toString()))].join("");
}

/** CAs that sign certificates for one purpose. */
export class Authorities {
  readonly #certificates: readonly X509Certificate[];

  constructor(pem: string) {
    this.#certificates = readBundle(pem);
  }

  /**
   * Returns the period in which the first certificate of a chain, one of these CAs, and all certificates in between are valid; undefined if no path
   * leads to one of these CAs. If there are several paths, the one that remains valid longest is used. Purposes and constraints are checked where
   * connections are made.
   */
  validityOf([leaf, ...others]: readonly X509Certificate[]): Validity | undefined {
    if (leaf === undefined) return undefined;
    const own = ownValidity(leaf);
    let best: Validity | undefined;
    const consider = (way: Validity | undefined) => {
      if (way === undefined) return;
      const both = { from: Math.max(own.from, way.from), until: Math.min(own.until, way.until) };
      if (best === undefined || both.until > best.until) best = both;
    };
    for (const known of this.#certificates) {
      if (known.fingerprint256 === leaf.fingerprint256) consider(own);
      else if (hasSigned(known, leaf)) consider(ownValidity(known));
    }
    const [issuer] = others;
    if (issuer?.ca === true && hasSigned(issuer, leaf)) consider(this.validityOf(others));
    return best;
  }
}

/** Returns the validity period of a certificate itself. */
export function ownValidity({ validFromDate, validToDate }: X509Certificate): Validity {
  return { from: validFromDate.getTime(), until: validToDate.getTime() };
}

function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
