import { type Always, kind, type ListAtomic, type Message, type OmitZero } from "../../vocabulary.ts";
import type { TypeMeta } from "./type-meta.ts";

export interface APIGroup extends TypeMeta {
  name: string;
  versions: ListAtomic<GroupVersionForDiscovery>;
  preferredVersion?: GroupVersionForDiscovery & Always;
  serverAddressByClientCIDRs?: ListAtomic<ServerAddressByClientCIDR>;
}

export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}

export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}

export interface APIGroupList extends TypeMeta {
  groups: ListAtomic<APIGroup>;
}

export interface APIResourceList extends TypeMeta {
  groupVersion: string;
  resources: ListAtomic<APIResource>;
}

export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string & OmitZero;
  version?: string & OmitZero;
  kind: string;
  verbs: Verbs;
  shortNames?: ListAtomic<string>;
  categories?: ListAtomic<string>;
  storageVersionHash?: string & OmitZero;
}

export type Verbs = Message<string[]>;

export interface APIVersions extends TypeMeta {
  versions: ListAtomic<string>;
  serverAddressByClientCIDRs: ListAtomic<ServerAddressByClientCIDR>;
}

export interface RootPaths {
  paths: ListAtomic<string>;
}

export const apiGroup = kind<APIGroup>({ unserved: true });

export const apiGroupList = kind<APIGroupList>({ unserved: true });

export const apiResourceList = kind<APIResourceList>({ unserved: true });

export const apiVersions = kind<APIVersions>({ unserved: true });
