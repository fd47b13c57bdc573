import { type ExchangeAnswer, exchange } from "../outbound/exchange.ts";
import { hostPort } from "../values/service-address.ts";
import type { RemoteVersion } from "./remote-versions.ts";
import type { ServiceDirectory } from "./service-directory.ts";

export interface Question {
  readonly path: string;
  readonly user: string;
  readonly groups?: readonly string[];
  readonly accept?: string;
  /** ETag of the previous response, sent as `If-None-Match`. */
  readonly etag?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Sends a request on behalf of this server itself to an extension server. Throws if there is no response. */
export function askServer(
  { service, transport }: RemoteVersion,
  question: Question,
  services: ServiceDirectory,
): Promise<ExchangeAnswer> {
  if (typeof transport === "string") throw new Error(transport);
  const address = services.resolve(service);
  return exchange({
    url: new URL(`https://${hostPort(address)}${question.path}`),
    method: "GET",
    agent: transport.agent,
    headers: {
      "X-Remote-User": question.user,
      ...(question.groups && { "X-Remote-Group": question.groups.join(",") }),
      ...(question.accept && { Accept: question.accept }),
      ...(question.etag && { "If-None-Match": question.etag }),
    },
    timeoutMs: question.timeoutMs,
    maxBytes: question.maxBytes,
  });
}
