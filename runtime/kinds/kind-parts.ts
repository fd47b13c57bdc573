import type { Schemas } from "../schema/type-schema.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import type { Store } from "../store/store.ts";
import type { ObjectCodec } from "../watch/codec.ts";
import type { MemoBudget } from "../watch/memo-budget.ts";
import type { WatchCache } from "../watch/watch-cache.ts";

/** Dependencies of every kind, built-in or custom. */
export interface KindParts {
  readonly schemas: Schemas;
  /** Returns the store that holds the objects of one resource. */
  readonly storeFor: (group: string, resource: string) => Store;
  readonly budget: MemoBudget;
  /** Returns the encryption of a resource's values, or undefined if they are not encrypted. */
  readonly transformerFor: (group: string, resource: string) => ValueTransformer | undefined;
  /** API group of options and tables: `meta.<domain>`. */
  readonly metaGroup: string;
  /** Prefix of all keys: `/registry`. */
  readonly keyRoot: string;
  /** Encoding of stored objects: `json` in the embedded store, `protobuf` (as Kubernetes writes) in a shared etcd. */
  readonly storedAs: "json" | "protobuf";
  readonly openCache: (prefix: string, codec: ObjectCodec, store: Store) => WatchCache;
}
