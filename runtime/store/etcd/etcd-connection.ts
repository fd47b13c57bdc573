import { type ChannelCredentials, Client, type ClientDuplexStream, credentials, Metadata } from "@grpc/grpc-js";
import { currentTraceparent } from "../../lib/trace-context.ts";
import type { Tunnel } from "../../outbound/dial.ts";
import { hostPort } from "../../values/service-address.ts";
import { isUnreachable, MemberFailure, wasNeverSent } from "./etcd-errors.ts";
import { type MessageCodec, messageCodec, type WatchResponse } from "./messages.ts";
import { type EtcdTls, RenewedCredentials } from "./renewed-credentials.ts";
import { TunnelCredentials } from "./tunnel-credentials.ts";

export interface EtcdConnectionOptions {
  /** `http://127.0.0.1:2379`, `https://…`, or only host and port. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls;
  /** The proxy through which members are reached. Undefined: connections are direct. */
  readonly tunnel?: Tunnel | undefined;
  /** Timeout of a call. */
  readonly callTimeoutMs: number;
}

const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2000,
};

const watchCodec = messageCodec<object, WatchResponse>("WatchRequest", "WatchResponse");

export type WatchCall = ClientDuplexStream<object, WatchResponse>;

/** Connections to the members of one etcd cluster. All calls go to one member until it fails, then to the next. */
export class EtcdConnection {
  readonly #clients: readonly Client[];
  readonly #endpoints: readonly string[];
  readonly #callTimeoutMs: number;
  #current = 0;

  constructor(options: EtcdConnectionOptions) {
    this.#endpoints = options.endpoints;
    this.#callTimeoutMs = options.callTimeoutMs;
    this.#clients = options.endpoints.map((endpoint) => {
      const address = endpoint.replace(/^https?:\/\//, "");
      const credentials = credentialsFor(endpoint, address, options.tls);
      if (options.tunnel === undefined) return new Client(address, credentials, CHANNEL_OPTIONS);
      return new Client(targetOf(options.tunnel), new TunnelCredentials(credentials, options.tunnel, address), {
        ...CHANNEL_OPTIONS,
        "grpc.default_authority": address,
        "grpc.enable_http_proxy": 0,
      });
    });
  }

  /**
   * Makes a call. If a member cannot be reached, tries the next one, each at most once. A write moves to the next member only if it was
   * certainly never sent. Rejects with a MemberFailure of the last member that was tried.
   */
  async call<Request, Response>(
    path: string,
    codec: MessageCodec<Request, Response>,
    request: Request,
    isWrite: boolean,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const member = this.#current;
      try {
        return await this.#callMember(member, path, codec, request);
      } catch (error) {
        if (isUnreachable(error)) this.#leave(member);
        const mayRepeat = isWrite ? wasNeverSent(error) : isUnreachable(error);
        if (!mayRepeat || attempt >= this.#clients.length) {
          throw new MemberFailure(this.#endpoints[member] ?? "nowhere", error);
        }
      }
    }
  }

  /** Makes a call on every member. Returns the responses that arrive in time. */
  async callEach<Request, Response>(
    path: string,
    codec: MessageCodec<Request, Response>,
    request: Request,
    timeoutMs: number,
  ): Promise<Response[]> {
    const members = this.#clients.keys();
    const calls = Array.from(members, (member) => this.#callMember(member, path, codec, request, timeoutMs));
    const outcomes = await Promise.allSettled(calls);
    return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  }

  /** Opens a stream for a watch; `leave` moves later calls and streams to another member. */
  openWatch(): { readonly call: WatchCall; readonly leave: () => void } {
    const member = this.#current;
    const call = this.#client(member).makeBidiStreamRequest(
      "/etcdserverpb.Watch/Watch",
      watchCodec.serialize,
      watchCodec.deserialize,
      requireLeader(),
    );
    return { call, leave: () => this.#leave(member) };
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  #callMember<Request, Response>(
    member: number,
    path: string,
    codec: MessageCodec<Request, Response>,
    request: Request,
    timeoutMs = this.#callTimeoutMs,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + timeoutMs };
      this.#client(member).makeUnaryRequest(
        path,
        codec.serialize,
        codec.deserialize,
        request,
        traceOf(currentTraceparent()),
        options,
        (error, answer) => {
          if (error) reject(error);
          else resolve(answer as Response);
        },
      );
    });
  }

  #leave(member: number): void {
    if (this.#current === member) this.#current = (member + 1) % this.#clients.length;
  }

  #client(member: number): Client {
    const client = this.#clients[member];
    if (client === undefined) throw new Error("no etcd endpoint was given");
    return client;
  }
}

/** Makes a member that has no leader end the stream instead of leaving it open without events. */
function requireLeader(): Metadata {
  const metadata = new Metadata();
  metadata.set("hasleader", "true");
  return metadata;
}

/** The trace context of the present request, for etcd's own spans. */
function traceOf(traceparent: string | undefined): Metadata {
  const metadata = new Metadata();
  if (traceparent !== undefined) metadata.set("traceparent", traceparent);
  return metadata;
}

function targetOf({ proxy }: Tunnel): string {
  return "path" in proxy ? `unix:${proxy.path}` : `dns:${hostPort(proxy)}`;
}

function credentialsFor(endpoint: string, address: string, tls: EtcdTls | undefined): ChannelCredentials {
  const configured = tls?.authorityPem !== undefined || tls?.client !== undefined;
  const secure = endpoint.startsWith("https://") || (configured && !endpoint.startsWith("http://"));
  if (!secure) return credentials.createInsecure();
  return new RenewedCredentials(tls ?? {}, address);
}
