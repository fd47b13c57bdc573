import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Bytes,
  type Default,
  type Deprecated,
  type EmptyStruct,
  type Gated,
  type Immutable,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type OmitZero,
  type Open,
  type Time,
} from "../../vocabulary.ts";
import type { JSONSchemaProps } from "./json-schema.ts";

/** Adds a kind to the API. */
export interface CustomResourceDefinition extends ClusterScoped {
  /** What is asked for. */
  spec: CustomResourceDefinitionSpec;
  /** What is the case, as last seen. */
  status?: CustomResourceDefinitionStatus & Always;
}

/** The kind: its names, scope and versions. */
export interface CustomResourceDefinitionSpec {
  /** Its group. */
  group: string & Immutable;
  /** Its version, when there is only one. */
  version?: string & OmitZero & Deprecated;
  /** What it is called. */
  names: CustomResourceDefinitionNames;
  /** Whether its objects live in namespaces. */
  scope: ResourceScope & Default<"Namespaced">;
  /** Schema of all versions. */
  validation?: CustomResourceValidation;
  /** Subresources of all versions. */
  subresources?: CustomResourceSubresources;
  /** Its versions. */
  versions?: ListAtomic<CustomResourceDefinitionVersion>;
  /** Columns of all versions. */
  additionalPrinterColumns?: ListAtomic<CustomResourceColumnDefinition>;
  /** Fields that selectors may name, of all versions. */
  selectableFields?: ListAtomic<SelectableField> & Gated<"CustomResourceFieldSelectors">;
  /** How objects go from one version to another. */
  conversion?: CustomResourceConversion & Default<{ strategy: "None" }>;
  /** Old way to keep fields the schema does not know. */
  preserveUnknownFields?: boolean & Default<true> & Deprecated;
}

export type ResourceScope = Open<"Cluster" | "Namespaced">;

/** What the kind is called. */
export interface CustomResourceDefinitionNames {
  /** Plural name, as it stands in paths. */
  plural: string;
  /** Singular name; the kind in lower case unless said. */
  singular?: string & OmitZero;
  /** Shorter names for the command line. */
  shortNames?: ListAtomic<string>;
  /** The kind. */
  kind: string;
  /** Kind of its lists; the kind followed by `List` unless said. */
  listKind?: string & OmitZero;
  /** Sets it belongs to, such as `all`. */
  categories?: ListAtomic<string>;
}

/** What objects look like. */
export interface CustomResourceValidation {
  /** The schema. */
  openAPIV3Schema?: JSONSchemaProps;
}

/** What hangs below an object. */
export interface CustomResourceSubresources {
  /** A status of its own. */
  status?: CustomResourceSubresourceStatus;
  /** A number of copies. */
  scale?: CustomResourceSubresourceScale;
}

/** Status is written through a subresource of its own. */
export type CustomResourceSubresourceStatus = EmptyStruct;

/** Where the number of copies is in the object. */
export interface CustomResourceSubresourceScale {
  /** The number there should be. */
  specReplicasPath: string;
  /** The number there are. */
  statusReplicasPath: string;
  /** The selector of the pods, as text. */
  labelSelectorPath?: string;
}

/** A version of the kind. */
export interface CustomResourceDefinitionVersion {
  /** Name of the version, such as `v1beta1`. */
  name: string;
  /** Whether it is served. */
  served: boolean;
  /** Whether objects are stored in it; true for exactly one. */
  storage: boolean;
  /** Whether clients are warned off it. */
  deprecated?: boolean & OmitZero;
  /** The warning, in place of the usual one. */
  deprecationWarning?: string;
  /** What objects look like. */
  schema?: CustomResourceValidation;
  /** What hangs below an object. */
  subresources?: CustomResourceSubresources;
  /** Columns of the table. */
  additionalPrinterColumns?: ListAtomic<CustomResourceColumnDefinition>;
  /** Fields that selectors may name. */
  selectableFields?: ListAtomic<SelectableField> & Gated<"CustomResourceFieldSelectors">;
}

/** A column of the kind's table. */
export interface CustomResourceColumnDefinition {
  /** Heading of the column. */
  name: string;
  /** Type of its cells. */
  type: string;
  /** What the cells mean. */
  format?: string & OmitZero;
  /** What the column shows. */
  description?: string & OmitZero;
  /** 0 is always shown, higher numbers only in wide output. */
  priority?: Int32 & OmitZero;
  /** Where the cell is in the object. */
  JSONPath: string;
}

/** A field that selectors may name. */
export interface SelectableField {
  /** Where it is in the object. */
  jsonPath: string;
}

/** How objects go from one version to another. */
export interface CustomResourceConversion {
  /** Change the version only, or ask a webhook. */
  strategy: ConversionStrategyType;
  /** How to reach the webhook. */
  webhookClientConfig?: WebhookClientConfig;
  /** Versions of the question the webhook understands. */
  conversionReviewVersions?: ListAtomic<string>;
}

export type ConversionStrategyType = Open<"None" | "Webhook">;

/** How to reach a webhook. */
export interface WebhookClientConfig {
  /** By address. */
  url?: string;
  /** By service of the cluster. */
  service?: ServiceReference;
  /** Certificates to trust, in PEM. */
  caBundle?: Bytes;
}

/** A service of the cluster. */
export interface ServiceReference {
  /** Its namespace. */
  namespace: string;
  /** Its name. */
  name: string;
  /** Path to ask for. */
  path?: string;
  /** Its port. */
  port?: Int32 & Default<443>;
}

/** What came of the kind. */
export interface CustomResourceDefinitionStatus {
  /** Whether its names are accepted and it is served. */
  conditions?: ListMap<CustomResourceDefinitionCondition, "type"> & Always;
  /** Names in use. */
  acceptedNames?: CustomResourceDefinitionNames & Always;
  /** Versions in which objects are or were stored. */
  storedVersions?: ListAtomic<string> & Always;
}

/** One finding about an object. */
export interface CustomResourceDefinitionCondition {
  /** What the finding is about. */
  type: CustomResourceDefinitionConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type CustomResourceDefinitionConditionType = Open<
  "Established" | "NamesAccepted" | "NonStructuralSchema" | "Terminating" | "KubernetesAPIApprovalPolicyConformant"
>;

export type ConditionStatus = Open<"True" | "False" | "Unknown">;

export const customResourceDefinition = kind<CustomResourceDefinition>({
  plural: "customresourcedefinitions",
  conditionalUpdate: true,
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  introduced: "1.7",
  deprecated: "1.16",
  removed: "1.22",
  replacement: "apiextensions.<domain>/v1 CustomResourceDefinition",
  storedAs: "apiextensions.<domain>/customresourcedefinitions",
  subresources: { status: true },
});
