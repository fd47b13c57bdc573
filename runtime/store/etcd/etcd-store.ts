import { createHash } from "node:crypto";
import type { DiskUse } from "../../contract/disk-use.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { Tunnel } from "../../outbound/dial.ts";
import { CasFailedError, StoreError, StoreLostError, UnavailableError } from "../errors.ts";
import type {
  PutOptions,
  PutResult,
  RangeRequest,
  RangeResult,
  Store,
  StoreEntry,
  StoreWatch,
  WatchReceiver,
  WatchRequest,
} from "../store.ts";
import { EtcdCompactor } from "./etcd-compactor.ts";
import { EtcdConnection } from "./etcd-connection.ts";
import { type MemberFailure, storeError } from "./etcd-errors.ts";
import { EtcdLeases } from "./etcd-leases.ts";
import { EtcdWatch, entryOf } from "./etcd-watch.ts";
import { keyRange } from "./key-range.ts";
import { type Header, type MessageCodec, messageCodec, type RangeResponse, type TxnResponse } from "./messages.ts";
import type { EtcdTls } from "./renewed-credentials.ts";
import { tellsSoundProgress } from "./sound-progress.ts";

const RANGE = "/etcdserverpb.KV/Range";
const TXN = "/etcdserverpb.KV/Txn";
/** Calls whose responses contain the present revision of the cluster. Other responses may contain that of a member that lags behind. */
const OF_THE_PRESENT = new Set([RANGE, TXN]);
/** Entries fetched per call if a range has no limit. */
const PAGE = 2000;
/** Timeout of the status requests to members while connecting. */
const STATUS_TIMEOUT_MS = 1000;
const EQUAL = 0;
const VERSION = 0;
const MOD_REVISION = 2;

const rangeCall = messageCodec<object, RangeResponse>("RangeRequest", "RangeResponse");
// Lease IDs have 64 bits, which a number cannot hold.
const keysCall = messageCodec<object, KeysResponse>("RangeRequest", "RangeResponse", String);
const timeToLiveCall = messageCodec<object, { header: Header; ttl: number }>(
  "LeaseTimeToLiveRequest",
  "LeaseTimeToLiveResponse",
);
const txnCall = messageCodec<object, TxnResponse>("TxnRequest", "TxnResponse");
const compactCall = messageCodec<object, { header: Header }>("CompactionRequest", "CompactionResponse");
const statusCall = messageCodec<object, MemberStatus>("StatusRequest", "StatusResponse");
const leaseCall = messageCodec<object, { header: Header; id: string }>(
  "LeaseGrantRequest",
  "LeaseGrantResponse",
  String,
);

interface MemberStatus {
  readonly header: Header;
  readonly version: string;
  readonly db_size: number;
  /** Example: `memberID:1 alarm:NOSPACE`. */
  readonly errors?: readonly string[];
}

interface KeysResponse {
  readonly header: Header;
  readonly kvs: readonly {
    readonly key: Buffer;
    readonly create_revision: string;
    readonly mod_revision: string;
    readonly lease: string;
  }[];
  readonly more: boolean;
}

/** A key without its value. */
export interface EtcdKey {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** "0" if the key does not expire. */
  readonly lease: string;
}

/** Changes of one transaction, all at the same revision. */
export interface EtcdChanges {
  /** Revisions that the keys must have; 0: the key must not exist. */
  readonly expected?: readonly { readonly key: string; readonly revision: number }[];
  readonly puts?: readonly { readonly key: string; readonly value: Uint8Array; readonly ttlSeconds?: number }[];
  readonly deletes?: readonly string[];
}

interface RangeMessage {
  readonly key: Uint8Array;
  readonly range_end?: Uint8Array;
  readonly limit?: number;
  readonly revision?: number;
  readonly count_only?: boolean;
}

export interface EtcdStoreOptions {
  readonly endpoints: readonly string[];
  /** Prefix of all keys: the etcd user may have access to nothing else. */
  readonly prefix?: string;
  readonly tls?: EtcdTls;
  /** The proxy through which etcd is reached. Undefined: connections are direct. */
  readonly tunnel?: Tunnel;
  readonly clock?: Clock;
  readonly callTimeoutMs?: number;
  /** How often this server compacts etcd; 0: never. */
  readonly compactionIntervalMs?: number;
  /** Called when etcd contains other data than before: everything that this process has cached is wrong. */
  readonly onLost?: ((error: StoreLostError) => void) | undefined;
}

/** The store of any number of servers: etcd, over gRPC. */
export class EtcdStore implements Store {
  readonly watchesAreImmediate = false;
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #watches = new Set<EtcdWatch>();
  readonly #leases: EtcdLeases;
  readonly #compactor: EtcdCompactor | undefined;
  #cluster: number | undefined;
  readonly #onLost: EtcdStoreOptions["onLost"];
  readonly #root: Buffer;
  #lastRevision = 0;
  #lost: StoreLostError | undefined;
  #closed = false;
  #tellsProgress = true;

  private constructor(options: EtcdStoreOptions) {
    const { endpoints, tls, tunnel, clock = systemClock, callTimeoutMs = 10_000, compactionIntervalMs = 0 } = options;
    this.#clock = clock;
    this.#onLost = options.onLost;
    this.#root = Buffer.from(`${options.prefix ?? ""}/`);
    this.#connection = new EtcdConnection({ endpoints, callTimeoutMs, tunnel, ...(tls && { tls }) });
    this.#leases = new EtcdLeases((ttl) => this.#grantLease(ttl), clock);
    if (compactionIntervalMs > 0) {
      const calls = {
        claim: (key: string, version: number, value: string) => this.#claim(key, version, value),
        compact: (revision: number) => this.compact(revision),
      };
      this.#compactor = new EtcdCompactor(calls, clock, compactionIntervalMs);
    }
  }

  /** Connects. Throws Unavailable with a sentence that names the endpoints that were tried. */
  static async connect(options: EtcdStoreOptions): Promise<EtcdStore> {
    const store = new EtcdStore(options);
    try {
      await store.currentRevision();
      await store.#askForVersions();
      return store;
    } catch (error) {
      await store.close();
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnavailableError(`cannot connect to etcd at ${options.endpoints.join(", ")}: ${reason}`, {
        cause: error,
      });
    }
  }

  /** Bytes that identify the cluster: the same for every server that uses it. */
  get identity(): Uint8Array {
    return createHash("sha256").update(String(this.#cluster)).digest();
  }

  get tellsProgress(): boolean {
    return this.#tellsProgress;
  }

  async currentRevision(): Promise<number> {
    const answer = await this.#range({ key: this.#root, count_only: true });
    return answer.header.revision;
  }

  async get(key: string, options?: { atRevision?: number }): Promise<StoreEntry | undefined> {
    const answer = await this.#range({ key: Buffer.from(key), revision: options?.atRevision ?? 0 });
    const [kv] = answer.kvs;
    return kv && entryOf(kv);
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    const { prefix, limit, atRevision } = request;
    const first = await this.#range({
      ...keyRange(prefix, request.startAfter),
      limit: limit ?? PAGE,
      revision: atRevision ?? 0,
    });
    const revision = atRevision ?? first.header.revision;
    const entries = first.kvs.map(entryOf);
    let { more } = first;
    while (more && limit === undefined) {
      const startAfter = entries[entries.length - 1]?.key;
      const page = await this.#range({ ...keyRange(prefix, startAfter), limit: PAGE, revision });
      for (const kv of page.kvs) entries.push(entryOf(kv));
      more = page.more;
    }
    return { entries, revision, more, ...(request.count && { count: first.count }) };
  }

  async put(key: string, value: Uint8Array, options: PutOptions): Promise<PutResult> {
    this.#checkOpen();
    const lease = options.ttlSeconds === undefined ? 0 : await this.#leases.leaseFor(options.ttlSeconds);
    return this.#compareAndSet(key, options.expected, { put: { key: Buffer.from(key), value, lease } });
  }

  async delete(key: string, options: { expected: number }): Promise<PutResult> {
    // etcd reports revision 0 for a key that does not exist, so the comparison would succeed.
    if (options.expected === 0) throw new CasFailedError(key, await this.get(key));
    return this.#compareAndSet(key, options.expected, { delete: { key: Buffer.from(key) } });
  }

  /** The keys under a prefix as of a revision. */
  async keys(prefix: string, atRevision: number): Promise<EtcdKey[]> {
    const keys: EtcdKey[] = [];
    for (;;) {
      const range = { ...keyRange(prefix, keys.at(-1)?.key), limit: PAGE, revision: atRevision, keys_only: true };
      const about = { isWrite: false, revision: atRevision };
      const page = await this.#call(RANGE, keysCall, range, about);
      for (const { key, create_revision, mod_revision, lease } of page.kvs)
        keys.push({
          key: key.toString(),
          createRevision: Number(create_revision),
          modRevision: Number(mod_revision),
          lease,
        });
      if (!page.more) return keys;
    }
  }

  /** Seconds until the keys of a lease expire; negative if they have. */
  async leaseSeconds(lease: string): Promise<number> {
    const path = "/etcdserverpb.Lease/LeaseTimeToLive";
    return (await this.#call(path, timeToLiveCall, { id: lease }, { isWrite: false })).ttl;
  }

  /** Makes all changes or none. Throws CasFailed for the first key that is not at its expected revision. */
  async change({ expected = [], puts = [], deletes = [] }: EtcdChanges): Promise<PutResult> {
    const success: object[] = deletes.map((key) => ({ delete: { key: Buffer.from(key) } }));
    for (const { key, value, ttlSeconds } of puts) {
      const lease = ttlSeconds === undefined ? 0 : await this.#leases.leaseFor(ttlSeconds);
      success.push({ put: { key: Buffer.from(key), value, lease } });
    }
    const request = {
      compare: expected.map(({ key, revision }) => ({
        result: EQUAL,
        target: MOD_REVISION,
        key: Buffer.from(key),
        mod_revision: revision,
      })),
      success,
      failure: expected.map(({ key }) => ({ range: { key: Buffer.from(key) } })),
    };
    const answer = await this.#call(TXN, txnCall, request, { isWrite: true });
    if (answer.succeeded) return { revision: answer.header.revision };
    for (const [index, { key, revision }] of expected.entries()) {
      const found = answer.responses[index]?.range?.kvs[0];
      if ((found?.mod_revision ?? 0) !== revision) throw new CasFailedError(key, found && entryOf(found));
    }
    throw new StoreError("Unavailable", "etcd refused a transaction whose conditions are met");
  }

  watch(request: WatchRequest, receiver: WatchReceiver): StoreWatch {
    this.#checkOpen();
    const forget = (ended: EtcdWatch): boolean => this.#watches.delete(ended);
    const noting: WatchReceiver = {
      changed: (events, revision) => {
        this.#noteRevision(revision);
        receiver.changed(events, revision);
      },
      progress: (revision) => receiver.progress(revision),
      failed: (error) => receiver.failed(error),
    };
    const watch = new EtcdWatch(this.#connection, this.#clock, request, noting, forget);
    this.#watches.add(watch);
    if (this.#tellsProgress) return watch;
    return { requestProgress: () => undefined, close: () => watch.close() };
  }

  async compact(revision: number): Promise<void> {
    await this.#call("/etcdserverpb.KV/Compact", compactCall, { revision }, { isWrite: true, revision });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#compactor?.stop();
    for (const watch of this.#watches) watch.fail(new StoreError("Closed", "the store was closed"));
    this.#connection.close();
  }

  async diskUse(): Promise<readonly DiskUse[]> {
    return (await this.#memberStatuses()).map(({ db_size, errors = [] }) => ({
      sizeBytes: db_size,
      refusesWrites: errors.some((error) => error.includes("alarm:NOSPACE")),
    }));
  }

  /** Status of the members that respond in time. */
  #memberStatuses(): Promise<readonly MemberStatus[]> {
    return this.#connection.callEach("/etcdserverpb.Maintenance/Status", statusCall, {}, STATUS_TIMEOUT_MS);
  }

  /**
   * Requests the version of each member. A single member that reports progress too early makes progress untrustworthy: watches may use any
   * member.
   */
  async #askForVersions(): Promise<void> {
    const members = await this.#memberStatuses();
    this.#tellsProgress = members.every(({ version }) => tellsSoundProgress(version));
  }

  #range(request: RangeMessage): Promise<RangeResponse> {
    const revision = request.revision ?? 0;
    return this.#call(RANGE, rangeCall, request, { isWrite: false, revision });
  }

  async #compareAndSet(key: string, expected: number, operation: object): Promise<PutResult> {
    const keyBytes = Buffer.from(key);
    const request = {
      compare: [{ result: EQUAL, target: MOD_REVISION, key: keyBytes, mod_revision: expected }],
      success: [operation],
      failure: [{ range: { key: keyBytes } }],
    };
    const answer = await this.#call(TXN, txnCall, request, { isWrite: true });
    if (answer.succeeded) return { revision: answer.header.revision };
    const current = answer.responses[0]?.range?.kvs[0];
    throw new CasFailedError(key, current && entryOf(current));
  }

  async #claim(
    key: string,
    version: number,
    value: string,
  ): Promise<{ claimed: boolean; version: number; revision: number }> {
    const keyBytes = Buffer.from(key);
    const request = {
      compare: [{ result: EQUAL, target: VERSION, key: keyBytes, version }],
      success: [{ put: { key: keyBytes, value: Buffer.from(value) } }],
      failure: [{ range: { key: keyBytes } }],
    };
    const answer = await this.#call(TXN, txnCall, request, { isWrite: true });
    const { revision } = answer.header;
    if (answer.succeeded) return { claimed: true, version: version + 1, revision };
    return { claimed: false, version: answer.responses[0]?.range?.kvs[0]?.version ?? 0, revision };
  }

  async #grantLease(ttl: number): Promise<string> {
    const answer = await this.#call("/etcdserverpb.Lease/LeaseGrant", leaseCall, { ttl }, { isWrite: true });
    return answer.id;
  }

  async #call<Request, Response extends { readonly header: Header }>(
    path: string,
    codec: MessageCodec<Request, Response>,
    request: Request,
    about: { readonly isWrite: boolean; readonly revision?: number },
  ): Promise<Response> {
    this.#checkOpen();
    const known = this.#lastRevision;
    try {
      const answer = await this.#connection.call(path, codec, request, about.isWrite);
      this.#noteHeader(answer.header, OF_THE_PRESENT.has(path) ? known : 0);
      return answer;
    } catch (error) {
      this.#checkOpen();
      if (error instanceof StoreLostError) throw error;
      throw storeError(error as MemberFailure, {
        isWrite: about.isWrite,
        currentRevision: this.#lastRevision,
        ...(about.revision !== undefined && { requestedRevision: about.revision }),
      });
    }
  }

  /** Checks the header of a response. `atLeast` is a revision that etcd had before the call. */
  #noteHeader(header: Header, atLeast: number): void {
    // In some responses, numbers are decoded as strings.
    const [cluster, revision] = [Number(header.cluster_id), Number(header.revision)];
    this.#cluster ??= cluster;
    if (cluster !== this.#cluster) throw this.#lose("another cluster responds than before");
    if (revision < atLeast)
      throw this.#lose(`its revision was ${atLeast} and is ${revision} now, as after the restore of a snapshot`);
    this.#noteRevision(revision);
  }

  #noteRevision(revision: number): void {
    this.#lastRevision = Math.max(this.#lastRevision, revision);
  }

  /** Fails all watches and later calls: data read before must not be returned or compared any more. */
  #lose(reason: string): StoreLostError {
    if (this.#lost !== undefined) return this.#lost;
    const lost = new StoreLostError(`etcd has other data than before: ${reason}; restart all servers over it`);
    this.#lost = lost;
    this.#compactor?.stop();
    for (const watch of this.#watches) watch.fail(lost);
    this.#onLost?.(lost);
    return lost;
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreError("Closed", "the store is closed");
    if (this.#lost !== undefined) throw this.#lost;
  }
}
