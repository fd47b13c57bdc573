import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Always, Default, Gated, Int32, Int64, ListAtomic, OmitZero } from "../../vocabulary.ts";
import type { ObjectFieldSelector, ResourceFieldSelector } from "./environment.ts";
import type { LocalObjectReference } from "./references.ts";

export interface ConfigMapVolumeSource extends LocalObjectReference {
  items?: ListAtomic<KeyToPath>;
  defaultMode?: Int32 & Default<420>;
  optional?: boolean;
}

export interface KeyToPath {
  key: string;
  path: string;
  mode?: Int32;
}

export interface DownwardAPIVolumeSource {
  items?: ListAtomic<DownwardAPIVolumeFile>;
  defaultMode?: Int32 & Default<420>;
}

export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: Int32;
}

export interface ProjectedVolumeSource {
  sources?: ListAtomic<VolumeProjection> & Always;
  defaultMode?: Int32 & Default<420>;
}

export interface VolumeProjection {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection & Gated<"ClusterTrustBundleProjection">;
}

export interface SecretProjection extends LocalObjectReference {
  items?: ListAtomic<KeyToPath>;
  optional?: boolean;
}

export interface DownwardAPIProjection {
  items?: ListAtomic<DownwardAPIVolumeFile>;
}

export interface ConfigMapProjection extends LocalObjectReference {
  items?: ListAtomic<KeyToPath>;
  optional?: boolean;
}

export interface ServiceAccountTokenProjection {
  audience?: string & OmitZero;
  expirationSeconds?: Int64 & Default<3600>;
  path: string;
}

export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: LabelSelector;
  optional?: boolean;
  path: string;
}

export interface SecretVolumeSource {
  secretName?: string & OmitZero;
  items?: ListAtomic<KeyToPath>;
  defaultMode?: Int32 & Default<420>;
  optional?: boolean;
}
