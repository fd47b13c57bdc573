import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceDefinition,
  status,
} from "@grpc/grpc-js";
import { type KeyValue, messageCodec } from "../../runtime/store/etcd/messages.ts";

interface WatchMessage {
  readonly create?: { readonly start_revision: number } | null;
  readonly progress?: object | null;
}

interface RangeMessage {
  readonly key: Buffer;
  readonly range_end: Buffer;
  readonly limit: number;
  readonly revision: number;
}

interface Change {
  readonly key: string;
  readonly value: string;
  readonly revision: number;
}

/** Watch ID of a response that concerns all watches of its stream. */
const EVERY_WATCH = -1;
/** Watch ID that etcd assigns to the first watch of a stream. */
const FIRST_WATCH = 0;

const watchEnd = messageCodec<object, WatchMessage>("WatchResponse", "WatchRequest");
const rangeEnd = messageCodec<object, RangeMessage>("RangeResponse", "RangeRequest");
const statusEnd = messageCodec<object, object>("StatusResponse", "StatusRequest");

const SERVICE: ServiceDefinition = {
  watch: endpoint("/etcdserverpb.Watch/Watch", watchEnd, true),
  range: endpoint("/etcdserverpb.KV/Range", rangeEnd, false),
  status: endpoint("/etcdserverpb.Maintenance/Status", statusEnd, false),
};

/**
 * One member of an etcd that stores data and responds to reads by itself, while the test controls what each watch receives and when: orders
 * of responses that are very rare with a real etcd.
 */
export class FakeEtcd {
  readonly #server = new Server();
  readonly #streams: FakeWatchStream[] = [];
  readonly #history: Change[] = [];
  /** `traceparent` of each read. */
  readonly traces: unknown[] = [];
  #revision: number;
  #wake: () => void = () => undefined;
  #port = 0;

  readonly #version: string;

  private constructor(revision: number, version: string) {
    this.#revision = revision;
    this.#version = version;
  }

  static async start(revision: number, version = "3.5.16"): Promise<FakeEtcd> {
    const etcd = new FakeEtcd(revision, version);
    await etcd.#listen();
    return etcd;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Writes a key. Watches receive it only when the test sends it. */
  put(key: string, value = key): number {
    this.#history.push({ key, value, revision: ++this.#revision });
    return this.#revision;
  }

  /** Returns all changes under a prefix in these revisions, both inclusive, which a watch must receive. */
  changes(prefix: string, from: number, to: number): Change[] {
    return this.#history.filter(({ key, revision }) => key.startsWith(prefix) && revision >= from && revision <= to);
  }

  /** Returns the next stream of watches that a client opened, once it has created its watch. */
  async nextStream(): Promise<FakeWatchStream> {
    for (;;) {
      const stream = this.#streams.shift();
      if (stream !== undefined) return stream;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Number of streams that were opened but not returned yet. */
  get waitingStreams(): number {
    return this.#streams.length;
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #listen(): Promise<void> {
    this.#server.addService(SERVICE, {
      watch: (call: ServerDuplexStream<WatchMessage, object>) => this.#open(call),
      range: (call: ServerUnaryCall<RangeMessage, object>, answer: (error: null, value: object) => void) => {
        this.traces.push(call.metadata.get("traceparent")[0]);
        answer(null, this.#range(call.request));
      },
      status: (_call: object, answer: (error: null, value: object) => void) =>
        answer(null, { header: this.header, version: this.#version }),
    });
    return new Promise((resolve, reject) => {
      this.#server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
        this.#port = port;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  #open(call: ServerDuplexStream<WatchMessage, object>): void {
    const stream = new FakeWatchStream(this, call);
    call.on("error", () => undefined);
    call.on("data", (message: WatchMessage) => {
      stream.receive(message);
      if (message.create == null) return;
      this.#streams.push(stream);
      this.#wake();
    });
  }

  #range({ key, range_end, limit, revision }: RangeMessage): object {
    const at = revision || this.#revision;
    const state = new Map<string, Change>();
    for (const change of this.#history) if (change.revision <= at) state.set(change.key, change);
    const found = [...state.values()]
      .filter((change) => isWithin(Buffer.from(change.key), key, range_end))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    const kvs = found.slice(0, limit || undefined).map(keyValueOf);
    return { header: this.header, kvs, more: kvs.length < found.length, count: found.length };
  }

  get header(): object {
    return { cluster_id: 7, revision: this.#revision };
  }
}

/** A stream from etcd's side. */
export class FakeWatchStream {
  readonly #etcd: FakeEtcd;
  readonly #call: ServerDuplexStream<WatchMessage, object>;
  #wake: () => void = () => undefined;
  /** Revision at which the client wants to start. */
  startRevision = 0;
  /** Number of progress requests of the client. */
  progressRequests = 0;

  constructor(etcd: FakeEtcd, call: ServerDuplexStream<WatchMessage, object>) {
    this.#etcd = etcd;
    this.#call = call;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.#call.metadata.getMap();
  }

  receive({ create, progress }: WatchMessage): void {
    if (create != null) this.startRevision = create.start_revision;
    if (progress != null) this.progressRequests++;
    this.#wake();
  }

  async requestsOfProgress(count: number): Promise<void> {
    while (this.progressRequests < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  confirm(): void {
    this.#send({ watch_id: FIRST_WATCH, created: true });
  }

  /** Reports that the whole stream is up to date with a revision. */
  progress(revision: number): void {
    this.#send({ watch_id: EVERY_WATCH, header: { cluster_id: 7, revision } });
  }

  /** Sends the changes of a prefix in these revisions. As in etcd, the header contains the current revision. */
  changes(prefix: string, from: number, to: number, options: { readonly fragment?: boolean } = {}): void {
    const events = this.#etcd.changes(prefix, from, to).map((change) => ({ type: 0, kv: keyValueOf(change) }));
    this.#send({ watch_id: FIRST_WATCH, events, fragment: options.fragment ?? false });
  }

  /** Ends the watch because its history was compacted. */
  compacted(compactRevision: number): void {
    this.#send({ watch_id: FIRST_WATCH, canceled: true, compact_revision: compactRevision });
  }

  /** Rejects the creation of the watch. */
  refuse(reason: string): void {
    this.#send({ watch_id: EVERY_WATCH, created: true, canceled: true, cancel_reason: reason });
  }

  /** Breaks the connection. */
  break(): void {
    this.#call.emit("error", { code: status.UNAVAILABLE, details: "the member went away" });
  }

  #send(response: object): void {
    this.#call.write({ header: this.#etcd.header, ...response });
  }
}

function keyValueOf({ key, value, revision }: Change): KeyValue {
  const bytes = { key: Buffer.from(key), value: Buffer.from(value) };
  return { ...bytes, create_revision: revision, mod_revision: revision, version: 1 };
}

function isWithin(key: Buffer, from: Buffer, end: Buffer): boolean {
  if (end.length === 0) return key.equals(from);
  return Buffer.compare(key, from) >= 0 && Buffer.compare(key, end) < 0;
}

function endpoint(
  path: string,
  codec: ReturnType<typeof messageCodec<object, unknown>>,
  streams: boolean,
): ServiceDefinition[string] {
  return {
    path,
    requestStream: streams,
    responseStream: streams,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: (bytes: Buffer) => codec.deserialize(bytes),
    responseSerialize: (value: object) => codec.serialize(value),
    responseDeserialize: (bytes: Buffer) => bytes,
  };
}
