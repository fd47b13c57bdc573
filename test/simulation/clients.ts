import type { ListRead, Operation, Outcome, WatchStep } from "../linearizable/history.ts";
import type { Api } from "../linearizable/record-history.ts";
import type { Plan } from "./plan.ts";
import { below, type Random, randomOf } from "./random.ts";
import { NAMESPACES } from "./simulated-server.ts";
import type { World } from "./world.ts";

/** A list of all namespaces or of one. */
export interface ScopedList extends ListRead {
  readonly scope: string | undefined;
  /** Whether it must show everything that was acknowledged before it. Other lists may show an older state. */
  readonly isCurrent: boolean;
}

export interface ScopedWatch {
  readonly name: string;
  readonly scope: string | undefined;
  readonly steps: WatchStep[];
}

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: { readonly value?: string };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Known {
  readonly value: string;
  readonly revision: number;
}

/** Prefix of the names of objects that clients write. */
const PREFIX = "sim-";
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";
/** Maximum pause between two requests of a client. */
const PAUSE_MS = 3;
/** Pause after a request without a response, because the server may be unavailable. */
const AWAY_MS = 20;
/** Maximum time until watchers receive the last write. */
const PATIENCE_MS = 30_000;

/** Clients of simulated servers, with their requests, responses and events. */
export class Clients {
  readonly operations: Operation[] = [];
  readonly lists: ScopedList[] = [];
  readonly watches: ScopedWatch[] = [];
  /** Responses that no client should receive. */
  readonly problems: string[] = [];
  readonly #world: World;
  readonly #plan: Plan;
  readonly #apis: readonly Api[];
  readonly #watching: Promise<void>[] = [];
  #over = new AbortController();

  constructor(world: World, plan: Plan, apis: readonly Api[]) {
    this.#world = world;
    this.#plan = plan;
    this.#apis = apis;
  }

  /** Starts the watches. Resolves when every watcher has started. */
  async watch(): Promise<void> {
    const { watchers, seed } = this.#plan;
    for (let index = 0; index < watchers; index++) {
      // The first watcher receives everything.
      const scope = index === 0 ? undefined : [undefined, ...NAMESPACES][index % 3];
      const watch: ScopedWatch = { name: `watcher ${index}`, scope, steps: [] };
      this.watches.push(watch);
      this.#watching.push(this.#follow(watch, this.#api(index), randomOf(seed, watch.name)));
    }
    while (this.watches.some(({ steps }) => steps.length === 0)) await this.#pause(1);
  }

  /** Resolves when every client has sent its requests. */
  async write(): Promise<void> {
    const { clients } = this.#plan;
    await Promise.all(Array.from({ length: clients }, (_, client) => this.#write(client)));
  }

  /** Waits until every watcher has received the last write, lists everything once more, and ends the watches. */
  async finish(): Promise<void> {
    const last = new Map<string | undefined, number>();
    for (const namespace of NAMESPACES) {
      const revision = await this.#writeLast(namespace);
      last.set(namespace, revision);
      last.set(undefined, revision);
    }
    const isDone = ({ scope, steps }: ScopedWatch): boolean => (steps.at(-1)?.revision ?? 0) >= (last.get(scope) ?? 0);
    for (let waited = 0; !this.watches.every(isDone) && waited < PATIENCE_MS; waited += AWAY_MS)
      await this.#pause(AWAY_MS);
    // What is missing at this point will not arrive any more.
    for (const watch of this.watches)
      if (!isDone(watch)) watch.steps.push({ step: "bookmark", revision: last.get(watch.scope) ?? 0 });
    for (const api of this.#apis) await this.#mustList(api);
    this.#over.abort();
    await Promise.all(this.#watching);
  }

  async #writeLast(namespace: string): Promise<number> {
    for (let attempt = 0; ; attempt++) {
      const name = `${PREFIX}last-${attempt}`;
      const body = { metadata: { name }, data: { value: name } };
      const outcome = await this.#run(
        this.#api(attempt),
        `${namespace}/${name}`,
        { verb: "create", value: `${namespace}/${name}` },
        ["POST", pathOf(namespace), { ...body, data: { value: `${namespace}/${name}` } }],
      );
      if (outcome?.result === "ok") return outcome.revision ?? 0;
      if (attempt === 200) throw new Error("no write succeeds any more");
    }
  }

  #api(index: number): Api {
    return this.#apis[index % this.#apis.length] as Api;
  }

  async #write(client: number): Promise<void> {
    const { keys, operations, seed } = this.#plan;
    const random = randomOf(seed, `client ${client}`);
    const known = new Map<string, Known>();
    for (let sequence = 0; sequence < operations; sequence++) {
      const index = below(random, keys);
      const [namespace, name] = [NAMESPACES[index % NAMESPACES.length] as string, `${PREFIX}${index}`];
      const key = `${namespace}/${name}`;
      // Sometimes a client uses another server.
      const api = this.#api(random() < 0.8 ? client : client + 1);
      const outcome = await this.#request(api, random, { namespace, name, value: `${client}.${sequence}` }, known);
      if (outcome?.result === "ok" && outcome.value !== undefined)
        known.set(key, { value: outcome.value, revision: outcome.revision ?? 0 });
      else if (outcome !== undefined) known.delete(key);
      await this.#world.delay("pause", PAUSE_MS);
    }
  }

  async #request(
    api: Api,
    random: Random,
    { namespace, name, value }: { readonly namespace: string; readonly name: string; readonly value: string },
    known: ReadonlyMap<string, Known>,
  ): Promise<Outcome | undefined> {
    const key = `${namespace}/${name}`;
    const [collection, path, last, chance] = [
      pathOf(namespace),
      `${pathOf(namespace)}/${name}`,
      known.get(key),
      random(),
    ];
    const data = { value };
    if (chance < 0.15) {
      await this.#someList(api, random, last?.revision);
      return undefined;
    }
    if (chance < 0.35) return this.#run(api, key, { verb: "get" }, ["GET", path]);
    if (last === undefined) {
      return random() < 0.8
        ? this.#run(api, key, { verb: "create", value }, ["POST", collection, { metadata: { name }, data }])
        : this.#run(api, key, { verb: "update", value }, ["PATCH", path, { data }]);
    }
    const metadata = { name, resourceVersion: String(last.revision) };
    const update = { verb: "update", expected: last.value, value } as const;
    if (chance < 0.65) return this.#run(api, key, update, ["PUT", path, { metadata, data }]);
    if (chance < 0.75) {
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
      const apply = { ...update, verb: "apply" } as const;
      return this.#run(api, key, apply, ["PATCH", `${path}?fieldManager=simulation&force=true`, object]);
    }
    if (chance < 0.85) return this.#run(api, key, { verb: "update", value }, ["PATCH", path, { data }]);
    if (chance < 0.92) {
      const preconditions = { resourceVersion: String(last.revision) };
      return this.#run(api, key, { verb: "delete", expected: last.value }, ["DELETE", path, { preconditions }]);
    }
    return this.#run(api, key, { verb: "delete" }, ["DELETE", path]);
  }

  /** Sends a request and records it. Returns undefined if it certainly had no effect and its response contains no information about the object. */
  async #run(
    api: Api,
    key: string,
    action: Operation["action"],
    [method, path, body]: readonly [string, string, object?],
  ): Promise<Outcome | undefined> {
    const called = this.#world.elapsed;
    const outcome = await this.#send(api, method, path, body).then(
      (answer) => outcomeOf(answer, action),
      (): Outcome => ({ result: "unknown" }),
    );
    if (outcome === undefined) return undefined;
    const isUnknown = outcome.result === "unknown";
    const returned = isUnknown ? Number.POSITIVE_INFINITY : this.#world.elapsed;
    if (!isUnknown || action.verb !== "get") this.operations.push({ key, action, called, returned, outcome });
    if (isUnknown) await this.#pause(AWAY_MS);
    return outcome;
  }

  async #send(api: Api, method: string, path: string, body?: object): Promise<Answer> {
    const what = `${method} ${path.replace("/api/v1/", "")}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
    this.#world.note(`-> ${what}`);
    try {
      const answer = await api.request(method, path, body);
      this.#world.note(`<- ${what}: ${answer.status} ${summaryOf(answer.body)}`);
      if (answer.status >= 500)
        this.problems.push(`status: ${answer.status} ${JSON.stringify(answer.body)} to ${what}`);
      return answer;
    } catch (error) {
      this.#world.note(`<- ${what}: ${(error as Error).message}`);
      throw error;
    }
  }

  /** Lists in one of several ways. */
  async #someList(api: Api, random: Random, revision: number | undefined): Promise<void> {
    const chance = random();
    const scope = random() < 0.5 ? undefined : NAMESPACES[below(random, NAMESPACES.length)];
    if (chance < 0.4 || (chance > 0.7 && revision === undefined)) await this.#list(api, scope, "");
    else if (chance < 0.55) await this.#list(api, scope, "limit=1");
    else if (chance < 0.7) await this.#list(api, scope, "resourceVersion=0");
    else {
      const match = chance < 0.85 ? "Exact" : "NotOlderThan";
      const list = await this.#list(api, scope, `resourceVersionMatch=${match}&resourceVersion=${revision}`);
      if (list === undefined || revision === undefined) return;
      if (match === "Exact" ? list.revision !== revision : list.revision < revision)
        this.problems.push(`lists: ${match} ${revision} was answered as of ${list.revision}`);
    }
  }

  /** Returns all pages of a list; undefined if one of them failed. */
  async #list(api: Api, scope: string | undefined, query: string): Promise<ScopedList | undefined> {
    const called = this.#world.elapsed;
    const items = new Map<string, Known>();
    let [revision, returned] = [0, 0];
    for (let next = ""; ; ) {
      const path = `${pathOf(scope)}?${query}${next && `&continue=${encodeURIComponent(next)}`}`;
      const answer = await this.#send(api, "GET", path).catch(() => undefined);
      if (answer?.status !== 200) return void (await this.#pause(AWAY_MS));
      const list = answer.body as { metadata: { resourceVersion: string; continue?: string }; items: Stored[] };
      // The first page determines the state that the list shows, and therefore the time of the read.
      if (returned === 0) [revision, returned] = [Number(list.metadata.resourceVersion), this.#world.elapsed];
      for (const item of list.items) if (isOurs(item)) items.set(keyOf(item), knownOf(item));
      next = list.metadata.continue ?? "";
      if (next === "") break;
    }
    const list = { scope, isCurrent: !query.includes("resourceVersion"), called, returned, revision, items };
    this.lists.push(list);
    return list;
  }

  async #mustList(api: Api, scope?: string): Promise<number> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const list = await this.#list(api, scope, "");
      if (list !== undefined) return list.revision;
      if (this.#over.signal.aborted) return 0;
    }
    throw new Error("no list succeeds any more");
  }

  /** Watches through as many connections as are needed. */
  async #follow({ name, scope, steps }: ScopedWatch, api: Api, random: Random): Promise<void> {
    /** The last received revision; undefined if everything must be listed first. */
    let since: number | undefined;
    const start = (revision: number): void => {
      const isFirst = !steps.some(({ step }) => step === "start");
      steps.push({ step: "start", revision, ...(since === undefined && !isFirst && { listed: true as const }) });
      since = revision;
    };
    while (!this.#over.signal.aborted) {
      let initial: Map<string, Known> | undefined;
      const called = this.#world.elapsed;
      const query = ["watch=1&allowWatchBookmarks=true", `timeoutSeconds=${1 + below(random, 4)}`];
      if (since !== undefined || random() < 0.6) {
        if (since === undefined) {
          const revision = await this.#mustList(api, scope);
          if (this.#over.signal.aborted) return;
          start(revision);
        } else start(since);
        query.push(`resourceVersion=${since}`);
      } else {
        initial = new Map();
        query.push("sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
      }
      const connection = new AbortController();
      const abort = (): void => connection.abort();
      this.#over.signal.addEventListener("abort", abort);
      let left = 1 + below(random, 30);
      const onEvent = (event: unknown): void => {
        if (connection.signal.aborted) return;
        const { type, object } = event as { type: string; object: Stored };
        this.#world.note(`${name}: ${type} ${summaryOf(object)}`);
        if (type === "ERROR") {
          // The revision was compacted, or the server is behind: starts again with a list, as clients do.
          since = undefined;
          const { code } = object as unknown as { code?: number };
          if (code === undefined || (code >= 500 && code !== 504 && code !== 503))
            this.problems.push(`status: ${JSON.stringify(object)} to ${name}`);
          abort();
          return;
        }
        const revision = Number(object.metadata.resourceVersion);
        if (initial !== undefined) {
          if (type !== "BOOKMARK") {
            if (isOurs(object)) initial.set(keyOf(object), knownOf(object));
            return;
          }
          if (object.metadata.annotations?.[INITIAL_EVENTS_END] !== "true") return;
          this.lists.push({ scope, isCurrent: true, called, returned: this.#world.elapsed, revision, items: initial });
          initial = undefined;
          start(revision);
          return;
        }
        since = revision;
        if (type === "BOOKMARK") steps.push({ step: "bookmark", revision });
        else if (isOurs(object))
          steps.push({
            step: "event",
            type: type as "ADDED" | "MODIFIED" | "DELETED",
            key: keyOf(object),
            value: object.data?.value ?? "",
            revision,
          });
        if (--left <= 0) abort();
      };
      await api.watch(`${pathOf(scope)}?${query.join("&")}`, onEvent, connection.signal).catch(() => undefined);
      this.#over.signal.removeEventListener("abort", abort);
      abort();
      await this.#pause(5);
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#world.timer(milliseconds, resolve, "client waits"));
  }
}

function pathOf(namespace: string | undefined): string {
  return namespace === undefined ? "/api/v1/configmaps" : `/api/v1/namespaces/${namespace}/configmaps`;
}

function isOurs({ metadata }: Stored): boolean {
  return metadata.name.startsWith(PREFIX);
}

function keyOf({ metadata }: Stored): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function knownOf({ metadata, data }: Stored): Known {
  return { value: data?.value ?? "", revision: Number(metadata.resourceVersion) };
}

/** Returns the outcome; undefined for a response that means that the request had no effect and that contains no information about the object. */
function outcomeOf({ status, body }: Answer, action: Operation["action"]): Outcome | undefined {
  if (status === 200 || status === 201) {
    const object = body as Stored & { kind?: string };
    return object.kind === "Status" ? { result: "ok" } : { result: "ok", ...knownOf(object) };
  }
  if (status === 404) return { result: "absent" };
  // Other writes were faster in every retry.
  if (status === 409) return isUnconditional(action) ? undefined : { result: "conflict" };
  if (status === 429 || status === 401 || status === 403) return undefined;
  return { result: "unknown" };
}

function isUnconditional(action: Operation["action"]): boolean {
  return (action.verb === "delete" || action.verb === "update") && action.expected === undefined;
}

function summaryOf(body: unknown): string {
  const { kind, metadata, data, items, message } = body as Partial<Stored> & {
    kind?: string;
    items?: Stored[];
    message?: string;
  };
  if (items !== undefined)
    return `${metadata?.resourceVersion} [${items.filter(isOurs).map((item) => `${keyOf(item)}=${item.data?.value}@${item.metadata.resourceVersion}`)}]`;
  if (kind === "Status") return message ?? "";
  return `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}=${data?.value ?? ""}@${metadata?.resourceVersion}`;
}
