import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { GroupResource } from "../contract/object-access.ts";
import type { GroupVersionKind, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import type { ResourceCache } from "../watch/resource-cache.ts";
import type { LoadedHooks } from "./loaded-hooks.ts";
import type { ObjectStore } from "./object-store.ts";

/** A kind in its hub version, as it is stored. Shared by all served versions. */
export interface StoredKind {
  readonly gvk: GroupVersionKind;
  readonly apiVersion: string;
  readonly groupResource: GroupResource;
  readonly namespaced: boolean;
  readonly schema: TypeSchema<ApiObject>;
  readonly hooks: LoadedHooks;
  /** Whether objects have a status that is written through its own subresource. */
  readonly hasStatus: boolean;
  /** Whether an update of the status leaves metadata unchanged, as for custom kinds. For most kinds of Kubernetes it may change labels. */
  readonly statusKeepsMetadata: boolean;
  readonly tracksGeneration: boolean;
  readonly requiresResourceVersion: boolean;
  readonly returnsDeleted: boolean;
  /** Seconds after which objects expire. */
  readonly ttlSeconds: number | undefined;
  /** Prefix of the keys of its objects. */
  readonly prefix: string;
  readonly objects: ObjectStore;
  /**
   * Reads the same objects without the defaults that `defaults.stored` sets: kube-apiserver does not set them for the subresource `status`.
   * Absent for kinds without that hook, and in the embedded store, which no older server has written to.
   */
  readonly objectsForStatus?: ObjectStore;
  readonly cache: ResourceCache;
  /** Names of the fields that field selectors support. */
  readonly selectableFields: ReadonlySet<string>;
}

/** Conversion by a webhook, hence asynchronous. */
export interface VersionConversion {
  /** Converts an object to another version and drops fields that this version does not have. Rejects with an UnconvertibleError. */
  convert(object: ApiObject, apiVersion: string): Promise<ApiObject>;
}

/** One resource in one version, as requests address it. */
export interface ServedResource {
  readonly descriptor: ResourceDescriptor;
  readonly apiVersion: string;
  readonly groupResource: GroupResource;
  /** API group of options and tables: `meta.<domain>`. */
  readonly metaGroup: string;
  readonly schema: TypeSchema<ApiObject>;
  /** Schema including the fields of later releases, which `schema` lacks. Absent at the current release. */
  readonly fullSchema?: TypeSchema<ApiObject>;
  readonly hooks: LoadedHooks;
  readonly stored: StoredKind;
  /** Whether objects are served in the form in which they are stored, so that their bytes can be sent unchanged. */
  readonly isStoredVersion: boolean;
  /** Annotations that hold values which this version cannot represent. Clients do not set them. */
  readonly carriedAnnotations?: readonly string[];
  /** Conversion between the versions of a custom kind. Absent for kinds without a conversion webhook. */
  readonly conversion?: VersionConversion;
  /**
   * Validates objects, given in their stored version, against the rules of this version. Absent if this is the stored version, and for kinds of
   * Kubernetes.
   */
  readonly ownErrors?: (object: ApiObject, old: ApiObject | undefined) => FieldError[];
  /** The path in this version of a field of the stored version; absent where they are equal. */
  readonly fieldFromStored?: (path: string) => string;
  /** `toStored` and `fromStored` do not change their argument. */
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
}
