import type { Always, AtomicStruct, Default, OmitZero, Quantity } from "../../vocabulary.ts";
import type { LocalObjectReference } from "./references.ts";

/**
 * A ConfigMap or Secret of which every key becomes an environment variable. Exactly one of `configMapRef` and
 * `secretRef` must be set.
 */
export interface EnvFromSource {
  /** Text that is put before each key to form the name of the variable. Printable ASCII characters other than `=`. */
  prefix?: string & OmitZero;
  /** ConfigMap whose keys become variables. Excludes `secretRef`. */
  configMapRef?: ConfigMapEnvSource;
  /** Secret whose keys become variables. Excludes `configMapRef`. */
  secretRef?: SecretEnvSource;
}

/** Selects a ConfigMap in the namespace of the pod whose keys become environment variables. */
export interface ConfigMapEnvSource extends LocalObjectReference {
  /**
   * Whether the ConfigMap may be missing. Otherwise the container does not start until it exists. Unset means `false`.
   */
  optional?: boolean;
}

/** Selects a Secret in the namespace of the pod whose keys become environment variables. */
export interface SecretEnvSource extends LocalObjectReference {
  /** Whether the Secret may be missing. Otherwise the container does not start until it exists. Unset means `false`. */
  optional?: boolean;
}

/** An environment variable of a container. */
export interface EnvVar {
  /** Name of the variable. Printable ASCII characters other than `=`. */
  name: string;
  /**
   * Value of the variable. References `$(NAME)` to variables defined before it, and to those of Services, are expanded;
   * `$$(NAME)` is an escaped `$(NAME)`; references to unknown variables stay as they are. Must be empty if `valueFrom`
   * is set.
   */
  value?: string & OmitZero;
  /** Source of the value. Must not be set if `value` is not empty. */
  valueFrom?: EnvVarSource;
}

/**
 * Source of the value of an environment variable. Exactly one field must be set. The value is read when the container
 * starts and does not change while it runs.
 */
export interface EnvVarSource {
  /**
   * A field of the pod: `metadata.name`, `metadata.namespace`, `metadata.uid`, `metadata.labels['<key>']`,
   * `metadata.annotations['<key>']`, `spec.nodeName`, `spec.serviceAccountName`, `status.hostIP`, `status.hostIPs`,
   * `status.podIP` or `status.podIPs`.
   */
  fieldRef?: ObjectFieldSelector;
  /** A resource request or limit of a container: CPU, memory, ephemeral storage or huge pages. */
  resourceFieldRef?: ResourceFieldSelector;
  /** Value of a key of a ConfigMap in the namespace of the pod. */
  configMapKeyRef?: ConfigMapKeySelector;
  /** Value of a key of a Secret in the namespace of the pod. */
  secretKeyRef?: SecretKeySelector;
}

/** Selects a field of the pod, for an environment variable or a file. */
export interface ObjectFieldSelector extends AtomicStruct {
  /** API version in terms of which `fieldPath` is written. Only `v1` is supported. */
  apiVersion?: string & OmitZero & Default<"v1">;
  /**
   * Path of the field, such as `metadata.name` or `metadata.labels['app']`. Which fields are allowed depends on where
   * the selector is used.
   */
  fieldPath: string;
}

/**
 * Selects a resource request or limit of a container, for an environment variable or a file. If the container has no
 * limit for CPU, memory or ephemeral storage, the allocatable amount of the node is used.
 */
export interface ResourceFieldSelector extends AtomicStruct {
  /** Name of the container. Required in volumes; in environment variables it defaults to the container itself. */
  containerName?: string & OmitZero;
  /**
   * Request or limit to select: `limits.cpu`, `limits.memory`, `limits.ephemeral-storage`, `requests.cpu`,
   * `requests.memory`, `requests.ephemeral-storage`, or `limits.hugepages-<size>` and `requests.hugepages-<size>`.
   */
  resource: string;
  /**
   * Unit of the result, which is rounded up. `1m` or `1` for CPU; `1` or `1` with one of the suffixes `k`, `M`, `G`,
   * `T`, `P`, `E`, `Ki`, `Mi`, `Gi`, `Ti`, `Pi` and `Ei` for others. `0`, which is shown if it is unset, counts as `1`.
   */
  divisor?: Quantity & Always;
}

/** Selects a key of a ConfigMap in the namespace of the pod. */
export interface ConfigMapKeySelector extends AtomicStruct, LocalObjectReference {
  /** Key of the ConfigMap whose value is used. */
  key: string;
  /**
   * Whether the ConfigMap or its key may be missing. Otherwise the container does not start until they exist. Unset
   * means `false`.
   */
  optional?: boolean;
}

/** Selects a key of a Secret in the namespace of the pod. */
export interface SecretKeySelector extends AtomicStruct, LocalObjectReference {
  /** Key of the Secret whose value is used. */
  key: string;
  /**
   * Whether the Secret or its key may be missing. Otherwise the container does not start until they exist. Unset means
   * `false`.
   */
  optional?: boolean;
}
