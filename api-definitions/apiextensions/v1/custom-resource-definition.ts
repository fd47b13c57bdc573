import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Bytes,
  type Default,
  type Deprecated,
  type EmptyStruct,
  type Gated,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type OmitZero,
  type Open,
  type Time,
} from "../../vocabulary.ts";
import type { JSONSchemaProps } from "./json-schema.ts";

export interface CustomResourceDefinition extends ClusterScoped {
  spec: CustomResourceDefinitionSpec;
  status?: CustomResourceDefinitionStatus & Always;
}

export interface CustomResourceDefinitionSpec {
  group: string;
  names: CustomResourceDefinitionNames;
  scope: ResourceScope;
  versions: ListAtomic<CustomResourceDefinitionVersion>;
  conversion?: CustomResourceConversion & Default<{ strategy: "None" }>;
  preserveUnknownFields?: boolean & OmitZero & Deprecated;
}

export type ResourceScope = Open<"Cluster" | "Namespaced">;

export interface CustomResourceDefinitionNames {
  plural: string;
  singular?: string & OmitZero;
  shortNames?: ListAtomic<string>;
  kind: string;
  listKind?: string & OmitZero;
  categories?: ListAtomic<string>;
}

export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean & OmitZero;
  deprecationWarning?: string;
  schema?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: ListAtomic<CustomResourceColumnDefinition>;
  selectableFields?: ListAtomic<SelectableField> & Gated<"CustomResourceFieldSelectors">;
}

export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps;
}

export interface CustomResourceSubresources {
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
}

export type CustomResourceSubresourceStatus = EmptyStruct;

export interface CustomResourceSubresourceScale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface CustomResourceColumnDefinition {
  name: string;
  type: string;
  format?: string & OmitZero;
  description?: string & OmitZero;
  priority?: Int32 & OmitZero;
  jsonPath: string;
}

export interface SelectableField {
  jsonPath: string;
}

export interface CustomResourceConversion {
  strategy: ConversionStrategyType;
  webhook?: WebhookConversion;
}

export type ConversionStrategyType = Open<"None" | "Webhook">;

export interface WebhookConversion {
  clientConfig?: WebhookClientConfig;
  conversionReviewVersions: ListAtomic<string>;
}

export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: Bytes;
}

export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: Int32 & Default<443>;
}

export interface CustomResourceDefinitionStatus {
  conditions?: ListMap<CustomResourceDefinitionCondition, "type"> & Always;
  acceptedNames?: CustomResourceDefinitionNames & Always;
  storedVersions?: ListAtomic<string> & Always;
}

export interface CustomResourceDefinitionCondition {
  type: CustomResourceDefinitionConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time & Always;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type CustomResourceDefinitionConditionType = Open<
  "Established" | "NamesAccepted" | "NonStructuralSchema" | "Terminating" | "KubernetesAPIApprovalPolicyConformant"
>;

export type ConditionStatus = Open<"True" | "False" | "Unknown">;

export const customResourceDefinition = kind<CustomResourceDefinition>({
  plural: "customresourcedefinitions",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  introduced: "1.16",
  storedAs: "apiextensions.<domain>/customresourcedefinitions",
  subresources: { status: true },
});
