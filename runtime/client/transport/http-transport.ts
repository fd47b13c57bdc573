import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { request as requestSecure } from "node:https";
import { finished } from "node:stream";
import { unlessAborted } from "../../lib/unless-aborted.ts";
import { TrustingAgent } from "../../outbound/trusting-agent.ts";
import { ConnectionError } from "../api-error.ts";
import type { Login } from "../login/login.ts";
import { connectThroughProxy } from "./proxy.ts";
import { StreamBody } from "./stream-body.ts";
import type { TakeChunk, Transport, TransportRequest, TransportResponse } from "./transport.ts";

// Imported as an ES module, node:http would load all of undici for exports that are not used here.
const { Agent: PlainAgent, request: requestPlain } = process.getBuiltinModule("node:http");

/** A server and how to reach it. */
export interface Endpoint {
  /** For example `https://10.0.0.1:6443`. A path in it is the prefix of all request paths. */
  readonly server: string;
  /** PEM of the trusted CAs; those of the system by default. */
  readonly ca?: string;
  /** Name that the server's certificate must contain; by default the host of the URL. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** `http://proxy:3128` */
  readonly proxyUrl?: string;
}

/** Agents for streams, whose connections are not reused, and for other requests. */
interface Agents {
  readonly streams: Agent;
  readonly others: Agent;
}

/** Sends requests over HTTP/1.1 with keep-alive connections. Each watch has a connection of its own. */
export class HttpTransport implements Transport {
  readonly #url: URL;
  readonly #prefix: string;
  readonly #endpoint: Endpoint;
  readonly #login: Login;
  #agents: Agents | undefined;
  /** The client certificate and key of the current agents. */
  #identity = "";

  constructor(endpoint: Endpoint, login: Login) {
    this.#endpoint = endpoint;
    this.#url = new URL(endpoint.server);
    this.#prefix = this.#url.pathname.replace(/\/$/, "");
    this.#login = login;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    // Credentials may come from a program that takes long.
    const { headers, cert, key } = await unlessAborted(this.#login.credentials(), request.signal);
    request.signal?.throwIfAborted();
    const agents = this.#agentsWith(cert, key);
    const agent = request.isStream ? agents.streams : agents.others;
    const send = this.#url.protocol === "https:" ? requestSecure : requestPlain;
    return new Promise((resolve, reject) => {
      const { method, path, body, signal, isStream } = request;
      const stream = isStream ? new StreamBody() : undefined;
      const outgoing = send(this.#url, {
        ...(stream !== undefined && { onread: stream.onread }),
        method,
        path: this.#prefix + path,
        agent,
        headers: {
          ...request.headers,
          ...headers,
          ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }),
        },
      });
      const abort = (): void => void outgoing.destroy(signal?.reason as Error);
      signal?.addEventListener("abort", abort, { once: true });
      outgoing.once("close", () => signal?.removeEventListener("abort", abort));
      outgoing.on("error", (error) => reject(signal?.aborted ? signal.reason : this.#failed(request, outgoing, error)));
      if (stream !== undefined) outgoing.once("socket", (socket) => void (stream.socket = socket));
      outgoing.once("response", (incoming) => {
        stream?.begin(incoming);
        resolve(this.#response(request, incoming, stream));
      });
      outgoing.end(body);
    });
  }

  renew(): boolean {
    return this.#login.renew();
  }

  close(): void {
    this.#agents?.streams.destroy();
    this.#agents?.others.destroy();
    this.#agents = undefined;
  }

  #response(request: TransportRequest, incoming: IncomingMessage, stream: StreamBody | undefined): TransportResponse {
    return {
      status: incoming.statusCode ?? 0,
      header: (name) => {
        const value = incoming.headers[name];
        return typeof value === "string" ? value : value?.join(", ");
      },
      body: this.#body(request, incoming, stream),
      read: (take) => this.#read(request, incoming, stream, take),
    };
  }

  #read(
    request: TransportRequest,
    incoming: IncomingMessage,
    stream: StreamBody | undefined,
    take: TakeChunk,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (error: unknown): void => {
        reject(error);
        incoming.destroy();
      };
      finished(incoming, (error) => {
        const { signal } = request;
        if (!error) resolve();
        else stop(signal?.aborted ? signal.reason : this.#failed(request, undefined, error));
      });
      if (stream?.isHeld) stream.read(take, stop);
      else readEmitted(incoming, take, stop);
    });
  }

  async *#body(
    request: TransportRequest,
    incoming: IncomingMessage,
    stream: StreamBody | undefined,
  ): AsyncGenerator<Uint8Array> {
    const { signal } = request;
    try {
      stream?.release();
      yield* incoming as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw signal?.aborted ? signal.reason : this.#failed(request, undefined, error as Error);
    } finally {
      incoming.destroy();
    }
  }

  #failed({ method, path }: TransportRequest, outgoing: ClientRequest | undefined, error: Error): ConnectionError {
    const { code } = error as { code?: string };
    // The server had closed the reused connection: it did not read the request.
    const wasStale = outgoing?.reusedSocket === true && (code === "ECONNRESET" || code === "EPIPE");
    return Object.assign(
      new ConnectionError(`${method} ${this.#url.origin}${path}: ${error.message || code}`, { cause: error }),
      { wasStale },
    );
  }

  /** Returns agents for this client certificate. A renewed certificate uses new connections; the old ones end by themselves. */
  #agentsWith(cert: string | undefined, key: string | undefined): Agents {
    const identity = `${cert ?? ""}\n${key ?? ""}`;
    if (this.#agents !== undefined && identity === this.#identity) return this.#agents;
    const isSecure = this.#url.protocol === "https:";
    const create = (keepAlive: boolean): Agent =>
      isSecure ? this.#secureAgent(keepAlive, cert, key) : new PlainAgent({ keepAlive });
    this.#identity = identity;
    this.#agents = { streams: create(false), others: create(true) };
    return this.#agents;
  }

  #secureAgent(keepAlive: boolean, cert: string | undefined, key: string | undefined): Agent {
    const { ca, tlsServerName, insecureSkipTlsVerify, proxyUrl } = this.#endpoint;
    const agent = new TrustingAgent({
      keepAlive,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(tlsServerName !== undefined && { servername: tlsServerName }),
      ...(insecureSkipTlsVerify && { rejectUnauthorized: false }),
    });
    return proxyUrl === undefined ? agent : connectThroughProxy(agent, proxyUrl);
  }
}

function readEmitted(incoming: IncomingMessage, take: TakeChunk, stop: (error: unknown) => void): void {
  incoming.on("data", (chunk: Buffer) => {
    try {
      const waiting = take(chunk);
      if (waiting === undefined) return;
      incoming.pause();
      waiting.then(() => incoming.resume(), stop);
    } catch (error) {
      stop(error);
    }
  });
}
