import { isConflict } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { KindOf, UntypedObject } from "../client/object-types.ts";
import type { ObjectKey, RequestObserver } from "../client/request-observer.ts";
import { follow } from "../client/requester.ts";
import { resourceOf } from "../client/resource-of.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import type { Clock } from "../lib/clock.ts";
import { cloneJson } from "../lib/clone-json.ts";
import type { Log } from "../lib/log.ts";
import { type AnyInformer, type AnyObject, cachedOf } from "./cache.ts";
import type { Controller, HandlerContext, ReconcileContext, Result, Source } from "./controller.ts";
import { millisecondsOf } from "./duration.ts";
import { StaleCacheError, TerminalError } from "./errors.ts";
import type { EventRecorder } from "./events.ts";
import { cleanUp, withFinalizers } from "./finalizers.ts";
import { formatKey, parseKey } from "./keys.ts";
import { Mapping } from "./mapping.ts";
import type { ControllerMetrics, ReconcileResult } from "./metrics.ts";
import { type CachedSource, OwnWrites } from "./own-writes.ts";
import { controllerOf, ownedBy, ownerKeyOf } from "./owner-references.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { SharedInformers } from "./shared-informers.ts";
import { WorkQueue } from "./work-queue.ts";

/** A period in which this process may act. It ends when another process may become the leader, or when the manager stops. */
export interface Term {
  /** Aborted when reconciles should end. */
  readonly signal: AbortSignal;
  /** Aborted when requests must end. */
  readonly requests: AbortSignal;
  /** Throws if the term has expired, even if no signal is aborted yet: a process that was suspended must not write. */
  check(): void;
}

export interface ControllerParts {
  readonly client: Client;
  readonly informers: SharedInformers;
  readonly metrics: ControllerMetrics;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
}

/** Interval at which a reconcile that waits for the cache checks it, if no event wakes it. */
const CACHE_POLL_MS = 1000;
/** Time after which the cache is compared with the server. */
const CONFIRM_AFTER_MS = 5000;
const OWNER_INDEX = "typeplane/controller";

/** A controller with its queue and its client. Starts to work with `begin(term)`. */
export class RunningController {
  readonly #controller: Controller;
  readonly #parts: ControllerParts;
  readonly #queue: WorkQueue;
  readonly #sources: readonly (CachedSource & { readonly role: string })[];
  readonly #writes: OwnWrites;
  readonly #waitsForCache = new Set<string>();
  readonly #mappings: Mapping[] = [];
  readonly #stuckAfterMs: number;
  readonly #timeoutMs: number | undefined;
  #term: Term | undefined;
  /** Number of reconciles started so far. */
  turns = 0;

  constructor(controller: Controller, parts: ControllerParts) {
    const { name, options } = controller;
    const { informers, metrics, clock } = parts;
    const { concurrency = 1, stuckAfter = "5m", timeout } = options;
    if (!(concurrency >= 1)) throw new RangeError(`${name}: concurrency ${concurrency} must be at least 1`);
    this.#stuckAfterMs = millisecondsOf(stuckAfter);
    this.#timeoutMs = timeout === undefined ? undefined : millisecondsOf(timeout);
    this.#controller = controller;
    this.#parts = parts;
    this.#sources = controller.sources.map(({ role, resource, selection }) => ({
      role,
      resource,
      selection: informers.selectionFor(resource, selection),
      informer: informers.of(resource, selection),
    }));
    this.#writes = new OwnWrites(this.#sources, clock.now);
    metrics.controller(name, concurrency);
    this.#queue = new WorkQueue({
      work: (key) => this.#work(key),
      concurrency,
      clock,
      limiter: new RateLimiter(clock, options.rateLimits),
      metrics: metrics.queue(name),
    });
    for (const [index, valuesOf] of Object.entries(options.indexes ?? {}))
      this.#primary.addIndex(`${name}/${index}`, valuesOf);
    this.#listen();
  }

  get name(): string {
    return this.#controller.name;
  }

  begin(term: Term): void {
    this.#term = term;
    this.#queue.resume();
  }

  /** Starts no reconciles until the next term. Running ones are notified by the signals of their term. */
  pause(): void {
    this.#queue.pause();
  }

  /** Starts no more reconciles. */
  stop(): void {
    this.#queue.stop();
    for (const mapping of this.#mappings) mapping.stop();
  }

  get running(): number {
    return this.#queue.running;
  }

  /** Whether no reconcile runs or waits, except for a delay. */
  get isIdle(): boolean {
    return this.#queue.isIdle && this.#waitsForCache.size === 0;
  }

  /** Resolves when no reconcile runs or waits, except for a delay or for the cache. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Retries the reconciles that wait for the cache. */
  wake(): void {
    for (const key of this.#waitsForCache) this.#queue.add(key);
  }

  get #primary(): AnyInformer {
    return this.#sources[0]!.informer;
  }

  #listen(): void {
    for (const [index, source] of this.#controller.sources.entries()) {
      const { informer } = this.#sources[index]!;
      if (source.role === "owns") informer.addIndex(OWNER_INDEX, (object) => controllerOf(object)?.uid);
      const mapping = this.#mappingOf(index);
      this.#mappings.push(mapping);
      informer.on({
        added: (object) => mapping.add(object),
        updated: (object, old) => {
          if (this.#counts(source, object, old))
            return source.role === "for" ? mapping.add(object) : mapping.add(old, object);
          // A reconcile may be waiting for exactly this change.
          this.wake();
        },
        deleted: (object) => mapping.add(object),
      });
    }
  }

  #counts({ when, resource }: Source, object: AnyObject, old: AnyObject): boolean {
    try {
      return when?.(object, old) !== false;
    } catch (error) {
      const what = `${resource.kind} ${formatKey(object.metadata)}`;
      this.#parts.log(
        "warn",
        `${this.name}: \`when\` failed for ${what}, which counts as a change: ${messageOf(error)}`,
      );
      return true;
    }
  }

  #mappingOf(index: number): Mapping {
    const { clock, log } = this.#parts;
    const { options, sources } = this.#controller;
    const keysOf = this.#keysOf(index);
    return new Mapping({
      map: (object) => {
        const keys = keysOf(object);
        if (keys instanceof Promise) return keys.then((found) => this.#addAll(found));
        this.#addAll(keys);
      },
      limiter: new RateLimiter(clock, options.rateLimits),
      clock,
      stuckAfterMs: this.#stuckAfterMs,
      warn: (problem, { metadata }) => {
        const what = `${sources[index]?.resource.kind} ${formatKey(metadata)}`;
        log(
          "warn",
          `${this.name}: the function that leads from ${what} to ${this.#controller.resource.kind}s ${problem}`,
        );
      },
    });
  }

  /** Returns the function that maps an object of a source to keys of the controller. */
  #keysOf(index: number): (object: AnyObject) => Keys | Promise<Keys> {
    const { resource } = this.#controller;
    const { role, mapTo } = this.#controller.sources[index]!;
    if (role === "for") return ({ metadata }) => metadata;
    if (role === "owns" || mapTo === undefined) return (object) => ownerKeyOf(object, resource);
    const objects = cachedOf<UntypedObject>(this.#primary, this.name);
    return (object) => mapTo(object, objects) as Keys | Promise<Keys>;
  }

  #addAll(keys: Keys): void {
    if (keys === undefined) return;
    if (typeof keys === "string" || !(Symbol.iterator in keys)) this.#add(keys);
    else for (const key of keys) this.#add(key);
  }

  #add(key: ObjectKey | string): void {
    this.#queue.add(formatKey(typeof key === "string" ? { name: key } : key));
  }

  async #work(key: string): Promise<void> {
    if (this.#mustWait(key)) return;
    this.turns++;
    const { metrics, clock } = this.#parts;
    const term = this.#term!;
    const began = clock.now();
    const watched = this.#watchDuration(key, term);
    let outcome: ReconcileResult;
    try {
      const result = await this.#reconcile(key, term, watched);
      this.#queue.forget(key);
      outcome = "success";
      if (result?.requeueAfter !== undefined) {
        outcome = "requeue_after";
        this.#queue.addAfter(key, millisecondsOf(result.requeueAfter));
      }
    } catch (error) {
      if (term.signal.aborted) return this.#queue.add(key);
      outcome = "error";
      this.#failed(key, error);
    } finally {
      watched.end();
    }
    metrics.reconciled(this.name, outcome, (clock.now() - began) / 1000);
  }

  /** Whether the cache does not yet show the last writes of the key's reconcile. */
  #mustWait(key: string): boolean {
    const write = this.#writes.pending(key);
    if (write === undefined) {
      this.#waitsForCache.delete(key);
      return false;
    }
    const { client, clock, metrics, log } = this.#parts;
    if (!this.#waitsForCache.has(key)) metrics.delayedByCache(this.name);
    this.#waitsForCache.add(key);
    this.#queue.addAfter(key, CACHE_POLL_MS);
    if (clock.now() - write.at >= CONFIRM_AFTER_MS) {
      const change = write.version === undefined ? "the deletion" : `version ${write.version}`;
      const what = `${change} of ${write.source.resource.kind} ${formatKey(write.object)}`;
      log("warn", `${this.name}: the cache does not show ${what} yet; the next reconcile waits for it`, { key });
      this.#writes.confirm(key, write, client).catch(() => undefined);
    }
    return true;
  }

  /** Logs a reconcile that takes too long, and aborts it after the `timeout` of the controller. */
  #watchDuration(key: string, term: Term): Watched {
    const { timeout } = this.#controller.options;
    const { metrics, clock, log } = this.#parts;
    const [aborted, requests] = [new AbortController(), new AbortController()];
    const unfollow = [follow(term.signal, aborted), follow(term.requests, requests)];
    const limit = this.#stuckAfterMs;
    let isStuck = false;
    const timers = [
      clock.after(limit, () => {
        isStuck = true;
        metrics.stuck(this.name, 1);
        log("warn", `${this.name}: the reconcile of ${key} has not ended after ${limit / 1000} s`, { key });
      }),
    ];
    if (this.#timeoutMs !== undefined) {
      timers.push(
        clock.after(this.#timeoutMs, () => {
          const reason = new DOMException(`the reconcile of ${key} took longer than ${timeout}`, "TimeoutError");
          aborted.abort(reason);
          requests.abort(reason);
        }),
      );
    }
    return {
      signal: aborted.signal,
      requests: requests.signal,
      end: () => {
        for (const stop of [...timers, ...unfollow]) stop();
        if (isStuck) metrics.stuck(this.name, -1);
      },
    };
  }

  async #reconcile(key: string, term: Term, { signal, requests }: Watched): Promise<Result> {
    const { finalizers, resource, deleted, reconcile } = this.#controller;
    const { recorder, log } = this.#parts;
    const cached = this.#primary.get(parseKey(key));
    const client = this.#parts.client.with({
      fieldManager: this.name,
      signal: requests,
      observer: this.#observe(key, term, cached),
    });
    const handling: HandlerContext = { client, cache: { of: (kind) => this.#cached(kind) }, signal, log };
    if (cached === undefined) {
      await deleted?.(parseKey(key), handling);
      return undefined;
    }
    const objects = client.of<UntypedObject>(resource as ResourceToken<UntypedObject>);
    let object = cloneJson(cached);
    const context: ReconcileContext<UntypedObject> = {
      ...handling,
      events: recorder.about(this.name, object),
      status: (status) => {
        const { name, namespace, uid } = object.metadata;
        const metadata = { name, namespace: namespace as string, uid };
        return objects.status.apply({ metadata, status }, { force: true });
      },
      own: (child) => ownedBy(object, child),
      owned: (kind) => this.#owned(kind, object.metadata.uid),
    };
    if (object.metadata.deletionTimestamp !== undefined) return cleanUp(objects, object, { finalizers, context });
    const names = finalizers.map(({ name }) => name);
    object = (await withFinalizers(objects, object, names)) as AnyObject;
    return (await reconcile(object, context)) as Result;
  }

  /** Records the writes of a reconcile, and rejects writes after its term. */
  #observe(key: string, term: Term, primary: AnyObject | undefined): RequestObserver {
    const { metrics } = this.#parts;
    /** resourceVersions that the reconcile has seen, by object. */
    const known = new Map<string, string>();
    const idOf = ({ group, resource }: ResourceToken<object>, object: ObjectKey) =>
      `${group}/${resource}/${formatKey(object)}`;
    if (primary !== undefined)
      known.set(idOf(this.#controller.resource, primary.metadata), primary.metadata.resourceVersion);
    return {
      before: () => term.check(),
      versionOf: (token, object) =>
        known.get(idOf(token, object)) ?? this.#find(token)?.informer.get(object)?.metadata.resourceVersion,
      written: (token, object) => {
        known.set(idOf(token, object.metadata), object.metadata.resourceVersion);
        this.#writes.written(key, token, object);
      },
      removed: (token, object) => this.#writes.removed(key, token, object),
      refused: (token, { version, ...object }, error) => {
        if (this.#find(token) === undefined) return error;
        metrics.refusedUpdate(this.name);
        return new StaleCacheError(`${token.kind} ${formatKey(object)}`, version, error);
      },
    };
  }

  #failed(key: string, error: unknown): void {
    const { metrics, log } = this.#parts;
    const { resource } = this.#controller;
    const [object, message] = [`${resource.kind} ${key}`, messageOf(error)];
    if (error instanceof TerminalError) {
      metrics.failedForGood(this.name);
      this.#queue.forget(key);
      log("error", `${this.name}: ${object} failed and is not retried: ${message}`, { key });
      return;
    }
    const milliseconds = this.#queue.retry(key);
    // A conflict is normal with several writers: the next attempt reads the newer object.
    const level = isConflict(error) && error.conflicts.length === 0 ? "info" : "error";
    log(level, `${this.name}: ${object} failed, retry in ${Math.round(milliseconds)} ms: ${message}`, {
      key,
      ...(level === "error" && error instanceof Error && { stack: error.stack }),
    });
  }

  #find({ group, resource }: ResourceToken<object>) {
    return this.#sources.find(({ resource: own }) => own.group === group && own.resource === resource);
  }

  #cached<C extends object>(kind: KindOf<C>) {
    const token = resourceOf(kind);
    const source = this.#find(token);
    if (source === undefined)
      throw new RangeError(`${this.name} has no cache of ${token.resource}: name it by owns() or watches()`);
    return cachedOf<C>(source.informer, this.name);
  }

  #owned<C extends object>(kind: KindOf<C>, uid: string) {
    const token = resourceOf(kind);
    const { group, resource } = token;
    const source = this.#sources.find(
      ({ role, resource: own }) => role === "owns" && own.group === group && own.resource === resource,
    );
    if (source === undefined) throw new RangeError(`${this.name} does not own ${token.resource}: name it by owns()`);
    return cachedOf<C>(source.informer, "typeplane").byIndex("controller", uid);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Keys = Iterable<ObjectKey | string> | ObjectKey | undefined;

interface Watched {
  readonly signal: AbortSignal;
  readonly requests: AbortSignal;
  end(): void;
}
