import type { ServerConfig } from "../../runtime/server/server-config.ts";
import { CasFailedError } from "../../runtime/store/errors.ts";
import type { Store, StoreEvent, WatchReceiver } from "../../runtime/store/store.ts";
import type { Plan } from "./plan.ts";
import type { World } from "./world.ts";

/** A server with an intentional defect. Each violates a guarantee, and the checks must detect it. */
export interface Defect {
  /** Changes the store of a server. */
  readonly breakStore?: (store: Store, world: World) => Store;
  /** Changes the configuration of servers. */
  readonly config?: Partial<ServerConfig>;
  /** The disk confirms a commit before it is synced. */
  readonly acknowledgesEarly?: boolean;
  /** Properties of a plan for which the defect matters. */
  readonly needs?: Partial<Plan>;
  /** Expected message of the checks. */
  readonly foundAs: RegExp;
}

/** Share of calls that go wrong. */
const OFTEN = 0.1;

export const DEFECTS = {
  "a commit is acknowledged before it is synced": {
    acknowledgesEarly: true,
    foundAs: /^(linearizable|lists|revisions|reliable|resumable|bookmarkable|ordered|unique|stuck): /,
  },
  "a watch of the store drops a change": {
    breakStore: (store, world) => withReceivers(store, (receiver) => lossy(receiver, world)),
    foundAs: /^(linearizable|lists|reliable|resumable|bookmarkable): /,
  },
  "a watch of the store tells a change twice": {
    breakStore: (store, world) => withReceivers(store, (receiver) => doubling(receiver, world)),
    foundAs: /^(unique|ordered|lists|reliable|resumable|logged): /,
  },
  "progress is told before the changes up to it": {
    breakStore: (store) => withReceivers(store, hasty),
    foundAs: /^(linearizable|lists|bookmarkable|resumable|reliable|ordered): /,
  },
  "a cache that may be behind is served as most recent": {
    breakStore: (store) => changed(store, { watchesAreImmediate: true }),
    foundAs: /^linearizable: /,
  },
  "a write does not compare the revision": {
    breakStore: (store) =>
      changed(store, {
        async put(key, value, options) {
          for (let expected = options.expected; ; ) {
            try {
              return await store.put(key, value, { ...options, expected });
            } catch (error) {
              if (!(error instanceof CasFailedError)) throw error;
              expected = error.current?.modRevision ?? 0;
            }
          }
        },
      }),
    foundAs: /^linearizable: /,
  },
  "a write that failed without an effect is reported as a success": {
    breakStore: (store) =>
      changed(store, {
        delete: (key, options) => store.delete(key, options).catch(() => ({ revision: options.expected })),
      }),
    foundAs: /^linearizable: /,
  },
  "a binding that was deleted still allows requests": {
    needs: { rbac: true },
    breakStore: (store) => withReceivers(store, (receiver) => withoutDeletions(receiver, "/registry/rolebindings/")),
    foundAs: /^permissions: /,
  },
  "dependents of deleted owners are not collected": {
    needs: { controllers: true },
    config: { garbageCollector: false },
    foundAs: /^garbage: .* stays$/,
  },
  "the deletion of a namespace does not see all of its contents": {
    needs: { controllers: true },
    breakStore: (store) => withReceivers(store, (receiver) => without(receiver, isContent)),
    foundAs: /^namespaces: .* is left of a namespace that is gone$/,
  },
} as const satisfies Readonly<Record<string, Defect>>;

function changed(store: Store, changes: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, member) {
      if (member in changes) return changes[member as keyof Store];
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function withReceivers(store: Store, breakReceiver: (receiver: WatchReceiver) => WatchReceiver): Store {
  return changed(store, { watch: (request, receiver) => store.watch(request, breakReceiver(receiver)) });
}

function withoutDeletions(receiver: WatchReceiver, prefix: string): WatchReceiver {
  return without(receiver, ({ type, key }) => type === "delete" && key.startsWith(prefix));
}

function isContent({ type, key }: StoreEvent): boolean {
  return type === "put" && /^\/registry\/configmaps\/ns-.*\/content-[0-3]$/.test(key);
}

function without(receiver: WatchReceiver, isHidden: (event: StoreEvent) => boolean): WatchReceiver {
  return {
    changed(events, revision) {
      const kept = events.filter((event) => !isHidden(event));
      if (kept.length > 0) receiver.changed(kept, revision);
      else receiver.progress(revision);
    },
    progress: (revision) => receiver.progress(revision),
    failed: (error) => receiver.failed(error),
  };
}

function lossy(receiver: WatchReceiver, world: World): WatchReceiver {
  return without(receiver, (event) => isOfClients(event) && world.chance(OFTEN));
}

function doubling(receiver: WatchReceiver, world: World): WatchReceiver {
  return {
    changed(events, revision) {
      receiver.changed(events, revision);
      if (events.some(isOfClients) && world.chance(OFTEN)) receiver.changed(events, revision);
    },
    progress: (revision) => receiver.progress(revision),
    failed: (error) => receiver.failed(error),
  };
}

function hasty(receiver: WatchReceiver): WatchReceiver {
  return {
    changed(events, revision) {
      receiver.progress(revision);
      receiver.changed(events, revision);
    },
    progress: (revision) => receiver.progress(revision + 1),
    failed: (error) => receiver.failed(error),
  };
}

function isOfClients({ key }: StoreEvent): boolean {
  return key.startsWith("/registry/configmaps/");
}
