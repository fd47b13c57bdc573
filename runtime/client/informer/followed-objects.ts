import type { HandlerQueue, InformerEvent } from "./handler-queue.ts";
import { type IndexFunction, type KnownObject, LocalStore } from "./local-store.ts";

/** The objects that an informer has seen, and the handlers that are called with each change of them. */
export class FollowedObjects<O extends KnownObject> {
  readonly store: LocalStore<O>;
  readonly #queues = new Set<HandlerQueue<O>>();
  /** Called with objects that are not held any more. */
  readonly #release: (object: O) => void;

  /** `onError` is told of what index functions throw. */
  constructor(
    indexes: Readonly<Record<string, IndexFunction<O>>>,
    release: (object: O) => void,
    onError: (error: unknown) => void,
  ) {
    this.store = new LocalStore(indexes, onError);
    this.#release = release;
  }

  /** The handler sees each object that is known, and then each change. */
  addHandler(queue: HandlerQueue<O>): void {
    this.#queues.add(queue);
    for (const object of this.store.values()) queue.push({ type: "added", object, isInitial: true });
  }

  /** No more calls of the handler begin. */
  removeHandler(queue: HandlerQueue<O>): void {
    queue.stop();
    this.#queues.delete(queue);
  }

  /** No more calls of any handler begin. */
  stopHandlers(): void {
    for (const queue of this.#queues) queue.stop();
  }

  /** Events that wait for the slowest handler. */
  get queued(): number {
    return Math.max(0, ...[...this.#queues].map(({ length }) => length));
  }

  /** For how long the first of them has waited. */
  get lagMs(): number {
    return Math.max(0, ...[...this.#queues].map(({ lagMs }) => lagMs));
  }

  /** Resolves when no event waits for a handler. */
  async idle(): Promise<void> {
    while (this.queued > 0) await Promise.all([...this.#queues].map((queue) => queue.downTo(0)));
  }

  /** Resolves when at most so many events wait for each handler; undefined if that is so now. */
  room(queueLimit: number): Promise<void> | undefined {
    for (const queue of this.#queues)
      if (queue.length > queueLimit) return queue.downTo(queueLimit).then(() => this.room(queueLimit));
    return undefined;
  }

  /** The known object, if it is of the same version: two copies of everything need not be in memory at once. */
  sameAsKnown(object: O): O {
    const { namespace = "", name } = object.metadata;
    const known = this.store.get(namespace, name);
    if (known === undefined || !isSame(known, object)) return object;
    this.#release(object);
    return known;
  }

  /** Makes the store equal to a complete list. Handlers see the differences: deletions first. */
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

  /** `last` is the object as it was deleted; undefined if that was not seen. */
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
