import { goNetworkError } from "../go/network-error.ts";
import { goQuote } from "../go/quote.ts";
import type { PemPair } from "../lib/follow-key-pair.ts";
import type { Route } from "../outbound/dial.ts";
import { ExchangeError, exchange } from "../outbound/exchange.ts";
import { hostPort, type ServiceReference } from "../values/service-address.ts";
import type { ServiceDirectory } from "./service-directory.ts";

const TIMEOUT_MS = 5_000;

/** User of availability checks. Members of `system:masters` are always authorized. */
const PROBER = { "X-Remote-User": "system:kube-aggregator", "X-Remote-Group": "system:masters" };

export interface ProbeParts {
  readonly services: ServiceDirectory;
  readonly certificate: () => PemPair;
  /** Proxy to the server; undefined for direct connections. */
  readonly route: Route | undefined;
}

/**
 * Requests a discovery path of a server. Only the status is checked: the body is not read and the certificate not verified. Throws an Error with the
 * reason if the response is not a success.
 */
export async function probeServer(
  service: ServiceReference,
  path: string,
  { services, certificate, route }: ProbeParts,
): Promise<void> {
  const address = services.resolve(service);
  const url = `https://${hostPort(address)}${path}`;
  const { certificatePem: cert, keyPem: key } = certificate();
  let status: number;
  try {
    const answer = await exchange({
      url: new URL(url),
      method: "GET",
      headers: PROBER,
      tls: { cert, key, rejectUnauthorized: false },
      route,
      timeoutMs: TIMEOUT_MS,
      maxBytes: "unread",
    });
    ({ status } = answer);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const late = error.timedOut ? " (Client.Timeout exceeded while awaiting headers)" : "";
    throw new Error(failing(url, `Get ${goQuote(url)}: ${goNetworkError(error, address.host)}${late}`));
  }
  if (status < 200 || status >= 300) throw new Error(failing(url, `bad status from ${url}: ${status}`));
}

function failing(url: string, why: string): string {
  return `failing or missing response from ${url}: ${why}`;
}
