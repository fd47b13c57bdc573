import { X509Certificate } from "node:crypto";
import type { Validity } from "../contract/authentication.ts";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Parsed certificates that are kept, the last ones used: a start parses those of the server several times. */
const KEPT = 32;
const parsed = new Map<string, X509Certificate>();

/** The certificates of a bundle. Throws for one that cannot be read. */
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

/** Several bundles in one: each certificate once, and none whose time is over. */
export function joinBundles(bundles: readonly string[], now: Date): string {
  const good = bundles.flatMap(readBundle).filter(({ validToDate }) => validToDate >= now);
  return [...new Set(good.map((certificate) => certificate.toString()))].join("");
}

/** Authorities that sign certificates for one purpose. */
export class Authorities {
  readonly #certificates: readonly X509Certificate[];

  constructor(pem: string) {
    this.#certificates = readBundle(pem);
  }

  /**
   * When the first certificate of a chain, one of these authorities, and all that stand between them are good at the same
   * time; undefined if it does not lead to one of these. Where several ways do, the one that lasts longest counts. Purposes
   * and constraints are looked at where connections are made.
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

/** When a certificate is good by itself. */
export function ownValidity({ validFromDate, validToDate }: X509Certificate): Validity {
  return { from: validFromDate.getTime(), until: validToDate.getTime() };
}

function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
