import type { WebhookClientConfig } from "../../contract/webhook-client-config.ts";
import { parseJson, parseLargeJson } from "../../encoding/json/parse-json.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { goNetworkError } from "../../go/network-error.ts";
import { goQuote } from "../../go/quote.ts";
import { LARGE_BYTES } from "../../lib/in-turns.ts";
import type { Route } from "../../outbound/dial.ts";
import { type ExchangeAnswer, ExchangeError, exchange } from "../../outbound/exchange.ts";
import type { Address, ServiceReference } from "../../values/service-address.ts";
import type { CredentialsFor } from "../plugin-settings.ts";
import { type ServiceLookup, serviceAddress } from "./service-address.ts";
import { unexpectedAnswer } from "./unexpected-answer.ts";

/** Dependencies of calls to admission and conversion webhooks. */
export interface PostParts extends ServiceLookup {
  /** Client credentials with which the server calls webhooks; undefined for none. */
  readonly credentialsFor?: CredentialsFor | undefined;
}

export interface ReviewRequest {
  readonly clientConfig: WebhookClientConfig;
  readonly timeoutSeconds: number;
  /** Size limit of the response body. */
  readonly maxBytes: number;
  readonly review: object;
}

/** The webhook responded with an HTTP status that is not a success. */
export class UnexpectedStatusError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const DEFAULT_PORT = 443;

/** Posts a review to a webhook, by URL or by Service. Resolves with the parsed body; rejects with the message of Go's client. */
export async function postReview(
  { clientConfig, timeoutSeconds, maxBytes, review }: ReviewRequest,
  parts: PostParts,
): Promise<unknown> {
  const { service, url: plain = "", caBundle } = clientConfig;
  const port = service?.port ?? DEFAULT_PORT;
  const url = new URL(
    service ? `https://${service.name}.${service.namespace}.svc:${port}${service.path ?? ""}` : plain,
  );
  url.pathname = cleanPath(url.pathname);
  url.searchParams.set("timeout", `${timeoutSeconds}s`);
  const shown = service ? String(url).replace(url.host, `${url.hostname}:${port}`) : String(url);
  const fail = (problem: string): never => {
    throw new Error(`Post ${goQuote(shown)}: ${problem}`);
  };
  let connectTo: Address | undefined;
  if (service)
    connectTo = await serviceAddress({ ...service, port }, parts).catch((error: Error) => fail(error.message));
  const credentials = parts.credentialsFor?.(`${url.hostname}:${service ? port : url.port || DEFAULT_PORT}`);
  const authorization = credentials?.authorization();
  const answer = await exchange({
    url,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, */*",
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body: stringifyJson(review),
    timeoutMs: timeoutSeconds * 1000,
    maxBytes,
    tls: {
      ...credentials?.tls,
      ...(service && { servername: url.hostname }),
      ...(caBundle && { ca: Buffer.from(caBundle, "base64") }),
    },
    ...(connectTo && { connectTo }),
    route: routeTo(service && { ...service, port }, parts),
  }).catch((error: unknown) =>
    fail(error instanceof ExchangeError ? goNetworkError(error, url.hostname) : String(error)),
  );
  return parse(answer);
}

/** Returns the proxy for a request. This server's own Service is reached directly. */
function routeTo(service: ServiceReference | undefined, { egress, own }: PostParts): Route | undefined {
  if (service === undefined) return egress?.controlplane;
  return own?.(service) === undefined ? egress?.cluster : undefined;
}

/** Normalizes a path like the clients of Kubernetes, which send `//validate/` as `/validate`. */
function cleanPath(path: string): string {
  return `/${path.split("/").filter(Boolean).join("/")}`;
}

async function parse(answer: ExchangeAnswer): Promise<unknown> {
  const text = answer.body.toString();
  const problem = unexpectedAnswer(answer.status, text, answer.contentType);
  if (problem !== undefined) throw new UnexpectedStatusError(problem, answer.status);
  try {
    const options = { floatLiterals: true };
    const isLarge = answer.body.length >= LARGE_BYTES;
    return (isLarge ? await parseLargeJson(answer.body, options) : parseJson(text, options)).value;
  } catch (error) {
    throw new Error(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}
