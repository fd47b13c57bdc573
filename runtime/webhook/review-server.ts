import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { parseJson } from "../encoding/json/parse-json.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { PemPair } from "../lib/follow-key-pair.ts";
import { type AdmissionReview, type HookEnvironment, reviewMutation, reviewValidation } from "./admission-review.ts";
import { type ConversionReview, reviewConversion } from "./convert-review.ts";

export interface ReviewServerOptions {
  readonly environment: HookEnvironment;
  readonly address: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly serving: PemPair;
}

export interface ReviewServer {
  readonly port: number;
  /** Uses another certificate for new connections. */
  renew(serving: PemPair): void;
  /** Finishes running reviews, and accepts no new ones. */
  stop(): Promise<void>;
}

/** Maximum size of a review. Reviews of lists contain many objects; a single object has at most 3 MiB. */
const MAX_BODY = 64 * 1024 * 1024;
/** Maximum time for which the cluster waits for a review. */
const REQUEST_TIMEOUT = 30_000;

/** Serves reviews over HTTPS: /convert, /mutate and /validate; and /healthz, /livez and /readyz for probes. */
export async function startReviewServer(options: ReviewServerOptions): Promise<ReviewServer> {
  const { environment, address, port } = options;
  let isStopping = false;
  const reviews: { readonly [path: string]: (review: object) => Promise<object> } = {
    "/convert": (review) => reviewConversion(environment.kinds, review as ConversionReview),
    "/mutate": (review) => reviewMutation(environment, review as AdmissionReview),
    "/validate": (review) => reviewValidation(environment, review as AdmissionReview),
  };
  const server = createServer(contextOptions(options.serving), (request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  server.requestTimeout = REQUEST_TIMEOUT;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?", 1)[0]!;
    if (["/healthz", "/livez", "/readyz"].includes(path)) {
      const isReady = path !== "/readyz" || !isStopping;
      return send(response, isReady ? 200 : 503, isReady ? "ok" : "shutting down", "text/plain");
    }
    const review = Object.hasOwn(reviews, path) ? reviews[path] : undefined;
    if (review === undefined) return send(response, 404, "not found", "text/plain");
    if (request.method !== "POST") return send(response, 405, "send a POST request", "text/plain");
    const body = await readBody(request);
    if (body === undefined) return send(response, 413, "the review is too large", "text/plain");
    let parsed: unknown;
    try {
      parsed = parseJson(body).value;
    } catch (error) {
      return send(response, 400, error instanceof Error ? error.message : String(error), "text/plain");
    }
    if (typeof parsed !== "object" || parsed === null) return send(response, 400, "not a review", "text/plain");
    return send(response, 200, stringifyJson(await review(parsed)), "application/json");
  }

  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, address, done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    renew: (serving) => server.setSecureContext(contextOptions(serving)),
    stop: () => {
      isStopping = true;
      return new Promise((done) => {
        server.close(() => done());
        server.closeIdleConnections();
      });
    },
  };
}

function contextOptions({ certificatePem, keyPem }: PemPair) {
  return { cert: certificatePem, key: keyPem, minVersion: "TLSv1.2" } as const;
}

function send(response: ServerResponse, status: number, text: string, type: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { "Content-Type": type, "Content-Length": body.length }).end(body);
}

/** Reads the body. Returns undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
