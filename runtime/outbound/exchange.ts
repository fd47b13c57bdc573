import type { IncomingMessage } from "node:http";
import { type Agent, request as requestSecure } from "node:https";
import { clearTimeout, setTimeout } from "node:timers";
import { JoinedBytes } from "../lib/joined-bytes.ts";
import { currentTraceparent } from "../lib/trace-context.ts";
import type { Route } from "./dial.ts";
import { paceAnswer } from "./paced-answer.ts";
import { TrustingAgent } from "./trusting-agent.ts";

// Not imported, because that would load fetch, which is not used here.
const { request: requestPlain } = process.getBuiltinModule("node:http");

/** Same as the idle timeout of Node.js for its own agents. */
const IDLE_MS = 5000;
const connections = new TrustingAgent({ keepAlive: true, timeout: IDLE_MS });

/** TLS settings of a connection: verification of the peer, and the certificate of this server. */
export interface TransportSecurity {
  /** PEM of the trusted CAs; by default those of the system. */
  readonly ca?: string | Buffer | readonly string[];
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Name that the peer's certificate must contain; by default the host of the URL. */
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Credentials of this server as a client. */
export interface ClientCredentials {
  readonly tls: Pick<TransportSecurity, "cert" | "key">;
  /** Returns the `Authorization` header; undefined for none. A token file is read for each request. */
  authorization(): string | undefined;
}

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly tls?: TransportSecurity;
  /** Agent for TLS; by default connections are kept for a few seconds. */
  readonly agent?: Agent;
  /** Proxy for this connection; undefined for a direct connection. */
  readonly route?: Route | undefined;
  /** Address to connect to instead of that of the URL. The request itself is unchanged. */
  readonly connectTo?: { readonly host: string; readonly port: number };
  readonly timeoutMs: number;
  /** Maximum size of the response body. A longer response is an error, and is not read completely. `unread` ignores the body. */
  readonly maxBytes: number | "unread";
}

export interface ExchangeAnswer {
  readonly status: number;
  /** `200 OK` */
  readonly statusText: string;
  /** Empty if the response has none. */
  readonly contentType: string;
  /** Empty if the response has none. */
  readonly etag: string;
  readonly body: Buffer;
}

/** A request has no valid response. Of the request, the message contains only method and address. */
export class ExchangeError extends Error {
  readonly code = "Exchange";
  readonly timedOut: boolean;

  constructor(message: string, timedOut = false, options?: ErrorOptions) {
    super(message, options);
    this.timedOut = timedOut;
  }
}

/** Sends one HTTP request to another server and reads the whole response, with limits on time and size. Does not follow redirects. */
export function exchange(asked: ExchangeRequest): Promise<ExchangeAnswer> {
  const { url, method, headers = {}, body, tls, connectTo, timeoutMs, maxBytes } = asked;
  const isSecure = url.protocol === "https:";
  const agent = asked.agent ?? asked.route?.agentFor(url.protocol) ?? (isSecure ? connections : undefined);
  const trace = currentTraceparent();
  const send = isSecure ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const fail = (problem: string, timedOut = false, cause?: Error) =>
      reject(new ExchangeError(`${method} ${withoutCredentials(url)}: ${problem}`, timedOut, { cause }));
    const outgoing = send(url, {
      method,
      headers: {
        ...(connectTo !== undefined && { Host: url.host }),
        ...(trace !== undefined && { traceparent: trace }),
        ...headers,
        ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }),
      },
      ...(tls as object),
      ...(agent !== undefined && { agent }),
      ...(connectTo !== undefined && { hostname: connectTo.host, port: connectTo.port }),
    });
    paceAnswer(outgoing);
    const timer = setTimeout(() => {
      fail(`no answer within ${timeoutMs} ms`, true);
      outgoing.destroy();
    }, timeoutMs);
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      finish();
    };
    outgoing.on("error", (error) => settle(() => fail(error.message, false, error)));
    outgoing.on("response", (incoming) => {
      const answerWith = (answer: Buffer): void =>
        settle(() =>
          resolve({
            status: incoming.statusCode ?? 0,
            statusText: `${incoming.statusCode} ${incoming.statusMessage}`.trim(),
            contentType: incoming.headers["content-type"] ?? "",
            etag: incoming.headers.etag ?? "",
            body: answer,
          }),
        );
      if (maxBytes === "unread") {
        outgoing.destroy();
        answerWith(Buffer.alloc(0));
        return;
      }
      readBounded(incoming, maxBytes).then(answerWith, (error: Error) =>
        settle(() => {
          fail(error.message, false, error);
          outgoing.destroy();
        }),
      );
    });
    outgoing.end(body);
  });
}

async function readBounded(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const body = new JoinedBytes();
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    if (body.length + chunk.length > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    body.add(chunk);
  }
  return body.joined();
}

function withoutCredentials({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
