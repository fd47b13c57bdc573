import type { Always, AtomicStruct, Default, OmitZero, Quantity } from "../../vocabulary.ts";
import type { LocalObjectReference } from "./references.ts";

export interface EnvFromSource {
  prefix?: string & OmitZero;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
}

export interface ConfigMapEnvSource extends LocalObjectReference {
  optional?: boolean;
}

export interface SecretEnvSource extends LocalObjectReference {
  optional?: boolean;
}

export interface EnvVar {
  name: string;
  value?: string & OmitZero;
  valueFrom?: EnvVarSource;
}

export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
}

export interface ObjectFieldSelector extends AtomicStruct {
  apiVersion?: string & OmitZero & Default<"v1">;
  fieldPath: string;
}

export interface ResourceFieldSelector extends AtomicStruct {
  containerName?: string & OmitZero;
  resource: string;
  divisor?: Quantity & Always;
}

export interface ConfigMapKeySelector extends AtomicStruct, LocalObjectReference {
  key: string;
  optional?: boolean;
}

export interface SecretKeySelector extends AtomicStruct, LocalObjectReference {
  key: string;
  optional?: boolean;
}
