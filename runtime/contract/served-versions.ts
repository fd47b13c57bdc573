import type { ApiObject } from "./api-object.ts";
import type { GroupResource } from "./object-access.ts";
import type { GroupVersion, GroupVersionKind } from "./resource-descriptor.ts";

export type GroupVersionResource = GroupVersion & { readonly resource: string };

/** A kind in one version, as requests can name it. */
export interface ServedVersion {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  /** Where its objects are stored. */
  readonly stored: GroupResource;
}

/** What is served in which versions, and how objects look in each. */
export interface ServedVersions {
  /** Every version, of whatever group, in which the objects behind a resource are served: itself among them. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly ServedVersion[];
  /** How a kind is served; undefined if it is not. */
  find(apiVersion: string, kind: string): ServedVersion | undefined;
  /** An object of its storage version as another version shows it. Changes nothing. */
  convert(object: ApiObject, version: GroupVersionResource): Promise<ApiObject>;
  /** The way back: what a version shows, decoded and defaulted as if a client had sent it, in its storage version. */
  restore(object: ApiObject, version: GroupVersionResource): Promise<ApiObject>;
}
