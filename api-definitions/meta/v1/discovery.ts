import { type Always, kind, type ListAtomic, type Message, type OmitZero } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

/** A group and its versions. */
export interface APIGroup extends TypeMeta {
  /** Name of the group. */
  name: string;
  /** Versions that are served. */
  versions: ListAtomic<GroupVersionForDiscovery>;
  /** The version to use unless there is a reason not to. */
  preferredVersion?: GroupVersionForDiscovery & Always;
  /** Where clients reach the server, by where they are. */
  serverAddressByClientCIDRs?: ListAtomic<ServerAddressByClientCIDR>;
}

/** A version of a group. */
export interface GroupVersionForDiscovery {
  /** Group and version, such as `apps/v1`. */
  groupVersion: string;
  /** The version alone. */
  version: string;
}

/** Where some clients reach the server. */
export interface ServerAddressByClientCIDR {
  /** The clients, by address. */
  clientCIDR: string;
  /** Address of the server for them. */
  serverAddress: string;
}

/** All groups of the API. */
export interface APIGroupList extends TypeMeta {
  /** The groups. */
  groups: ListAtomic<APIGroup>;
}

/** The resources of a group and version. */
export interface APIResourceList extends TypeMeta {
  /** The group and version. */
  groupVersion: string;
  /** The resources. */
  resources: ListAtomic<APIResource>;
}

/** A resource of a group and version. */
export interface APIResource {
  /** Plural name, as it stands in paths. */
  name: string;
  /** Singular name. */
  singularName: string;
  /** Whether its objects live in namespaces. */
  namespaced: boolean;
  /** Group of the kind, when it is another one. */
  group?: string & OmitZero;
  /** Version of the kind, when it is another one. */
  version?: string & OmitZero;
  /** Kind of its objects. */
  kind: string;
  /** What can be done with it. */
  verbs: Verbs;
  /** Shorter names for the command line. */
  shortNames?: ListAtomic<string>;
  /** Sets it belongs to, such as `all`. */
  categories?: ListAtomic<string>;
  /** Changes when objects are stored in another version. */
  storageVersionHash?: string & OmitZero;
}

export type Verbs = Message<string[]>;

/** The versions of the core group. */
export interface APIVersions extends TypeMeta {
  /** The versions. */
  versions: ListAtomic<string>;
  /** Where clients reach the server, by where they are. */
  serverAddressByClientCIDRs: ListAtomic<ServerAddressByClientCIDR>;
}

/** The paths a server answers. */
export interface RootPaths {
  /** The paths. */
  paths: ListAtomic<string>;
}

export const apiGroup = kind<APIGroup>({ unserved: true });

export const apiGroupList = kind<APIGroupList>({ unserved: true });

export const apiResourceList = kind<APIResourceList>({ unserved: true });

export const apiVersions = kind<APIVersions>({ unserved: true });
