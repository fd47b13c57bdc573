import { type ChildProcess, fork } from "node:child_process";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import type { LogDestination } from "../../audit/log-file.ts";
import type { Listener } from "../../http/transport/listen.ts";
import { Channel } from "../../lib/channel.ts";
import type { Log } from "../../lib/log.ts";
import type { MetricsPath } from "../../metrics/health-metrics.ts";
import { joinMetrics } from "../../metrics/join-metrics.ts";
import { encodeStoreError } from "../../store/remote/error-data.ts";
import type { StoreService } from "../../store/remote/store-service.ts";
import { type Begin, CHANNEL_FD, type OthersData, type OwnerMessage, type WorkerMessage } from "./messages.ts";
import { SharedListener } from "./shared-listener.ts";

const FIRST_RESTART_MS = 100;
const LAST_RESTART_MS = 30_000;
/** A worker that ran for this long had no start-up failure: the restart delay is reset. */
const STEADY_MS = 60_000;
const METRICS_TIMEOUT_MS = 5000;
/** Time that a worker may take to stop, in addition to the time for its requests. */
const STOP_MARGIN_MS = 10_000;

export interface PoolOptions {
  readonly count: number;
  readonly host: string;
  readonly port: number;
  readonly reusePort: boolean;
  readonly shutdownDelayMs: number;
  /** The embedded store; absent over etcd. */
  readonly service: StoreService | undefined;
  /** File descriptor of the shared revision; absent with etcd. */
  readonly revisionFd: number | undefined;
  /** The audit log, which this process writes for all workers. */
  readonly audit: LogDestination | undefined;
  readonly log: Log;
}

/** The part of `Begin` that is equal for all workers. */
export type CommonBegin = Omit<Begin, "kind" | "index" | "address" | "started">;

interface Member {
  readonly index: number;
  readonly process: ChildProcess;
  readonly channel: Channel;
  readonly since: number;
  readonly leave: () => void;
  serves: boolean;
  /** Its metrics as last received for `/metrics`. */
  metrics: Buffer | undefined;
}

/** The processes that serve requests behind one port. Connections are passed to them in turn. A process that ends is restarted. */
export class WorkerPool implements Listener {
  readonly #options: PoolOptions;
  readonly #members = new Map<number, Member>();
  readonly #listener: SharedListener;
  readonly #opened = Promise.withResolvers<void>();
  readonly #restarts = new Map<number, { readonly timer: NodeJS.Timeout }>();
  readonly #failures = new Map<number, number>();
  #address: AddressInfo = { address: "", family: "", port: 0 };
  #begun: CommonBegin | undefined;
  #hasOpened = false;
  #hasStarted = false;
  #isStopping = false;
  #restartCount = 0;
  /** Counters of workers that ended. */
  #endedMetrics: Promise<string | undefined> = Promise.resolve(undefined);
  #endedVersion = 0;
  #auditing: Promise<unknown> = Promise.resolve();
  #onAllGone: (() => void) | undefined;
  /** Metrics of the owner itself. */
  ownMetrics: (path: MetricsPath) => Promise<Buffer> = async () => Buffer.alloc(0);
  resetOwnMetrics: (path: MetricsPath) => void = () => undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#opened.promise.catch(() => undefined);
    const { host, port, reusePort, log } = options;
    const onError = (error: Error): void => log("error", `a connection was lost: ${error.message}`);
    this.#listener = new SharedListener({ host, port, reusePort, onError });
    // The workers load their modules while the owner opens its store.
    for (let index = 1; index <= options.count; index++) this.#start(index);
  }

  get address(): AddressInfo {
    return this.#address;
  }

  /** Always 0: each worker counts its own connections. */
  get connections(): number {
    return 0;
  }

  /** Lets the workers listen. Resolves when all do. Rejects with the error of the first that cannot. */
  async listen(begin: CommonBegin): Promise<Listener> {
    this.#address = await this.#listener.listen();
    this.#begun = begin;
    for (const member of this.#members.values()) this.#begin(member);
    await this.#opened.promise;
    this.#hasOpened = true;
    return this;
  }

  /** Tells the workers that the bootstrap objects exist. */
  started(): void {
    this.#hasStarted = true;
    this.#sendAll({ kind: "started" });
  }

  /** Tells the workers to stop: they report not ready, end watches and let requests finish. */
  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    for (const { timer } of this.#restarts.values()) clearTimeout(timer);
    this.#sendAll({ kind: "stop" });
  }

  cut(): void {
    this.kill();
  }

  /** Kills all workers at once. */
  kill(): void {
    this.#isStopping = true;
    for (const { process: child } of this.#members.values()) child.kill("SIGKILL");
  }

  async close(graceMs: number): Promise<void> {
    this.stop();
    this.#listener.close();
    const late = graceMs + this.#options.shutdownDelayMs + STOP_MARGIN_MS;
    const timer = setTimeout(() => this.kill(), Math.min(late, 2 ** 31 - 1));
    await new Promise<void>((resolve) => {
      this.#onAllGone = resolve;
      this.#noticeAllGone();
    });
    clearTimeout(timer);
    await this.#auditing;
    await this.#options.audit?.close();
  }

  #start(index: number): void {
    const { log, service, revisionFd } = this.#options;
    // Runs the current program with the same Node.js options.
    const child = fork(process.argv[1] ?? "", ["worker"], {
      stdio: ["ignore", "inherit", "inherit", "ipc", "pipe", revisionFd ?? "ignore"],
    });
    const stream = child.stdio[CHANNEL_FD] as unknown as Duplex;
    const channel = new Channel(stream, { encodeError: encodeStoreError });
    const session = service?.serve(channel, () => {
      log("error", `worker ${index} (pid ${child.pid}) does not read events: ending it`);
      child.kill("SIGKILL");
    });
    const leave = (): void => session?.leave();
    const since = performance.now();
    const member: Member = { index, process: child, channel, since, leave, serves: false, metrics: undefined };
    this.#members.set(index, member);
    channel.handle("audit", async ({ bytes: [text] }) => {
      await this.#writeAudit(Buffer.from(text ?? []).toString());
      return { data: null, bytes: [] };
    });
    channel.handle("metrics", ({ data: path, bytes: [own] }) => {
      keepMetrics(member, path as MetricsPath, Buffer.from(own ?? []));
      return this.#gatherMetrics(index, path as MetricsPath);
    });
    channel.handle("reset", async ({ data: path }) => {
      await this.#resetMetrics(index, path as MetricsPath);
      return { data: null, bytes: [] };
    });
    channel.handle("ended", async ({ data: version, bytes: [kept] }) => {
      if (version === this.#endedVersion) this.#endedMetrics = Promise.resolve(Buffer.from(kept ?? []).toString());
      return { data: null, bytes: [] };
    });
    child.on("message", (message: WorkerMessage) => this.#receive(member, message));
    child.on("error", (error) => log("error", `worker ${index}: ${error.message}`));
    child.once("exit", (code, signal) => this.#ended(member, signal ?? `status ${code}`));
    this.#begin(member);
  }

  #begin({ index, process: child }: Member): void {
    if (this.#begun === undefined) return;
    this.#send(child, { ...this.#begun, kind: "begin", index, address: this.#address, started: this.#hasStarted });
  }

  #receive(member: Member, message: WorkerMessage): void {
    const { index, process: child } = member;
    const { log } = this.#options;
    if (message.kind === "accepted") return this.#listener.accepted(child, message.id);
    if (message.kind === "stopping") return this.#listener.remove(child);
    if (message.kind === "failed") {
      if (this.#hasOpened) log("error", `worker ${index} (pid ${child.pid}) cannot start: ${message.message}`);
      else this.#opened.reject(new Error(message.message));
      return;
    }
    member.serves = true;
    if (!this.#isStopping) this.#listener.add(child);
    log("info", `worker ${index} serves`, {
      pid: child.pid,
      ms: Math.round(performance.now() - member.since),
    });
    const all = [...this.#members.values()];
    if (all.length === this.#options.count && all.every(({ serves }) => serves)) this.#opened.resolve();
  }

  #ended(member: Member, how: string): void {
    const { index, process: child, channel, leave, metrics } = member;
    const { log } = this.#options;
    leave();
    this.#listener.remove(child);
    channel.end();
    this.#members.delete(index);
    if (metrics !== undefined) this.#keepCounters(metrics.toString());
    if (this.#isStopping) return this.#noticeAllGone();
    const what = `worker ${index} (pid ${child.pid}) ended with ${how}`;
    if (!this.#hasOpened) return this.#opened.reject(new Error(what));
    const failures = performance.now() - member.since > STEADY_MS ? 0 : (this.#failures.get(index) ?? 0);
    this.#failures.set(index, failures + 1);
    const delay = Math.min(FIRST_RESTART_MS * 2 ** failures, LAST_RESTART_MS);
    log("error", `${what}: it is started again in ${delay} ms`);
    this.#restartCount += 1;
    const timer = setTimeout(() => this.#start(index), delay);
    this.#restarts.set(index, { timer });
  }

  #noticeAllGone(): void {
    if (this.#members.size === 0) this.#onAllGone?.();
  }

  /** Writes one entry at a time, as log rotation requires. */
  #writeAudit(text: string): Promise<void> {
    const written = this.#auditing.then(() => this.#options.audit?.write(text));
    this.#auditing = written.catch(() => undefined);
    return written;
  }

  /** Metrics of all processes except the requesting one. */
  async #gatherMetrics(asking: number, path: MetricsPath): Promise<{ data: OthersData; bytes: readonly Uint8Array[] }> {
    const members = [...this.#members.values()];
    const others = members.filter(({ index }) => index !== asking);
    const texts = await Promise.all(others.map((member) => metricsOf(member, path)));
    const version = this.#endedVersion;
    const ended = await this.#endedMetrics;
    const isUp = (index: number): boolean => {
      const at = others.findIndex((other) => other.index === index);
      return at === -1 ? index === asking : texts[at] !== undefined;
    };
    const workers = Array.from({ length: this.#options.count }, (_, at) => ({
      index: at + 1,
      pid: this.#members.get(at + 1)?.process.pid ?? 0,
      up: isUp(at + 1),
    }));
    const bytes = [await this.ownMetrics(path), ...texts.flatMap((text) => text ?? [])];
    return {
      data: { workers, restarts: this.#restartCount, ended: ended === undefined ? null : version },
      bytes: ended === undefined ? bytes : [...bytes, Buffer.from(ended)],
    };
  }

  /** Resets the metrics of all processes except the one that received the request. */
  async #resetMetrics(asking: number, path: MetricsPath): Promise<void> {
    this.resetOwnMetrics(path);
    const members = [...this.#members.values()];
    const others = members.filter(({ index, serves }) => index !== asking && serves);
    await Promise.all(others.map(({ channel }) => channel.call("reset", path).catch(() => undefined)));
    if (path !== "/metrics") return;
    for (const member of members) member.metrics = undefined;
    this.#endedVersion += 1;
    this.#endedMetrics = Promise.resolve(undefined);
  }

  /** Keeps the last known counters of a worker that ended, so that sums do not fall. */
  #keepCounters(text: string): void {
    this.#endedVersion += 1;
    this.#endedMetrics = this.#endedMetrics.then((before) =>
      joinMetrics([...(before === undefined ? [] : [{ text: before, ended: true }]), { text, ended: true }]),
    );
  }

  #sendAll(message: OwnerMessage): void {
    for (const { process: child } of this.#members.values()) this.#send(child, message);
  }

  /** Sends a message. A failure is ignored: the worker is about to end, which is noticed elsewhere. */
  #send(child: ChildProcess, message: OwnerMessage): void {
    if (child.connected) child.send(message, () => undefined);
  }
}

function keepMetrics(member: Member, path: MetricsPath, text: Buffer): void {
  if (path === "/metrics") member.metrics = text;
}

async function metricsOf(member: Member, path: MetricsPath): Promise<Buffer | undefined> {
  if (!member.serves) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), METRICS_TIMEOUT_MS);
  });
  const asked = member.channel.call("expose", path).then(
    ({ bytes: [text] }) => Buffer.from(text ?? []),
    () => undefined,
  );
  const text = await Promise.race([asked, late]);
  clearTimeout(timer);
  if (text !== undefined) keepMetrics(member, path, text);
  return text;
}
