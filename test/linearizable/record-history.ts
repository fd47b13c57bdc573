import type { History, ListRead, Operation, Outcome, WatchRecord, WatchStep } from "./history.ts";

/** Access to a server: an `AdminClient`, or a plane in the same process (`plane-api.ts`). */
export interface Api {
  /** Rejects if there is no response. */
  request(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Resolves when the watch has ended for any reason. */
  watch(path: string, onEvent: (event: unknown) => void, signal?: AbortSignal): Promise<void>;
}

export interface RecorderOptions {
  /** Servers with the same data. Clients are distributed over them. */
  readonly apis: readonly Api[];
  readonly writers: number;
  readonly watchers: number;
  readonly keys: number;
  /** Prefix of the object names. No object with this prefix may exist. */
  readonly prefix: string;
  /** Returns numbers between 0 and 1, like Math.random. */
  readonly random: () => number;
  /** Approximate number of events after which a watcher breaks its own connection. */
  readonly eventsPerConnection?: number;
  /** Maximum time until watchers receive the last write. Defaults to one minute. */
  readonly patienceMs?: number;
}

const COLLECTION = "/api/v1/namespaces/default/configmaps";

interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly value?: string };
}

/** Runs concurrent clients against servers and records their requests, responses and events. */
export class HistoryRecorder {
  readonly #options: RecorderOptions;
  readonly #operations: Operation[] = [];
  readonly #lists: ListRead[] = [];
  readonly #watches: { readonly record: WatchRecord & { steps: WatchStep[] }; readonly ended: Promise<void> }[] = [];
  readonly #writers: Promise<void>[] = [];
  #stopping = false;
  #over = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Number of requests with a response so far. */
  get count(): number {
    return this.#operations.length + this.#lists.length;
  }

  async start(): Promise<void> {
    const { writers, watchers } = this.#options;
    for (let index = 0; index < watchers; index++) {
      const record = { name: `watcher ${index}`, steps: [] as WatchStep[] };
      const revision = await this.#listedRevision(this.#api(index));
      record.steps.push({ step: "start", revision });
      this.#watches.push({ record, ended: this.#watch(this.#api(index), record.steps, revision) });
    }
    for (let writer = 0; writer < writers; writer++) this.#writers.push(this.#write(writer));
  }

  /** Stops the writers, waits until every watcher has received the last write, and returns the history. */
  async finish(): Promise<History> {
    this.#stopping = true;
    await Promise.all(this.#writers);
    await this.#untilWatchersAreDone();
    await this.#list(this.#api(0));
    this.#over = true;
    for (const { ended } of this.#watches) await ended;
    return { operations: this.#operations, lists: this.#lists, watches: this.#watches.map(({ record }) => record) };
  }

  /** A watcher that does not receive the last write in time is recorded unchanged: the check finds what is missing. */
  async #untilWatchersAreDone(): Promise<void> {
    const last = await this.#writeLast();
    const deadline = performance.now() + (this.#options.patienceMs ?? 60_000);
    const isDone = (steps: readonly WatchStep[]): boolean => (steps.at(-1)?.revision ?? 0) >= last;
    while (!this.#watches.every(({ record }) => isDone(record.steps)) && performance.now() < deadline) await pause(5);
    // What is missing at this point will not arrive any more.
    for (const { record } of this.#watches)
      if (!isDone(record.steps)) record.steps.push({ step: "bookmark", revision: last });
  }

  async #writeLast(): Promise<number> {
    for (let attempt = 0; ; attempt++) {
      const name = `${this.#options.prefix}last-${attempt}`;
      const body = { metadata: { name }, data: { value: name } };
      const action = { verb: "create", value: name } as const;
      const outcome = await this.#run(this.#api(attempt), name, action, ["POST", COLLECTION, body]);
      // If it is unknown whether the write happened, another one is made.
      if (outcome?.result === "ok") return outcome.revision ?? 0;
      await pause(20);
    }
  }

  #api(index: number): Api {
    const { apis } = this.#options;
    return apis[index % apis.length] as Api;
  }

  async #write(writer: number): Promise<void> {
    const { random, keys, prefix } = this.#options;
    const api = this.#api(writer);
    const known = new Map<string, { value: string; revision: number }>();
    for (let sequence = 0; !this.#stopping; sequence++) {
      const key = `${prefix}${Math.floor(random() * keys)}`;
      const path = `${COLLECTION}/${key}`;
      const [chance, last, value] = [random(), known.get(key), `${writer}.${sequence}`];
      if (chance < 0.1) {
        await this.#list(api);
      } else if (chance < 0.4) {
        const outcome = await this.#run(api, key, { verb: "get" }, ["GET", path]);
        if (outcome?.result === "ok") known.set(key, { value: outcome.value ?? "", revision: outcome.revision ?? 0 });
        else known.delete(key);
      } else if (last === undefined || chance < 0.45) {
        const body = { metadata: { name: key }, data: { value } };
        const outcome = await this.#run(api, key, { verb: "create", value }, ["POST", COLLECTION, body]);
        if (outcome?.result === "ok") known.set(key, { value, revision: outcome.revision ?? 0 });
      } else if (chance < 0.85) {
        const body = { metadata: { name: key, resourceVersion: String(last.revision) }, data: { value } };
        const outcome = await this.#run(api, key, { verb: "update", expected: last.value, value }, ["PUT", path, body]);
        if (outcome?.result === "ok") known.set(key, { value, revision: outcome.revision ?? 0 });
        else known.delete(key);
      } else {
        const guarded = chance < 0.92;
        const body = guarded ? { preconditions: { resourceVersion: String(last.revision) } } : undefined;
        const action = { verb: "delete", ...(guarded && { expected: last.value }) } as const;
        await this.#run(api, key, action, ["DELETE", path, body]);
        known.delete(key);
      }
    }
  }

  /** Sends a request and records it. Returns undefined if it certainly had no effect. */
  async #run(
    api: Api,
    key: string,
    action: Operation["action"],
    [method, path, body]: readonly [string, string, object?],
  ): Promise<Outcome | undefined> {
    const called = performance.now();
    const outcome = await api.request(method, path, body).then(outcomeOf, (): Outcome => ({ result: "unknown" }));
    if (outcome === undefined) return undefined;
    const isUnknown = outcome.result === "unknown";
    const returned = isUnknown ? Number.POSITIVE_INFINITY : performance.now();
    if (!isUnknown || action.verb !== "get") this.#operations.push({ key, action, called, returned, outcome });
    // The server may be unavailable, so the client waits.
    if (isUnknown) await pause(20);
    return outcome;
  }

  /** Deletes the objects of the run. */
  async cleanUp(): Promise<void> {
    const names = new Set(this.#lists.at(-1)?.items.keys());
    for (const name of names) await this.#api(0).request("DELETE", `${COLLECTION}/${name}`);
  }

  async #list(api: Api): Promise<number | undefined> {
    const called = performance.now();
    const answer = await api.request("GET", COLLECTION).catch(() => undefined);
    if (answer?.status !== 200) return void (await pause(20));
    const { metadata, items } = answer.body as { metadata: { resourceVersion: string }; items: Stored[] };
    const revision = Number(metadata.resourceVersion);
    const ours = items.filter((item) => item.metadata.name.startsWith(this.#options.prefix));
    this.#lists.push({
      called,
      returned: performance.now(),
      revision,
      items: new Map(
        ours.map((item) => [item.metadata.name, { value: item.data?.value ?? "", revision: revisionOf(item) }]),
      ),
    });
    return revision;
  }

  async #listedRevision(api: Api): Promise<number> {
    for (;;) {
      const revision = await this.#list(api);
      if (revision !== undefined) return revision;
    }
  }

  async #watch(api: Api, steps: WatchStep[], from: number): Promise<void> {
    const { eventsPerConnection = Number.POSITIVE_INFINITY, random, prefix } = this.#options;
    for (let since = from; !this.#over; ) {
      const connection = new AbortController();
      let left = Math.ceil(eventsPerConnection * 2 * random());
      let expired = false;
      const ending = setInterval(() => this.#over && connection.abort(), 20);
      const path = `${COLLECTION}?watch=1&allowWatchBookmarks=true&timeoutSeconds=8&resourceVersion=${since}`;
      const onEvent = (event: unknown): void => {
        if (connection.signal.aborted || expired) return;
        const { type, object } = event as {
          type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
          object: Stored;
        };
        if (type === "ERROR") {
          expired = true;
          return;
        }
        since = revisionOf(object);
        const { name } = object.metadata;
        if (type === "BOOKMARK") steps.push({ step: "bookmark", revision: since });
        else if (name.startsWith(prefix))
          steps.push({ step: "event", type, key: name, value: object.data?.value ?? "", revision: since });
        if (--left <= 0) connection.abort();
      };
      await api.watch(path, onEvent, connection.signal).catch(() => undefined);
      clearInterval(ending);
      if (this.#over) return;
      // The revision was compacted, or the server is behind: starts again with a list, as clients do.
      if (expired) since = await this.#listedRevision(api);
      steps.push({ step: "start", revision: since, ...(expired ? { listed: true as const } : {}) });
      await pause(5);
    }
  }
}

/** Returns the outcome; undefined for a response that means that the request was not tried. */
function outcomeOf({ status, body }: { readonly status: number; readonly body: unknown }): Outcome | undefined {
  if (status === 200 || status === 201) {
    const { kind, metadata, data } = body as Stored & { kind?: string };
    if (kind === "Status") return { result: "ok" };
    return { result: "ok", value: data?.value ?? "", revision: Number(metadata.resourceVersion) };
  }
  if (status === 404) return { result: "absent" };
  if (status === 409) return { result: "conflict" };
  if (status === 429 || status === 401 || status === 403) return undefined;
  return { result: "unknown" };
}

function revisionOf(object: Stored): number {
  return Number(object.metadata.resourceVersion);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
