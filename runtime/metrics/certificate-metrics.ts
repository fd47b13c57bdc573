import { readBundle } from "../x509/certificate-authorities.ts";
import { NumberMetric } from "./metric.ts";

/** Certificates of a server in PEM, by metric label. */
export interface NamedCertificates {
  /** Chains: the certificate that expires first counts. */
  readonly chains: Readonly<Record<string, string>>;
  /** CA bundles: the certificate that expires last counts, because CAs are rotated by adding one. */
  readonly authorities: Readonly<Record<string, string>>;
}

/** Creates the metric for the expiration times of certificates: see `setExpiries`. */
export function certificateMetric(): NumberMetric {
  return new NumberMetric(
    "gauge",
    "typeplane_certificate_expiration_timestamp_seconds",
    "Time at which a certificate of the server expires, in seconds since the Unix epoch.",
    ["certificate"],
  );
}

/** Sets the expiration times. Certificates that cannot be parsed are omitted. */
export function setExpiries(metric: NumberMetric, { chains, authorities }: NamedCertificates): void {
  const add = (name: string, pem: string, choose: (...times: number[]) => number): void => {
    const times = expiries(pem);
    if (times.length > 0) metric.set(choose(...times) / 1000, name);
  };
  for (const [name, pem] of Object.entries(chains)) add(name, pem, Math.min);
  for (const [name, pem] of Object.entries(authorities)) add(name, pem, Math.max);
}

function expiries(pem: string): number[] {
  try {
    return readBundle(pem).map(({ validToDate }) => validToDate.getTime());
  } catch {
    return [];
  }
}
