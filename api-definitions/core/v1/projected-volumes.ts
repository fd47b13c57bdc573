import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Always, Default, Gated, Int32, Int64, ListAtomic, OmitZero, Since } from "../../vocabulary.ts";
import type { ObjectFieldSelector, ResourceFieldSelector } from "./environment.ts";
import type { LocalObjectReference } from "./references.ts";

/** Keys of a ConfigMap as files in a volume. `name` of the ConfigMap is required. */
export interface ConfigMapVolumeSource extends LocalObjectReference {
  /**
   * Keys that become files, and their paths. Other keys are left out. If empty, every key becomes a file of its name. A
   * listed key that is missing is an error, unless `optional` is `true`.
   */
  items?: ListAtomic<KeyToPath>;
  /**
   * Permission bits of files for which `items` sets none, from 0 to 0777 octal (511 decimal). JSON needs the decimal
   * value; the default is 0644. `fsGroup` and other settings can lead to further bits.
   */
  defaultMode?: Int32 & Default<420>;
  /**
   * Whether the ConfigMap or its keys may be missing. Otherwise the pod does not start until they exist. Unset means
   * `false`.
   */
  optional?: boolean;
}

/** A key of a ConfigMap or Secret, and the file it becomes. */
export interface KeyToPath {
  /** Key whose value is the content of the file. */
  key: string;
  /** Path of the file, relative to the volume. Must not contain `..`, nor begin with `..`. */
  path: string;
  /**
   * Permission bits of the file, from 0 to 0777 octal (511 decimal). JSON needs the decimal value. Unset means
   * `defaultMode` of the volume.
   */
  mode?: Int32;
}

/** Fields of the pod and resources of its containers as files in a volume. */
export interface DownwardAPIVolumeSource {
  /** Files of the volume, and what they contain. */
  items?: ListAtomic<DownwardAPIVolumeFile>;
  /**
   * Permission bits of files that have no `mode`, from 0 to 0777 octal (511 decimal). JSON needs the decimal value; the
   * default is 0644. `fsGroup` and other settings can lead to further bits.
   */
  defaultMode?: Int32 & Default<420>;
}

/**
 * A file that contains a field of the pod or a resource of a container. Exactly one of `fieldRef` and
 * `resourceFieldRef` must be set.
 */
export interface DownwardAPIVolumeFile {
  /** Path of the file, relative to the volume. Must not contain `..`, nor begin with `..`. */
  path: string;
  /**
   * Field of the pod: `metadata.name`, `metadata.namespace`, `metadata.uid`, `metadata.labels` or
   * `metadata.annotations` (all of them, or one with `['<key>']`). Excludes `resourceFieldRef`.
   */
  fieldRef?: ObjectFieldSelector;
  /** Resource request or limit of a container; `containerName` is required. Excludes `fieldRef`. */
  resourceFieldRef?: ResourceFieldSelector;
  /**
   * Permission bits of the file, from 0 to 0777 octal (511 decimal). JSON needs the decimal value. Unset means
   * `defaultMode` of the volume.
   */
  mode?: Int32;
}

/** Several sources as files in one volume. */
export interface ProjectedVolumeSource {
  /** Sources of the files. Each entry has exactly one source, and no two may write the same path. */
  sources?: ListAtomic<VolumeProjection> & Always;
  /**
   * Permission bits of files that have no `mode`, from 0 to 0777 octal (511 decimal). JSON needs the decimal value; the
   * default is 0644. `fsGroup` and other settings can lead to further bits.
   */
  defaultMode?: Int32 & Default<420>;
}

/** One source of files in a projected volume. At most one field can be set. */
export interface VolumeProjection {
  /** Keys of a Secret as files. */
  secret?: SecretProjection;
  /** Fields of the pod and resources of its containers as files. */
  downwardAPI?: DownwardAPIProjection;
  /** Keys of a ConfigMap as files. */
  configMap?: ConfigMapProjection;
  /** A token of the pod's service account as a file. Not allowed if the pod has no `serviceAccountName`. */
  serviceAccountToken?: ServiceAccountTokenProjection & Since<"1.11">;
  /** CA certificates of ClusterTrustBundles as a file. */
  clusterTrustBundle?: ClusterTrustBundleProjection & Gated<"ClusterTrustBundleProjection">;
}

/** Keys of a Secret as files in a projected volume. `name` of the Secret is required. */
export interface SecretProjection extends LocalObjectReference {
  /**
   * Keys that become files, and their paths. Other keys are left out. If empty, every key becomes a file of its name. A
   * listed key that is missing is an error, unless `optional` is `true`.
   */
  items?: ListAtomic<KeyToPath>;
  /**
   * Whether the Secret or its keys may be missing. Otherwise the pod does not start until they exist. Unset means
   * `false`.
   */
  optional?: boolean;
}

/** Fields of the pod and resources of its containers as files in a projected volume. */
export interface DownwardAPIProjection {
  /** Files to write, and what they contain. */
  items?: ListAtomic<DownwardAPIVolumeFile>;
}

/** Keys of a ConfigMap as files in a projected volume. `name` of the ConfigMap is required. */
export interface ConfigMapProjection extends LocalObjectReference {
  /**
   * Keys that become files, and their paths. Other keys are left out. If empty, every key becomes a file of its name. A
   * listed key that is missing is an error, unless `optional` is `true`.
   */
  items?: ListAtomic<KeyToPath>;
  /**
   * Whether the ConfigMap or its keys may be missing. Otherwise the pod does not start until they exist. Unset means
   * `false`.
   */
  optional?: boolean;
}

/**
 * A token of the pod's service account as a file. The token is bound to the pod, and the kubelet renews it before it
 * expires: programs must read the file again.
 */
export interface ServiceAccountTokenProjection {
  /**
   * Intended audience of the token. A recipient must check that it is named here and reject the token otherwise.
   * Defaults to the audience of the API server.
   */
  audience?: string & OmitZero;
  /**
   * Requested lifetime of the token in seconds, from 600 to 2^32. The issuer may return another one. The kubelet renews
   * the token when 80 percent of its lifetime or 24 hours have passed.
   */
  expirationSeconds?: Int64 & Default<3600>;
  /** Path of the file, relative to the volume. Must not contain `..`, nor begin with `..`. */
  path: string;
}

/**
 * CA certificates of one or several ClusterTrustBundles as a PEM file. Duplicates are dropped, the order is arbitrary
 * and can change. Exactly one of `name` and `signerName` must be set.
 */
export interface ClusterTrustBundleProjection {
  /** Name of one ClusterTrustBundle. Excludes `signerName` and `labelSelector`. */
  name?: string;
  /**
   * Signer whose ClusterTrustBundles are selected by `labelSelector`; their certificates are combined. Excludes `name`.
   */
  signerName?: string;
  /** Selects among the ClusterTrustBundles of `signerName`. If unset, none is selected; if empty (`{}`), all are. */
  labelSelector?: LabelSelector;
  /**
   * Whether the ClusterTrustBundles may be missing. The file is empty then if `signerName` selects none. Otherwise the
   * pod does not start until there is one. Unset means `false`.
   */
  optional?: boolean;
  /** Path of the file, relative to the volume. Must not contain `..`, nor begin with `..`. */
  path: string;
}

/** Keys of a Secret as files in a volume. They are stored in memory on the node, never on its disk. */
export interface SecretVolumeSource {
  /** Name of a Secret in the namespace of the pod. Required. */
  secretName?: string & OmitZero;
  /**
   * Keys that become files, and their paths. Other keys are left out. If empty, every key becomes a file of its name. A
   * listed key that is missing is an error, unless `optional` is `true`.
   */
  items?: ListAtomic<KeyToPath>;
  /**
   * Permission bits of files for which `items` sets none, from 0 to 0777 octal (511 decimal). JSON needs the decimal
   * value; the default is 0644. `fsGroup` and other settings can lead to further bits.
   */
  defaultMode?: Int32 & Default<420>;
  /**
   * Whether the Secret or its keys may be missing. Otherwise the pod does not start until they exist. Unset means
   * `false`.
   */
  optional?: boolean;
}
