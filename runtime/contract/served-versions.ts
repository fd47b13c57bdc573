import type { ApiObject } from "./api-object.ts";
import type { GroupResource } from "./object-access.ts";
import type { GroupVersion, GroupVersionKind } from "./resource-descriptor.ts";

export type GroupVersionResource = GroupVersion & { readonly resource: string };

/** A kind in one version, as requests can name it. */
export interface ServedVersion {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  /** The resource as which its objects are stored. */
  readonly stored: GroupResource;
}

/** The served versions, and conversion of objects between them. */
export interface ServedVersions {
  /** Every version, of whatever group, in which the objects behind a resource are served: itself among them. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly ServedVersion[];
  /** How a kind is served; undefined if it is not. */
  find(apiVersion: string, kind: string): ServedVersion | undefined;
  /** Converts an object from its storage version to another version. Does not change the given object. */
  convert(object: ApiObject, version: GroupVersionResource): Promise<ApiObject>;
}
