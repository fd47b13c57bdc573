import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Always, Default, Gated, Int32, Int64, ListAtomic, OmitZero } from "../../vocabulary.ts";
import type { ObjectFieldSelector, ResourceFieldSelector } from "./environment.ts";
import type { LocalObjectReference } from "./references.ts";

/** A directory with the entries of a ConfigMap. */
export interface ConfigMapVolumeSource extends LocalObjectReference {
  /** Which entries become files, and where; all of them when empty. */
  items?: ListAtomic<KeyToPath>;
  /** Permission bits of the files, unless an entry has its own. */
  defaultMode?: Int32 & Default<420>;
  /** Carry on when the ConfigMap or an entry is missing. */
  optional?: boolean;
}

/** An entry and the file it becomes. */
export interface KeyToPath {
  /** The entry's key. */
  key: string;
  /** Path of the file in the volume. */
  path: string;
  /** Permission bits of the file. */
  mode?: Int32;
}

/** A directory with facts about the pod. */
export interface DownwardAPIVolumeSource {
  /** The files and the facts in them. */
  items?: ListAtomic<DownwardAPIVolumeFile>;
  /** Permission bits of the files, unless a file has its own. */
  defaultMode?: Int32 & Default<420>;
}

/** A file with a fact about the pod. */
export interface DownwardAPIVolumeFile {
  /** Path of the file in the volume. */
  path: string;
  /** A field of the pod. */
  fieldRef?: ObjectFieldSelector;
  /** A resource limit or request of a container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** Permission bits of the file. */
  mode?: Int32;
}

/** A directory that gathers several sources. */
export interface ProjectedVolumeSource {
  /** The sources. */
  sources?: ListAtomic<VolumeProjection> & Always;
  /** Permission bits of the files, unless a file has its own. */
  defaultMode?: Int32 & Default<420>;
}

/** A source of files; one of the five. */
export interface VolumeProjection {
  /** Entries of a Secret. */
  secret?: SecretProjection;
  /** Facts about the pod. */
  downwardAPI?: DownwardAPIProjection;
  /** Entries of a ConfigMap. */
  configMap?: ConfigMapProjection;
  /** A token of the service account. */
  serviceAccountToken?: ServiceAccountTokenProjection;
  /** Certificates of trust bundles. */
  clusterTrustBundle?: ClusterTrustBundleProjection & Gated<"ClusterTrustBundleProjection">;
}

/** Entries of a Secret as files. */
export interface SecretProjection extends LocalObjectReference {
  /** Which entries become files, and where; all of them when empty. */
  items?: ListAtomic<KeyToPath>;
  /** Carry on when the Secret or an entry is missing. */
  optional?: boolean;
}

/** Facts about the pod as files. */
export interface DownwardAPIProjection {
  /** The files and the facts in them. */
  items?: ListAtomic<DownwardAPIVolumeFile>;
}

/** Entries of a ConfigMap as files. */
export interface ConfigMapProjection extends LocalObjectReference {
  /** Which entries become files, and where; all of them when empty. */
  items?: ListAtomic<KeyToPath>;
  /** Carry on when the ConfigMap or an entry is missing. */
  optional?: boolean;
}

/** A token of the pod's service account, kept fresh, as a file. */
export interface ServiceAccountTokenProjection {
  /** Whom the token is meant for; the API server unless said. */
  audience?: string & OmitZero;
  /** Seconds the token is valid; it is replaced well before. */
  expirationSeconds?: Int64 & Default<3600>;
  /** Path of the file in the volume. */
  path: string;
}

/** Certificates of trust bundles as a file. */
export interface ClusterTrustBundleProjection {
  /** One bundle, by name. */
  name?: string;
  /** Bundles of a signer. */
  signerName?: string;
  /** Which bundles of the signer. */
  labelSelector?: LabelSelector;
  /** Carry on when there is none. */
  optional?: boolean;
  /** Path of the file in the volume. */
  path: string;
}

/** A directory with the entries of a Secret. */
export interface SecretVolumeSource {
  /** Name of the Secret. */
  secretName?: string & OmitZero;
  /** Which entries become files, and where; all of them when empty. */
  items?: ListAtomic<KeyToPath>;
  /** Permission bits of the files, unless an entry has its own. */
  defaultMode?: Int32 & Default<420>;
  /** Carry on when the Secret or an entry is missing. */
  optional?: boolean;
}
