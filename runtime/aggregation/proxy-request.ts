import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import { connectionFailure } from "../go/network-error.ts";
import { goQuote } from "../go/quote.ts";
import { type RelayWaiting, relay } from "../lib/relay.ts";
import { answerHeaders } from "./passed-headers.ts";
import { type Destination, type OutgoingHead, sendRequest } from "./send-request.ts";

export interface PassingOptions {
  /** Timeout for the response; 0 means none. */
  readonly timeoutMs: number;
  /** Whether redirects are rejected. */
  readonly rejectsRedirects: boolean;
  /** When the server stops, aborts requests that would never end. */
  readonly stopping?: AbortSignal | undefined;
  /** Called before the response of the other server is forwarded. Sets the headers that every response of this server has. */
  readonly prepareAnswer: (status: number) => void;
  /** Responds with an error as plain text, unless a response was already sent. */
  readonly refuse: (status: number, text: string) => void;
  readonly sent: (bytes: number) => void;
  /** Counts what one of the sides does not read; `cut` ends the response. */
  readonly waiting: (cut: () => void) => RelayWaiting;
  /** Returns the location of a redirect for the client; by default it is unchanged. */
  readonly rewriteLocation?: (location: string) => string;
}

const REDIRECTED = "the backend attempted to redirect this request, which is not permitted";
const UNREACHABLE = 503;
const BAD_GATEWAY = 502;
const FIRST_STATUS = 100;
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Forwards a request and streams the response back. Neither is buffered: backpressure applies in both directions. When one side disconnects, the
 * other connection is closed. Resolves when the response is complete.
 */
export function proxyRequest(
  req: IncomingMessage,
  res: ServerResponse,
  head: OutgoingHead,
  destination: Destination,
  options: PassingOptions,
): Promise<void> {
  return new Promise((resolve) => new Passing(req, res, head, destination, options, resolve).begin());
}

class Passing {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #head: OutgoingHead;
  readonly #destination: Destination;
  readonly #options: PassingOptions;
  readonly #resolve: () => void;
  readonly #body: RequestBody;
  #outgoing: ClientRequest | undefined;
  #endBody: (() => void) | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #isOver = false;
  #isSecondTry = false;
  #isAnswering = false;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    head: OutgoingHead,
    destination: Destination,
    options: PassingOptions,
    resolve: () => void,
  ) {
    this.#req = req;
    this.#res = res;
    this.#body = bodyOf(req);
    this.#head = { ...head, headers: [...head.headers, ...this.#body.headers] };
    this.#destination = destination;
    this.#options = options;
    this.#resolve = resolve;
  }

  begin(): void {
    const { timeoutMs, stopping } = this.#options;
    this.#res.once("close", this.#over);
    this.#res.once("finish", this.#over);
    stopping?.addEventListener("abort", this.#cut, { once: true });
    if (timeoutMs > 0) this.#deadline = setTimeout(() => this.#fail(new Error("context deadline exceeded")), timeoutMs);
    this.#send();
  }

  #send(): void {
    let outgoing: ClientRequest;
    try {
      outgoing = sendRequest(this.#head, this.#destination);
    } catch (error) {
      this.#fail(error as Error);
      return;
    }
    this.#outgoing = outgoing;
    outgoing.on("error", (error) => this.#retryOrFail(outgoing, error));
    outgoing.on("response", (incoming) => {
      try {
        this.#answer(incoming);
      } catch (error) {
        // The status or a header cannot be sent by this server, such as 999 over HTTP/2.
        incoming.destroy();
        this.#isAnswering = this.#res.headersSent;
        this.#fail(error as Error);
      }
    });
    outgoing.on("upgrade", (_answer, socket) => {
      socket.destroy();
      this.#fail(new Error("unexpected switch of protocols"));
    });
    if (this.#body.hasAny) this.#endBody = relay(this.#req, outgoing, this.#options.waiting(this.#cut));
    else outgoing.end();
  }

  /**
   * The peer may have closed a kept-alive connection just when it was reused. It is unknown whether the request arrived: only read-only requests are
   * retried.
   */
  #retryOrFail(outgoing: ClientRequest, error: Error & { readonly code?: string }): void {
    const isStale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
    const isRepeatable = REPEATABLE.has(this.#head.method) && !this.#body.hasAny;
    if (!isStale || !isRepeatable || this.#isSecondTry || this.#isOver || this.#res.headersSent) {
      this.#fail(error);
      return;
    }
    this.#isSecondTry = true;
    this.#send();
  }

  #answer(incoming: IncomingMessage): void {
    const res = this.#res;
    const { statusCode = 0 } = incoming;
    if (this.#isOver || res.headersSent || statusCode < FIRST_STATUS) {
      incoming.destroy();
      this.#fail(new Error(`malformed HTTP status code ${goQuote(String(statusCode).padStart(3, "0"))}`));
      return;
    }
    if (this.#options.rejectsRedirects && isRedirect(incoming)) {
      this.#options.refuse(BAD_GATEWAY, REDIRECTED);
      this.#over();
      return;
    }
    incoming.on("error", (error) => this.#fail(error));
    incoming.on("close", () => {
      if (!incoming.complete) this.#fail(new Error("unexpected EOF"));
    });
    incoming.on("data", (chunk: Buffer) => this.#options.sent(chunk.length));
    this.#isAnswering = true;
    this.#options.prepareAnswer(statusCode);
    copyHeaders(incoming, res, this.#options.rewriteLocation);
    res.writeHead(statusCode);
    res.flushHeaders();
    relay(incoming, res, this.#options.waiting(this.#cut));
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    if (this.#isAnswering) {
      this.#cut();
      return;
    }
    // The timeout of this server has already sent a response.
    if (this.#res.headersSent) return;
    const why = connectionFailure(error, this.#destination.transport.options.serverName);
    this.#options.refuse(UNREACHABLE, `error trying to reach service: ${why}`);
    this.#over();
  }

  readonly #cut = (): void => {
    abandon(this.#res);
    this.#over();
  };

  readonly #over = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#options.stopping?.removeEventListener("abort", this.#cut);
    this.#endBody?.();
    // Drains the rest of an unused body, so that the next request on the connection can be read.
    this.#req.resume();
    this.#outgoing?.destroy();
    this.#resolve();
  };
}

/** Adds the headers of the other server to those of this server, without duplicate values. The date is that of the other server. */
function copyHeaders(
  incoming: IncomingMessage,
  res: ServerResponse,
  rewriteLocation: PassingOptions["rewriteLocation"],
): void {
  for (const [lower, { name, values: given }] of answerHeaders(incoming)) {
    const values = lower === "location" && rewriteLocation !== undefined ? given.map(rewriteLocation) : given;
    const own = lower === "date" ? undefined : res.getHeader(lower);
    const all = own === undefined ? values : [...new Set([...[own].flat().map(String), ...values])];
    res.setHeader(name, all.length === 1 ? (all[0] as string) : all);
  }
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode <= 399 && (headers.location ?? "") !== "";
}

interface RequestBody {
  readonly hasAny: boolean;
  readonly headers: readonly string[];
}

/** Whether a request has a body, with the headers for its length. A Content-Length is sent only if one was received. */
function bodyOf(req: IncomingMessage): RequestBody {
  const length = req.headers["content-length"];
  if (length !== undefined) return { hasAny: Number(length) > 0, headers: ["Content-Length", length] };
  const { stream } = req as { readonly stream?: { readonly endAfterHeaders: boolean } };
  const hasAny = stream === undefined ? req.headers["transfer-encoding"] !== undefined : !stream.endAfterHeaders;
  return { hasAny, headers: hasAny ? ["Transfer-Encoding", "chunked"] : [] };
}

/** HTTP/2 error code INTERNAL_ERROR. */
const INTERNAL_ERROR = 2;

/** Aborts a response, because a truncated response must not look complete to the client. */
function abandon(res: ServerResponse): void {
  const { stream } = res as { readonly stream?: { close(code: number): void } };
  if (stream === undefined) res.destroy();
  else stream.close(INTERNAL_ERROR);
}
