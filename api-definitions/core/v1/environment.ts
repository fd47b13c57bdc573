import type { Always, AtomicStruct, Default, OmitZero, Quantity } from "../../vocabulary.ts";
import type { LocalObjectReference } from "./references.ts";

/** A source of many environment variables. */
export interface EnvFromSource {
  /** Text put before every key. */
  prefix?: string & OmitZero;
  /** A ConfigMap to take entries from. */
  configMapRef?: ConfigMapEnvSource;
  /** A Secret to take entries from. */
  secretRef?: SecretEnvSource;
}

/** Takes every entry of a ConfigMap as environment variables. */
export interface ConfigMapEnvSource extends LocalObjectReference {
  /** Carry on when the ConfigMap is missing. */
  optional?: boolean;
}

/** Takes every entry of a Secret as environment variables. */
export interface SecretEnvSource extends LocalObjectReference {
  /** Carry on when the Secret is missing. */
  optional?: boolean;
}

/** An environment variable. */
export interface EnvVar {
  /** Name of the variable. */
  name: string;
  /** Its value; `$(NAME)` refers to variables above. */
  value?: string & OmitZero;
  /** Where the value comes from, if it is not given here. */
  valueFrom?: EnvVarSource;
}

/** Where the value of a variable comes from; one of the four. */
export interface EnvVarSource {
  /** A field of the pod. */
  fieldRef?: ObjectFieldSelector;
  /** A resource limit or request of a container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** An entry of a ConfigMap. */
  configMapKeyRef?: ConfigMapKeySelector;
  /** An entry of a Secret. */
  secretKeyRef?: SecretKeySelector;
}

/** A field of the pod. */
export interface ObjectFieldSelector extends AtomicStruct {
  /** Version in which the path is written. */
  apiVersion?: string & OmitZero & Default<"v1">;
  /** Path of the field, such as `metadata.name`. */
  fieldPath: string;
}

/** A resource limit or request of a container. */
export interface ResourceFieldSelector extends AtomicStruct {
  /** Which container; needed in volumes. */
  containerName?: string & OmitZero;
  /** Which one, such as `limits.cpu`. */
  resource: string;
  /** Unit to count in. */
  divisor?: Quantity & Always;
}

/** One entry of a ConfigMap. */
export interface ConfigMapKeySelector extends AtomicStruct, LocalObjectReference {
  /** The entry's key. */
  key: string;
  /** Carry on when the ConfigMap or the entry is missing. */
  optional?: boolean;
}

/** One entry of a Secret. */
export interface SecretKeySelector extends AtomicStruct, LocalObjectReference {
  /** The entry's key. */
  key: string;
  /** Carry on when the Secret or the entry is missing. */
  optional?: boolean;
}
