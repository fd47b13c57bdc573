import type { HandlerQueue, InformerEvent } from "./handler-queue.ts";
import { type IndexFunction, type KnownObject, LocalStore } from "./local-store.ts";

/** The objects that an informer holds, and the handlers that it calls with each change. */
export class FollowedObjects<O extends KnownObject> {
  readonly store: LocalStore<O>;
  readonly #queues = new Set<HandlerQueue<O>>();
  /** Called with each object that is no longer held. */
  readonly #release: (object: O) => void;

  /** `onError` receives the errors of index functions. */
  constructor(
    indexes: Readonly<Record<string, IndexFunction<O>>>,
    release: (object: O) => void,
    onError: (error: unknown) => void,
  ) {
    this.store = new LocalStore(indexes, onError);
    this.#release = release;
  }

  /** Adds a handler. It receives each known object, and then each change. */
  addHandler(queue: HandlerQueue<O>): void {
    this.#queues.add(queue);
    for (const object of this.store.values()) queue.push({ type: "added", object, isInitial: true });
  }

  /** Removes a handler: it is not called again. */
  removeHandler(queue: HandlerQueue<O>): void {
    queue.stop();
    this.#queues.delete(queue);
  }

  /** Stops all handlers: none is called again. */
  stopHandlers(): void {
    for (const queue of this.#queues) queue.stop();
  }

  /** Number of events that wait for the slowest handler. */
  get queued(): number {
    return Math.max(0, ...[...this.#queues].map(({ length }) => length));
  }

  /** Milliseconds for which the longest-waiting event has waited. */
  get lagMs(): number {
    return Math.max(0, ...[...this.#queues].map(({ lagMs }) => lagMs));
  }

  /** Resolves when no event waits for a handler. */
  async idle(): Promise<void> {
    while (this.queued > 0) await Promise.all([...this.#queues].map((queue) => queue.downTo(0)));
  }

  /** Resolves when at most `queueLimit` events wait for each handler; undefined if that is already true. */
  room(queueLimit: number): Promise<void> | undefined {
    for (const queue of this.#queues)
      if (queue.length > queueLimit) return queue.downTo(queueLimit).then(() => this.room(queueLimit));
    return undefined;
  }

  /** Returns the known object if it has the same resourceVersion, so that memory does not hold two copies of everything. */
  sameAsKnown(object: O): O {
    const { namespace = "", name } = object.metadata;
    const known = this.store.get(namespace, name);
    if (known === undefined || !isSame(known, object)) return object;
    this.#release(object);
    return known;
  }

  /** Makes the store equal to a complete list. Handlers receive the differences, deletions first. */
  replace(objects: readonly O[], isFirst: boolean): void {
    const listed = new Map<string, Set<string>>();
    for (const { metadata } of objects) {
      const { namespace = "", name } = metadata;
      const names = listed.get(namespace);
      if (names === undefined) listed.set(namespace, new Set([name]));
      else names.add(name);
    }
    for (const { metadata } of [...this.store.values()]) {
      const { namespace = "", name } = metadata;
      if (!listed.get(namespace)?.has(name)) this.remove(namespace, name, undefined);
    }
    for (const object of objects) this.put(object, isFirst);
  }

  put(object: O, isInitial: boolean): void {
    const { namespace = "", name, uid } = object.metadata;
    let old = this.store.get(namespace, name);
    if (old !== undefined && isSame(old, object)) {
      if (old !== object) this.#release(object);
      return;
    }
    if (old !== undefined && old.metadata.uid !== uid) {
      this.remove(namespace, name, undefined);
      old = undefined;
    }
    this.store.set(object, old);
    this.#deliver(old === undefined ? { type: "added", object, isInitial } : { type: "updated", object, old });
    if (old !== undefined) this.#release(old);
  }

  /** Removes an object. `last` is its final state; undefined if the deletion itself was not seen. */
  remove(namespace: string, name: string, last: O | undefined): void {
    const old = this.store.delete(namespace, name);
    if (old === undefined) return;
    this.#deliver({ type: "deleted", object: last ?? old, isFinalStateUnknown: last === undefined });
    this.#release(old);
    if (last !== undefined) this.#release(last);
  }

  #deliver(event: InformerEvent<O>): void {
    for (const queue of this.#queues) queue.push(event);
  }
}

function isSame(one: KnownObject, other: KnownObject): boolean {
  return one.metadata.resourceVersion === other.metadata.resourceVersion && one.metadata.uid === other.metadata.uid;
}
