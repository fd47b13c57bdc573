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

/** Result of a reconcile. The next reconcile happens at the next change, and after `requeueAfter` at the latest. */
export type Result = { readonly requeueAfter?: Duration | undefined } | undefined;

/** Context of a handler, besides the object. */
export interface HandlerContext {
  /**
   * Client with the controller's name as field manager. Its requests are aborted when another process becomes the leader. An update without
   * `resourceVersion` rejects with a `StaleCacheError` if the object has changed since the cache read it.
   */
  readonly client: Client;
  /** The objects that this controller's informers hold. They may be older than those on the server. */
  readonly cache: Cache;
  /** Aborted when the manager stops, when another process may become the leader, and after the `timeout` of the controller. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface ReconcileContext<T extends object> extends HandlerContext {
  /** Records Events about the object. */
  readonly events: Events;
  /** Applies status fields by server-side apply, with the controller as field manager. Fields that it applied before and omits now are removed. */
  status(status: ApplicableStatus<T>["status"]): Promise<Stored<T>>;
  /** Returns `child` with this object as its controller: `client.of(configMap).apply(own({ metadata, data }))`. Throws an `OwnerError`. */
  own<C extends Ownable>(child: C): C;
  /** Returns the objects of a kind declared by `owns` whose controller is this object. */
  owned<C extends object>(kind: KindOf<C>): Stored<C>[];
}

/** Brings the cluster to the desired state of an object. The object is a copy and may be modified. */
export type Reconcile<T extends object> = (
  object: Stored<T>,
  context: ReconcileContext<T>,
) => void | Result | Promise<void> | Promise<Result>;

/** Maps an object of another kind to objects of the controller's kind, as keys or as the objects' metadata. */
export type MapTo<W extends object, T extends object> = (
  object: Stored<W>,
  objects: Cached<T>,
) => Mapped<T> | Promise<Mapped<T>>;

type Mapped<T extends object> = Iterable<Key<T> | ObjectKey> | ObjectKey | undefined;

export interface SourceOptions<W extends object> extends Selection {
  /** Selects the updates that trigger a reconcile; all by default. Creations and deletions always do. */
  readonly when?: (object: Stored<W>, old: Stored<W>) => boolean;
}

export interface ControllerOptions<T extends object> extends SourceOptions<T> {
  /** Field manager, reporter of Events, and metric label. Defaults to `book-controller` for a Book, for example. */
  readonly name?: string;
  /** Maximum number of concurrent reconciles; one by default. An object is never reconciled twice at the same time. */
  readonly concurrency?: number;
  readonly rateLimits?: RateLimits;
  /** Duration after which a running reconcile is logged and counted as stuck; 5 minutes by default. */
  readonly stuckAfter?: Duration;
  /** Duration after which the `signal` and the requests of a reconcile are aborted. No limit by default. */
  readonly timeout?: Duration;
  /** Indexes of the cached objects, used with `byIndex`. */
  readonly indexes?: Readonly<Record<string, IndexFunction<Stored<T>>>>;
}

/** A kind whose changes trigger reconciles. */
export interface Source {
  readonly role: "for" | "owns" | "watches";
  readonly resource: ResourceToken<object>;
  readonly selection: Selection;
  readonly when: ((object: AnyObject, old: AnyObject) => boolean) | undefined;
  /** Set for role `watches` only. */
  readonly mapTo: MapTo<UntypedObject, UntypedObject> | undefined;
}

export interface Finalizer {
  readonly name: string;
  readonly cleanUp: Reconcile<UntypedObject>;
}

/** Description of a controller, which `manager()` runs. */
export interface Controller {
  readonly name: string;
  readonly resource: ResourceToken<object>;
  /** The first source is the controller's own kind. */
  readonly sources: readonly Source[];
  readonly finalizers: readonly Finalizer[];
  readonly options: ControllerOptions<UntypedObject>;
  /** Permissions that the controller needs. */
  readonly permissions: readonly Permission[];
  readonly reconcile: Reconcile<UntypedObject>;
  readonly deleted: ((key: ObjectKey, context: HandlerContext) => void | Promise<void>) | undefined;
}

/**
 * Describes a controller of a kind: a result of `kind<T>()`, or a token of `generated/resources/`. Each method returns a new description; `reconcile`
 * completes it.
 */
export function controller<T extends object>(
  kind: KindOf<T>,
  options: ControllerOptions<T> = {},
): ControllerBuilder<T> {
  const resource = resourceOf(kind);
  // Tokens do not declare their subresources, nor do the kinds of Kubernetes in the package: the status is assumed for them.
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

  /** Also reconciles an object when an object that it owns changes: one that refers to it as controller in its `ownerReferences`. */
  owns<C extends object>(kind: KindOf<C>, options: SourceOptions<C> = {}): ControllerBuilder<T> {
    const { resource } = this.#described;
    return this.#with({
      sources: [sourceOf("owns", resourceOf(kind), options)],
      permissions: [
        permissionFor(resourceOf(kind), [...READ, "create", "update", "patch", "delete"]),
        // References set by `own` block the deletion of the owner, which requires this permission.
        permissionFor(resource, ["update"], "finalizers"),
      ],
    });
  }

  /** Also reconciles objects when an object of another kind changes: those that `mapTo` returns for it, before and after the change. */
  watches<W extends object>(kind: KindOf<W>, mapTo: MapTo<W, T>, options: SourceOptions<W> = {}): ControllerBuilder<T> {
    return this.#with({
      sources: [{ ...sourceOf("watches", resourceOf(kind), options), mapTo: mapTo as unknown as Source["mapTo"] }],
      permissions: [permissionFor(resourceOf(kind), READ)],
    });
  }

  /** Declares other permissions that the controller needs. Changes nothing else. */
  uses<U extends object>(kind: KindOf<U>, verbs: readonly Verb[], subresource = ""): ControllerBuilder<T> {
    return this.#with({ permissions: [permissionFor(resourceOf(kind), verbs, subresource)] });
  }

  /**
   * Adds a finalizer to each object before its first reconcile, calls `cleanUp` when the object is being deleted, and removes the finalizer after
   * `cleanUp` has succeeded. A `cleanUp` that returns `requeueAfter` is not finished and is called again.
   */
  finalizer(name: string, cleanUp: Reconcile<T>): ControllerBuilder<T> {
    return this.#with({
      finalizers: [{ name, cleanUp: cleanUp as unknown as Reconcile<UntypedObject> }],
      permissions: [permissionFor(this.#described.resource, ["get", "patch"])],
    });
  }

  /**
   * Sets a function that is called with the keys of deleted objects, to release resources outside of the API. It is not called for objects that were
   * deleted while no controller was running.
   */
  deleted(handle: (key: ObjectKey, context: HandlerContext) => void | Promise<void>): ControllerBuilder<T> {
    return new ControllerBuilder<T>({ ...this.#described, deleted: handle });
  }

  /**
   * Completes the controller with the function that reconciles a new or changed object. It is never called twice at the same time for one object, nor
   * for objects that are being deleted. Errors are retried with backoff, except a `TerminalError`.
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

/** For `when`: true if the desired state changed, and not only the status or metadata. */
export function generationChanged(object: GenerationOf, old: GenerationOf): boolean {
  return object.metadata.generation !== old.metadata.generation;
}

interface GenerationOf {
  readonly metadata: { readonly generation?: number | bigint | undefined };
}
