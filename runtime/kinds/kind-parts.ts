import type { Schemas } from "../schema/type-schema.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import type { Store } from "../store/store.ts";
import type { ObjectCodec } from "../watch/codec.ts";
import type { MemoBudget } from "../watch/memo-budget.ts";
import type { WatchCache } from "../watch/watch-cache.ts";

/** Dependencies of every kind, built-in or custom. */
export interface KindParts {
  readonly schemas: Schemas;
  /** The store, as objects of one resource see it. */
  readonly storeFor: (group: string, resource: string) => Store;
  readonly budget: MemoBudget;
  /** How values of a kind are encrypted; undefined where they are not. */
  readonly transformerFor: (group: string, resource: string) => ValueTransformer | undefined;
  /** The group of options and tables: `meta.<domain>`. */
  readonly metaGroup: string;
  /** What all keys begin with: `/registry`. */
  readonly keyRoot: string;
  /** How objects are written: as JSON for our own store, as Kubernetes writes them for a shared etcd. */
  readonly storedAs: "json" | "protobuf";
  readonly openCache: (prefix: string, codec: ObjectCodec, store: Store) => WatchCache;
}
