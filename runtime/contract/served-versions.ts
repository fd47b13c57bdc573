import type { ApiObject } from "./api-object.ts";
import type { GroupResource } from "./object-access.ts";
import type { GroupVersion, GroupVersionKind } from "./resource-descriptor.ts";

export type GroupVersionResource = GroupVersion & { readonly resource: string };

/** A kind in one version, as requests can address it. */
export interface ServedVersion {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  /** The resource under which its objects are stored. */
  readonly stored: GroupResource;
}

/** The served versions, and conversion of objects between them. */
export interface ServedVersions {
  /** Returns every version, in any group, in which the objects of a resource are served, including the resource itself. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly ServedVersion[];
  /** Returns the resource that serves a kind. Undefined if the kind is not served. */
  find(apiVersion: string, kind: string): ServedVersion | undefined;
  /** Converts an object from its storage version to another version. Does not change the given object. */
  convert(object: ApiObject, version: GroupVersionResource): Promise<ApiObject>;
}
