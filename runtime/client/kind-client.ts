import type { Scale } from "../../api-definitions/autoscaling/v1/scale.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import type { SettlingPart } from "../contract/settling.ts";
import { isConflict } from "./api-error.ts";
import { Informer, type InformerOptions } from "./informer/informer.ts";
import { createInformerSource, type SourceOptions } from "./informer/informer-source.ts";
import type { KnownObject } from "./informer/local-store.ts";
import { Listing, type Page } from "./listing.ts";
import type {
  Applicable,
  ApplicableStatus,
  JsonPatchOperation,
  Key,
  MergePatch,
  New,
  Replacement,
  Stored,
  StoredMetadata,
} from "./object-types.ts";
import {
  type ApplyOptions,
  type DeleteOptions,
  deleteBody,
  type GetOptions,
  type ListOptions,
  type RequestOptions,
  type Selection,
  selectionQuery,
  type WatchOptions,
  type WriteOptions,
  writeQuery,
} from "./options.ts";
import type { ObjectKey, RequestObserver } from "./request-observer.ts";
import type { Requester } from "./requester.ts";
import { readEvents, type WatchEvent } from "./watch-events.ts";

/** A patch of one of three types. */
export type Patch<T extends object> =
  | { readonly json: readonly JsonPatchOperation[] }
  | { readonly merge: MergePatch<T> }
  /** Like a merge patch, but lists merge by the keys that the kind declares. Not supported for custom resources. */
  | { readonly strategic: MergePatch<T> };

/** A kind, and the context of its requests. */
export interface KindContext<T extends object> {
  readonly token: ResourceToken<T>;
  readonly requester: Requester;
  /** Field manager of all writes, unless a request names another. */
  readonly fieldManager: string | undefined;
  /** Returns random numbers for the jitter of retries, at least 0 and below 1. */
  readonly random: () => number;
  /** Ends all requests. */
  readonly signal?: AbortSignal | undefined;
  readonly observer?: RequestObserver | undefined;
}

/** Which objects an informer reads, which parts it keeps, and its indexes. */
export type KindInformerOptions<O, Index extends string> = SourceOptions &
  Pick<InformerOptions<O, Index>, "indexes" | "queueLimit" | "idleTimeoutMs" | "onError">;

const PAGE = 500;

/** Requests for the objects of one kind, or for one of their subresources. */
class Resource<T extends object> {
  readonly context: KindContext<T>;
  readonly #subresource: string;

  constructor(context: KindContext<T>, subresource = "") {
    this.context = context;
    this.#subresource = subresource;
  }

  get(key: Key<T>, { resourceVersion, signal }: GetOptions = {}): Promise<Stored<T>> {
    return this.send("GET", this.path(key), { query: { resourceVersion }, ...(signal && { signal }) });
  }

  /** Replaces the object. With a `resourceVersion`, it rejects with a `ConflictError` if the object has changed since. */
  async update(object: Replacement<T> | Stored<T>, options: WriteOptions = {}): Promise<Stored<T>> {
    const { token, observer, fieldManager } = this.context;
    const metadata = object.metadata as ObjectKey & { readonly resourceVersion?: string };
    const version = metadata.resourceVersion || observer?.versionOf?.(token, metadata);
    const versioned =
      version === metadata.resourceVersion ? {} : { metadata: { ...metadata, resourceVersion: version } };
    const request = {
      body: this.complete({ ...object, ...versioned }),
      query: writeQuery(options, fieldManager),
      ...signalOf(options),
    };
    try {
      return await this.write("PUT", this.path(metadata as Key<T>), request, options);
    } catch (error) {
      if (!version || !isConflict(error) || observer?.refused === undefined) throw error;
      throw observer.refused(token, { name: metadata.name, namespace: metadata.namespace, version }, error);
    }
  }

  patch(key: Key<T>, patch: Patch<T>, options: WriteOptions = {}): Promise<Stored<T>> {
    const [contentType, body] =
      "json" in patch
        ? ["application/json-patch+json", patch.json]
        : "merge" in patch
          ? ["application/merge-patch+json", patch.merge]
          : ["application/strategic-merge-patch+json", patch.strategic];
    const query = writeQuery(options, this.context.fieldManager);
    return this.write("PATCH", this.path(key), { contentType, body, query, ...signalOf(options) }, options);
  }

  protected applyPart(part: { metadata: object }, options: ApplyOptions): Promise<Stored<T>> {
    const { kind } = this.context.token;
    const query = writeQuery(options, this.context.fieldManager);
    if (query.fieldManager === undefined)
      throw new TypeError(`an apply of ${kind} needs a fieldManager: of the request, or of connect()`);
    const request = {
      contentType: "application/apply-patch+yaml",
      body: this.complete(part),
      query: { ...query, force: options.force },
      ...signalOf(options),
    };
    return this.write("PATCH", this.path(part.metadata as Key<T>), request, options);
  }

  /** Sends a write whose response contains the object. */
  protected async write(
    method: string,
    path: string,
    rest: Omit<Parameters<Requester["json"]>[0], "method" | "path">,
    { dryRun }: WriteOptions,
  ): Promise<Stored<T>> {
    const stored = await this.send(method, path, rest);
    if (!dryRun) this.context.observer?.written?.(this.context.token, stored as KnownObject);
    return stored;
  }

  protected send<R = Stored<T>>(
    method: string,
    path: string,
    rest: Omit<Parameters<Requester["json"]>[0], "method" | "path">,
  ): Promise<R> {
    const { requester, observer } = this.context;
    observer?.before?.();
    return requester.json<R>({ method, path, ...rest, ...this.signalWith(rest) });
  }

  /** Combines the signals of the request and of the client. */
  protected signalWith({ signal }: RequestOptions): RequestOptions {
    const { signal: own } = this.context;
    if (own === undefined) return signalOf({ ...(signal && { signal }) });
    return { signal: signal === undefined ? own : AbortSignal.any([signal, own]) };
  }

  /** Returns the object with apiVersion and kind, which callers may omit. */
  protected complete<O extends object>(object: O): O {
    const { token } = this.context;
    return { apiVersion: apiVersionOf(token), kind: token.kind, ...object };
  }

  /** `/apis/apps/v1/namespaces/default/deployments`; without a namespace, the collection of all namespaces. */
  protected collection(namespace: string | undefined): string {
    const { token } = this.context;
    const base = token.group === "" ? `/api/${token.version}` : `/apis/${token.group}/${token.version}`;
    const inside = token.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    return `${base}${inside}/${token.resource}`;
  }

  protected path(key: Key<T>, subresource = this.#subresource): string {
    const { name, namespace } = typeof key === "string" ? { name: key, namespace: undefined } : key;
    const { kind, namespaced } = this.context.token;
    if (!name) throw new TypeError(`a ${kind} has no name`);
    if (namespaced && !namespace) throw new TypeError(`${kind} "${name}" needs a namespace`);
    return `${this.collection(namespace)}/${encodeURIComponent(name)}${subresource === "" ? "" : `/${subresource}`}`;
  }
}

/** Requests for the `status` subresource of one kind. */
export class StatusClient<T extends object> extends Resource<T> {
  constructor(context: KindContext<T>) {
    super(context, "status");
  }

  /** Applies a part of the status by server-side apply, with the field manager. */
  apply(part: ApplicableStatus<T>, options: ApplyOptions = {}): Promise<Stored<T>> {
    return this.applyPart(part, options);
  }
}

/** Typed requests for one kind. */
export class KindClient<T extends object> extends Resource<T> {
  readonly #status: StatusClient<T>;

  constructor(context: KindContext<T>) {
    super(context);
    this.#status = new StatusClient(context);
  }

  /** Group, version, kind, plural and scope. */
  get resource(): ResourceToken<T> {
    return this.context.token;
  }

  /** Requests for the `status` subresource: `books.status.apply({ … })`. */
  get status(): StatusClient<T> {
    return this.#status;
  }

  /** Requests for the `scale` subresource: `deployments.scale.set({ namespace, name }, 3)` sets the number of replicas. */
  get scale(): {
    get(key: Key<T>, options?: RequestOptions): Promise<Stored<Scale>>;
    set(key: Key<T>, replicas: number, options?: WriteOptions): Promise<Stored<Scale>>;
  } {
    return {
      get: (key, options = {}) => this.send("GET", this.path(key, "scale"), options),
      set: (key, replicas, options = {}) =>
        this.send("PATCH", this.path(key, "scale"), {
          contentType: "application/merge-patch+json",
          body: { spec: { replicas } },
          query: writeQuery(options, this.context.fieldManager),
          ...signalOf(options),
        }),
    };
  }

  /** Lists objects. Iteration reads page by page: `for await (const book of books.list())`, or `await books.list().all()`. */
  list(options: ListOptions = {}): Listing<T> {
    const { limit = PAGE, resourceVersion, resourceVersionMatch } = options;
    return new Listing(async (next) => {
      // The server rejects a resourceVersion together with a continue token, which contains its own.
      const version = next === "" ? { resourceVersion, resourceVersionMatch } : {};
      const query = { ...selectionQuery(options), limit, continue: next || undefined, ...version };
      return pageOf<T>(
        await this.send<ReceivedList<T>>("GET", this.collection(options.namespace), { query, ...signalOf(options) }),
        this.complete({}),
      );
    });
  }

  /**
   * Watches changes until the server ends the watch or the signal is aborted. Throws an error that the server sends within the stream. For a view
   * that remains complete across restarts, use an informer.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    const { body } = await this.context.requester.open({
      method: "GET",
      path: this.collection(options.namespace),
      query: watchQuery(options),
      ...this.signalWith(options),
    });
    for await (const events of readEvents<T>(body)) yield* events;
  }

  /**
   * Creates an informer: a copy of the selected objects that is kept up to date, with handlers for changes. Call its `start()`. With `metadataOnly`
   * it holds only metadata, and the server sends nothing else.
   */
  informer<Index extends string = never>(
    options: KindInformerOptions<StoredMetadata<T>, Index> & { readonly metadataOnly: true },
  ): Informer<StoredMetadata<T> & KnownObject, Index>;
  informer<Index extends string = never>(
    options?: KindInformerOptions<Stored<T>, Index>,
  ): Informer<Stored<T> & KnownObject, Index>;
  informer(options: SourceOptions = {}): unknown {
    const { token, requester, random } = this.context;
    const source = createInformerSource<KnownObject>(requester, this.collection(options.namespace), token, options);
    const join = (part: SettlingPart) => requester.join(part);
    return new Informer<KnownObject>({ ...options, source, clock: requester.clock, random, join });
  }

  create(object: New<T>, options: WriteOptions = {}): Promise<Stored<T>> {
    const { namespace } = object.metadata;
    const { kind, namespaced } = this.context.token;
    if (namespaced && !namespace) throw new TypeError(`a new ${kind} needs a namespace`);
    const query = writeQuery(options, this.context.fieldManager);
    const request = { body: this.complete(object), query, ...signalOf(options) };
    return this.write("POST", this.collection(namespace), request, options);
  }

  /** Server-side apply: creates the object or sets these fields. The field manager then owns them. */
  apply(part: Applicable<T>, options: ApplyOptions = {}): Promise<Stored<T>> {
    return this.applyPart(part, options);
  }

  /** Deletes an object. Returns it if it still exists because of finalizers or a grace period; undefined if it was removed. */
  async delete(key: Key<T>, options: DeleteOptions = {}): Promise<Stored<T> | undefined> {
    const body = deleteBody(options);
    const answer = await this.send<Stored<T>>("DELETE", this.path(key), { body, ...signalOf(options) });
    const isRemoved = answer.kind === "Status";
    const { token, observer } = this.context;
    if (!options.dryRun && isRemoved) observer?.removed?.(token, typeof key === "string" ? { name: key } : key);
    else if (!options.dryRun) observer?.written?.(token, answer as KnownObject);
    return isRemoved ? undefined : answer;
  }

  /** Deletes all selected objects. Throws a TypeError for a namespaced kind without a namespace. */
  async deleteCollection(selection: Selection, options: DeleteOptions = {}): Promise<void> {
    const { kind, namespaced } = this.context.token;
    if (namespaced && !selection.namespace) throw new TypeError(`deleteCollection of ${kind} needs a namespace`);
    await this.send("DELETE", this.collection(selection.namespace), {
      query: selectionQuery(selection),
      body: deleteBody(options),
      ...signalOf(options),
    });
  }

  /** Creates an object at a subresource with its own kind, such as `pods/binding`, and returns the response of the server. */
  createAt<Sent extends object, Returned = Sent>(
    key: Key<T>,
    subresource: string,
    body: Sent,
    options: WriteOptions & { readonly retries?: boolean } = {},
  ): Promise<Returned> {
    return this.send<Returned>("POST", this.path(key, subresource), {
      body,
      query: writeQuery(options, this.context.fieldManager),
      ...(options.retries !== undefined && { retries: options.retries }),
      ...signalOf(options),
    });
  }
}

interface ReceivedList<T extends object> {
  readonly metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  readonly items: Stored<T>[] | null;
}

/** Converts a received list. Adds apiVersion and kind to the items, which come without them. */
function pageOf<T extends object>({ metadata, items }: ReceivedList<T>, type: object): Page<T> {
  return {
    items: (items ?? []).map((item) => (item.kind === undefined ? Object.assign(item, type) : item)),
    resourceVersion: metadata.resourceVersion ?? "",
    continue: metadata.continue ?? "",
    remainingItemCount: metadata.remainingItemCount,
  };
}

function watchQuery(options: WatchOptions) {
  const { resourceVersion, resourceVersionMatch, allowBookmarks, sendInitialEvents, timeoutSeconds } = options;
  return {
    watch: true,
    ...selectionQuery(options),
    resourceVersion,
    resourceVersionMatch,
    allowWatchBookmarks: allowBookmarks,
    sendInitialEvents,
    timeoutSeconds,
  };
}

function signalOf({ signal }: RequestOptions): RequestOptions {
  return signal === undefined ? {} : { signal };
}
