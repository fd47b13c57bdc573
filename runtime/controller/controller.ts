import type { Client } from "../client/client.ts";
import type { IndexFunction } from "../client/informer/local-store.ts";
import type { ApplicableStatus, Key, KindOf, Stored, UntypedObject } from "../client/object-types.ts";
import type { Selection } from "../client/options.ts";
import type { ObjectKey } from "../client/request-observer.ts";
import { resourceOf } from "../client/resource-of.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import type { Log } from "../lib/log.ts";
import type { AnyObject, Cache, Cached } from "./cache.ts";
import type { Duration } from "./duration.ts";
import type { Events } from "./events.ts";
import type { Ownable } from "./owner-references.ts";
import { EVENTS, mergePermissions, type Permission, permissionFor, READ, type Verb } from "./permissions.ts";
import type { RateLimits } from "./rate-limiter.ts";

/** Done until something changes, or again after a time at the latest. */
export type Result = { readonly requeueAfter?: Duration | undefined } | undefined;

/** What a handler of a controller works with, besides the object. */
export interface HandlerContext {
  /**
   * Writes under the name of the controller. Its requests end when another process becomes the leader. Updates without a `resourceVersion`
   * fail with a `StaleCacheError` if the object has changed since the cache read it.
   */
  readonly client: Client;
  /** The objects that the informers of this controller hold. May be older than what the server has. */
  readonly cache: Cache;
  /** Fires when the manager stops, when another process may become the leader, and after the `timeout` of the controller. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface ReconcileContext<T extends object> extends HandlerContext {
  /** Records Events about the object. */
  readonly events: Events;
  /** Sets fields of the status by server-side apply, under the name of the controller. Fields that it set before and leaves out are removed. */
  status(status: ApplicableStatus<T>["status"]): Promise<Stored<T>>;
  /** Another object with this one as its owner: `client.of(configMap).apply(own({ metadata, data }))`. Throws an `OwnerError`. */
  own<C extends Ownable>(child: C): C;
  /** The objects of a kind named by `owns` whose controller is this object. */
  owned<C extends object>(kind: KindOf<C>): Stored<C>[];
}

/** Makes the world match an object. The object is a copy: it may be changed. */
export type Reconcile<T extends object> = (
  object: Stored<T>,
  context: ReconcileContext<T>,
) => void | Result | Promise<void> | Promise<Result>;

/** What leads from an object of another kind to objects of the controller's kind: their keys, or objects' metadata. */
export type MapTo<W extends object, T extends object> = (
  object: Stored<W>,
  objects: Cached<T>,
) => Mapped<T> | Promise<Mapped<T>>;

type Mapped<T extends object> = Iterable<Key<T> | ObjectKey> | ObjectKey | undefined;

export interface SourceOptions<W extends object> extends Selection {
  /** Which changes of an object count; all by default. Additions and deletions always do. */
  readonly when?: (object: Stored<W>, old: Stored<W>) => boolean;
}

export interface ControllerOptions<T extends object> extends SourceOptions<T> {
  /** Field manager, reporter of Events, and label of metrics. `book-controller` by default for a Book. */
  readonly name?: string;
  /** Objects that are reconciled at the same time; one by default. Never twice the same. */
  readonly concurrency?: number;
  readonly rateLimits?: RateLimits;
  /** A reconcile that runs for longer is warned of, and counted; 5 minutes by default. */
  readonly stuckAfter?: Duration;
  /** A reconcile that runs for longer gets its `signal` and its requests aborted. No limit by default. */
  readonly timeout?: Duration;
  /** Indexes of the cached objects, for `byIndex`. */
  readonly indexes?: Readonly<Record<string, IndexFunction<Stored<T>>>>;
}

/** Where the keys of a controller come from. */
export interface Source {
  readonly role: "for" | "owns" | "watches";
  readonly resource: ResourceToken<object>;
  readonly selection: Selection;
  readonly when: ((object: AnyObject, old: AnyObject) => boolean) | undefined;
  /** For `watches`. */
  readonly mapTo: MapTo<UntypedObject, UntypedObject> | undefined;
}

export interface Finalizer {
  readonly name: string;
  readonly cleanUp: Reconcile<UntypedObject>;
}

/** A controller as it was described: `manager()` runs it. */
export interface Controller {
  readonly name: string;
  readonly resource: ResourceToken<object>;
  /** The first is that of the kind itself. */
  readonly sources: readonly Source[];
  readonly finalizers: readonly Finalizer[];
  readonly options: ControllerOptions<UntypedObject>;
  /** What it needs to be allowed to do. */
  readonly permissions: readonly Permission[];
  readonly reconcile: Reconcile<UntypedObject>;
  readonly deleted: ((key: ObjectKey, context: HandlerContext) => void | Promise<void>) | undefined;
}

/**
 * Describes a controller of a kind: what `kind<T>()` returned, or a token of `generated/resources/`. Each method returns a new description;
 * `reconcile` completes it.
 */
export function controller<T extends object>(
  kind: KindOf<T>,
  options: ControllerOptions<T> = {},
): ControllerBuilder<T> {
  const resource = resourceOf(kind);
  // Tokens, and Kubernetes' kinds as the package has them, do not say.
  const hasStatus = !("plural" in kind) || kind.subresources?.status !== undefined;
  return new ControllerBuilder<T>({
    resource,
    options: options as unknown as ControllerOptions<UntypedObject>,
    sources: [sourceOf("for", resource, options)],
    finalizers: [],
    deleted: undefined,
    permissions: [
      permissionFor(resource, READ),
      ...(hasStatus ? [permissionFor(resource, ["patch"], "status")] : []),
      EVENTS,
    ],
  });
}

type Described = Omit<Controller, "name" | "reconcile">;

export class ControllerBuilder<T extends object> {
  readonly #described: Described;

  constructor(described: Described) {
    this.#described = described;
  }

  /** An object is reconciled when one changes that it owns, which has it as controller in its `ownerReferences`. */
  owns<C extends object>(kind: KindOf<C>, options: SourceOptions<C> = {}): ControllerBuilder<T> {
    const { resource } = this.#described;
    return this.#with({
      sources: [sourceOf("owns", resourceOf(kind), options)],
      permissions: [
        permissionFor(resourceOf(kind), [...READ, "create", "update", "patch", "delete"]),
        // References of `own` keep the owner until the object is deleted, which needs permission.
        permissionFor(resource, ["update"], "finalizers"),
      ],
    });
  }

  /** Objects are reconciled when an object of another kind changes: those whose keys `mapTo` returns for it, before and after the change. */
  watches<W extends object>(kind: KindOf<W>, mapTo: MapTo<W, T>, options: SourceOptions<W> = {}): ControllerBuilder<T> {
    return this.#with({
      sources: [{ ...sourceOf("watches", resourceOf(kind), options), mapTo: mapTo as unknown as Source["mapTo"] }],
      permissions: [permissionFor(resourceOf(kind), READ)],
    });
  }

  /** Says what else the controller does, for `permissions`. Changes nothing else. */
  uses<U extends object>(kind: KindOf<U>, verbs: readonly Verb[], subresource = ""): ControllerBuilder<T> {
    return this.#with({ permissions: [permissionFor(resourceOf(kind), verbs, subresource)] });
  }

  /**
   * Adds a finalizer to each object before it is reconciled first, calls `cleanUp` when the object is deleted, and removes the finalizer when
   * that succeeds. A clean-up that returns `requeueAfter` is not done yet.
   */
  finalizer(name: string, cleanUp: Reconcile<T>): ControllerBuilder<T> {
    return this.#with({
      finalizers: [{ name, cleanUp: cleanUp as unknown as Reconcile<UntypedObject> }],
      permissions: [permissionFor(this.#described.resource, ["get", "patch"])],
    });
  }

  /** Called with keys of objects that are gone, for what is kept outside of the API. Not for objects that went while nobody watched. */
  deleted(handle: (key: ObjectKey, context: HandlerContext) => void | Promise<void>): ControllerBuilder<T> {
    return new ControllerBuilder<T>({ ...this.#described, deleted: handle });
  }

  /**
   * Completes the controller with what it does for each object that is new or changed: never twice at the same time for one, and not for
   * objects that are being deleted. What it throws is retried with backoff, unless it is a `TerminalError`.
   */
  reconcile(reconcile: Reconcile<T>): Controller {
    const described = this.#described;
    return {
      ...described,
      name: described.options.name ?? `${described.resource.kind.toLowerCase()}-controller`,
      permissions: mergePermissions(described.permissions),
      reconcile: reconcile as unknown as Reconcile<UntypedObject>,
    };
  }

  #with(added: Partial<Pick<Described, "sources" | "finalizers" | "permissions">>): ControllerBuilder<T> {
    const { sources, finalizers, permissions } = this.#described;
    return new ControllerBuilder<T>({
      ...this.#described,
      sources: [...sources, ...(added.sources ?? [])],
      finalizers: [...finalizers, ...(added.finalizers ?? [])],
      permissions: [...permissions, ...(added.permissions ?? [])],
    });
  }
}

function sourceOf<W extends object>(
  role: Source["role"],
  resource: ResourceToken<W>,
  { when, namespace, labelSelector, fieldSelector }: SourceOptions<W>,
): Source {
  return {
    role,
    resource,
    selection: {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    },
    when: when as unknown as Source["when"],
    mapTo: undefined,
  };
}

/** For `when`: the desired state changed, not only the status or metadata. */
export function generationChanged(object: GenerationOf, old: GenerationOf): boolean {
  return object.metadata.generation !== old.metadata.generation;
}

interface GenerationOf {
  readonly metadata: { readonly generation?: number | bigint | undefined };
}
