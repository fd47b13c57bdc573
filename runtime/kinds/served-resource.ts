import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { GroupResource } from "../contract/object-access.ts";
import type { GroupVersionKind, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { ResourceCache } from "../watch/resource-cache.ts";
import type { LoadedHooks } from "./loaded-hooks.ts";
import type { ObjectStore } from "./object-store.ts";

/** A kind in its hub version, as it is stored. Shared by all versions that are served. */
export interface StoredKind {
  readonly gvk: GroupVersionKind;
  readonly apiVersion: string;
  readonly groupResource: GroupResource;
  readonly namespaced: boolean;
  readonly schema: TypeSchema<ApiObject>;
  readonly hooks: LoadedHooks;
  /** Whether objects have a status that is written through its own subresource. */
  readonly hasStatus: boolean;
  /** Whether an update of the status leaves metadata as they are, as that of a custom kind; most kinds of Kubernetes let it change labels. */
  readonly statusKeepsMetadata: boolean;
  readonly tracksGeneration: boolean;
  readonly requiresResourceVersion: boolean;
  readonly returnsDeleted: boolean;
  /** Seconds after which objects expire. */
  readonly ttlSeconds: number | undefined;
  /** Keys of its objects begin with this. */
  readonly prefix: string;
  readonly objects: ObjectStore;
  /**
   * The same objects without what `defaults.stored` completes: kube-apiserver does not complete them for the subresource `status`. Absent for
   * kinds that have no such hook, and in the embedded store, where no older server wrote.
   */
  readonly objectsForStatus?: ObjectStore;
  readonly cache: ResourceCache;
  /** Names of the fields that field selectors support. */
  readonly selectableFields: ReadonlySet<string>;
}

/** Conversion that has to wait for a webhook. */
export interface VersionConversion {
  /** The object in another version, without fields that this version does not have. Rejects with an UnconvertibleError. */
  convert(object: ApiObject, apiVersion: string): Promise<ApiObject>;
}

/** One resource in one version, as requests name it. */
export interface ServedResource {
  readonly descriptor: ResourceDescriptor;
  readonly apiVersion: string;
  readonly groupResource: GroupResource;
  /** The group of options and tables: `meta.<domain>`. */
  readonly metaGroup: string;
  readonly schema: TypeSchema<ApiObject>;
  /** With the fields of later releases, which `schema` does not have; absent at the current release. */
  readonly fullSchema?: TypeSchema<ApiObject>;
  readonly hooks: LoadedHooks;
  readonly stored: StoredKind;
  /** Whether objects are served as they are stored: then their bytes can be sent unchanged. */
  readonly isStoredVersion: boolean;
  /** Annotations for values that this version cannot represent; no client sets them. */
  readonly carriedAnnotations?: readonly string[];
  /** Converts between the versions of a custom kind by its webhook; absent for kinds without one. */
  readonly conversion?: VersionConversion;
  /**
   * Errors of the rules that an own version declares, which is not the stored one; of objects in their stored version. Absent where there are
   * no other rules.
   */
  readonly ownErrors?: (object: ApiObject, old: ApiObject | undefined) => FieldError[];
  /** Neither function changes its argument. */
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
}
