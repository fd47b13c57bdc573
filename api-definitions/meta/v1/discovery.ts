import { type Always, kind, type ListAtomic, type Message, type OmitZero } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

/** An API group with the versions that the server serves, as returned by discovery at `/apis/<group>`. */
export interface APIGroup extends TypeMeta {
  /** Name of the API group, such as `apps`. */
  name: string;
  /** Served versions of the group, in order of preference. */
  versions: ListAtomic<GroupVersionForDiscovery>;
  /** Version of the group that clients should use if they have no reason to use another one. */
  preferredVersion?: GroupVersionForDiscovery & Always;
  /**
   * Addresses at which clients reach the server, depending on the network of the client. Clients that match several
   * entries should use the most specific one; clients that match none use the address they already have.
   */
  serverAddressByClientCIDRs?: ListAtomic<ServerAddressByClientCIDR>;
}

/** A version of an API group, as listed by discovery. */
export interface GroupVersionForDiscovery {
  /** Group and version, such as `apps/v1`. */
  groupVersion: string;
  /** Version without the group, such as `v1`. */
  version: string;
}

/** Address of the server for the clients of one network. */
export interface ServerAddressByClientCIDR {
  /** Network of the clients in CIDR notation, such as `10.0.0.0/8`. `0.0.0.0/0` matches all clients. */
  clientCIDR: string;
  /** Host name or IP address of the server for these clients, with an optional port. */
  serverAddress: string;
}

/** All API groups except the core group, as returned by discovery at `/apis`. */
export interface APIGroupList extends TypeMeta {
  /** API groups that the server serves. */
  groups: ListAtomic<APIGroup>;
}

/** Resources of one API group and version, as returned by discovery, for example at `/apis/apps/v1`. */
export interface APIResourceList extends TypeMeta {
  /** Group and version of the resources, such as `apps/v1`, or `v1` for the core group. */
  groupVersion: string;
  /** Resources and subresources of this group and version. */
  resources: ListAtomic<APIResource>;
}

/** A resource of an API group and version, and what clients can do with it. */
export interface APIResource {
  /**
   * Plural name of the resource as it appears in paths, such as `deployments`. A subresource has the form
   * `deployments/scale`.
   */
  name: string;
  /** Singular name of the resource for command-line tools, such as `deployment`. Empty for subresources. */
  singularName: string;
  /** Whether objects of the resource belong to a namespace. `false` means that they are cluster-scoped. */
  namespaced: boolean;
  /** API group of the kind. Empty if it is the group of the list. Differs for subresources such as `scale`. */
  group?: string & OmitZero;
  /** Version of the kind. Empty if it is the version of the list. Differs for subresources such as `scale`. */
  version?: string & OmitZero;
  /** Kind of the objects of the resource, such as `Deployment`. */
  kind: string;
  /** Operations that clients can perform on the resource. */
  verbs: Verbs;
  /** Short names for command-line tools, such as `deploy`. */
  shortNames?: ListAtomic<string>;
  /** Groups of resources that command-line tools can address together, such as `all`. */
  categories?: ListAtomic<string>;
  /**
   * Hash of the group, version and kind in which objects are stored. Clients may only compare it: another value means
   * that the storage version has changed. Unset if the server does not publish it.
   */
  storageVersionHash?: string & OmitZero;
}

/** Names of operations: `create`, `delete`, `deletecollection`, `get`, `list`, `patch`, `update`, `watch`. */
export type Verbs = Message<string[]>;

/** Versions of the core group, as returned by discovery at `/api`. */
export interface APIVersions extends TypeMeta {
  /** Served versions of the core group, such as `v1`. */
  versions: ListAtomic<string>;
  /**
   * Addresses at which clients reach the server, depending on the network of the client. Clients that match several
   * entries should use the most specific one; clients that match none use the address they already have.
   */
  serverAddressByClientCIDRs: ListAtomic<ServerAddressByClientCIDR>;
}

/** Paths that the server serves, as returned by a request for `/`. */
export interface RootPaths {
  /** Paths of the server, sorted. */
  paths: ListAtomic<string>;
}

export const apiGroup = kind<APIGroup>({ unserved: true });

export const apiGroupList = kind<APIGroupList>({ unserved: true });

export const apiResourceList = kind<APIResourceList>({ unserved: true });

export const apiVersions = kind<APIVersions>({ unserved: true });
