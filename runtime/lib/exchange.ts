import { type IncomingMessage, request as requestPlain } from "node:http";
import { type Agent, request as requestSecure } from "node:https";
import { TrustingAgent } from "./trusting-agent.ts";

/** As Node keeps connections of its own. */
const IDLE_MS = 5000;
const connections = new TrustingAgent({ keepAlive: true, timeout: IDLE_MS });

/** How the other side proves who it is, and how this server does. */
export interface TransportSecurity {
  /** PEM of the authorities to trust; the machine's own without it. */
  readonly ca?: string | Buffer | readonly string[];
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name its certificate must have, if not that of the address. */
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** How this server proves who it is. */
export interface ClientCredentials {
  readonly tls: Pick<TransportSecurity, "cert" | "key">;
  /** The `Authorization` header, read anew for each request where it comes from a file; undefined for none. */
  authorization(): string | undefined;
}

export interface ExchangeRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly tls?: TransportSecurity;
  /** Of requests over TLS; by default connections are kept for a few seconds. */
  readonly agent?: Agent;
  /** Where to connect to, if not to where the URL says; everything else stays as it is. */
  readonly connectTo?: { readonly host: string; readonly port: number };
  readonly timeoutMs: number;
  /** A longer answer is an error, and is not read to its end. `unread`: nobody wants to know what it says. */
  readonly maxBytes: number | "unread";
}

export interface ExchangeAnswer {
  readonly status: number;
  /** `200 OK` */
  readonly statusText: string;
  /** Empty where none is said. */
  readonly contentType: string;
  /** Empty where none is said. */
  readonly etag: string;
  readonly body: Buffer;
}

/** A request that got no proper answer; the message holds nothing that was sent but the address. */
export class ExchangeError extends Error {
  readonly code = "Exchange";
  readonly timedOut: boolean;

  constructor(message: string, timedOut = false, options?: ErrorOptions) {
    super(message, options);
    this.timedOut = timedOut;
  }
}

/** Sends one HTTP request to another server and reads the whole answer, within a time and a size. Redirects are not followed. */
export function exchange(asked: ExchangeRequest): Promise<ExchangeAnswer> {
  const { url, method, headers = {}, body, tls, agent, connectTo, timeoutMs, maxBytes } = asked;
  const isSecure = url.protocol === "https:";
  const send = isSecure ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const fail = (problem: string, timedOut = false, cause?: Error) =>
      reject(new ExchangeError(`${method} ${withoutCredentials(url)}: ${problem}`, timedOut, { cause }));
    const outgoing = send(url, {
      method,
      headers: {
        ...(connectTo !== undefined && { Host: url.host }),
        ...headers,
        ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }),
      },
      ...(tls as object),
      ...(agent !== undefined ? { agent } : isSecure && { agent: connections }),
      ...(connectTo !== undefined && { hostname: connectTo.host, port: connectTo.port }),
    });
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
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withoutCredentials({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
