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

/**
 * Adds a custom kind to the API. Once the definition is established, objects of the kind are served under
 * `/apis/<group>/<version>` like built-in ones: with storage, validation, watches and kubectl. The name must be
 * `<spec.names.plural>.<spec.group>`. Deleting the definition deletes all objects of the kind first.
 */
export interface CustomResourceDefinition extends ClusterScoped {
  /** Desired state of the CustomResourceDefinition: group, names, scope and versions of the kind. */
  spec: CustomResourceDefinitionSpec;
  /**
   * Observed state of the CustomResourceDefinition, set by the API server: conditions, accepted names and stored
   * versions.
   */
  status?: CustomResourceDefinitionStatus & Always;
}

/** Group, names, scope and versions of a custom kind. */
export interface CustomResourceDefinitionSpec {
  /**
   * API group of the kind, such as `example.com`. Must be a DNS subdomain with at least one dot, and the part of
   * `metadata.name` after the plural name.
   */
  group: string & Immutable;
  /**
   * Name of the only version. Defaults to the name of the first entry in `versions`; if `versions` is empty, it becomes
   * its only entry, served and stored.
   */
  version?: string & OmitZero & Deprecated<"use `versions` instead">;
  /**
   * Names of the kind and of its resource. `plural` cannot be changed, `kind` not after the definition is established.
   */
  names: CustomResourceDefinitionNames;
  /** Whether objects of the kind belong to a namespace. Cannot be changed after the definition is established. */
  scope: ResourceScope & Default<"Namespaced">;
  /** Schema of the objects of all versions. Use `versions[*].schema` where versions have different schemas. */
  validation?: CustomResourceValidation;
  /** Subresources of all versions. Use `versions[*].subresources` where versions have different ones. */
  subresources?: CustomResourceSubresources;
  /**
   * Versions of the kind. Exactly one must have `storage` set to `true`. Defaults to a single entry with the name in
   * `version`. A version that is listed in `status.storedVersions` cannot be removed.
   */
  versions?: ListAtomic<CustomResourceDefinitionVersion>;
  /**
   * Columns that `kubectl get` shows for objects of all versions. Use `versions[*].additionalPrinterColumns` where
   * versions have different columns. Defaults to a column with the age.
   */
  additionalPrinterColumns?: ListAtomic<CustomResourceColumnDefinition>;
  /**
   * Fields of all versions that clients may use in field selectors, besides `metadata.name` and `metadata.namespace`.
   * At most 8.
   */
  selectableFields?: ListAtomic<SelectableField> & Gated<"CustomResourceFieldSelectors">;
  /** How objects are converted between the versions of the kind. */
  conversion?: CustomResourceConversion & Default<{ strategy: "None" }>;
  /**
   * Whether fields without a schema are preserved everywhere in the objects. `false` removes them and needs a
   * structural schema in every served version. Defaults in schemas need `false`.
   */
  preserveUnknownFields?: boolean &
    Default<true> &
    Deprecated<"set `x-kubernetes-preserve-unknown-fields` in the schema instead">;
}

export type ResourceScope = Open<
  /** Objects exist once in the cluster and have no namespace. */
  | "Cluster"
  /** Every object belongs to a namespace and is deleted with it. */
  | "Namespaced"
>;

/** Names under which a custom kind is served. They must not be in use by another definition of the same group. */
export interface CustomResourceDefinitionNames {
  /**
   * Plural name of the resource, as used in URLs: `/apis/<group>/<version>/<plural>`. Must be a lowercase DNS label
   * (RFC 1035), and cannot be changed.
   */
  plural: string;
  /**
   * Singular name of the resource, accepted by kubectl. Must be a lowercase DNS label (RFC 1035). Defaults to `kind` in
   * lowercase.
   */
  singular?: string & OmitZero;
  /**
   * Short names that kubectl accepts for the resource, such as `po` for pods. Each must be a lowercase DNS label (RFC
   * 1035).
   */
  shortNames?: ListAtomic<string>;
  /**
   * Kind of the objects, in CamelCase and singular, such as `CronTab`. Cannot be changed after the definition is
   * established.
   */
  kind: string;
  /** Kind of lists of the objects. Must differ from `kind`. Defaults to `kind` followed by `List`. */
  listKind?: string & OmitZero;
  /**
   * Groups of resources that the resource belongs to, such as `all`: `kubectl get all` then lists it, too. Each must be
   * a lowercase DNS label (RFC 1035).
   */
  categories?: ListAtomic<string>;
}

/** Schema of the objects of a custom kind. */
export interface CustomResourceValidation {
  /**
   * Structural OpenAPI v3 schema of the objects. Its root must have the type `object`; `apiVersion`, `kind` and
   * `metadata` need not be declared.
   */
  openAPIV3Schema?: JSONSchemaProps;
}

/** Subresources of the objects of a custom kind. */
export interface CustomResourceSubresources {
  /**
   * Enables the subresource `/status`. It then is the only way to change `.status` of an object, and writes to it
   * change nothing else; writes to the object itself ignore `.status`, and only changes outside of `metadata` and
   * `status` increase `metadata.generation`.
   */
  status?: CustomResourceSubresourceStatus;
  /**
   * Enables the subresource `/scale`, by which `kubectl scale` and HorizontalPodAutoscalers change the number of
   * replicas.
   */
  scale?: CustomResourceSubresourceScale;
}

/** Enables the status subresource; it has no settings. Set it to `{}`. */
export type CustomResourceSubresourceStatus = EmptyStruct;

/**
 * Paths of the fields from which the subresource `/scale` is read and to which it is written. Paths are JSON paths in
 * dot notation, without array notation.
 */
export interface CustomResourceSubresourceScale {
  /**
   * Path of the integer field with the desired number of replicas. Must be below `.spec`, such as `.spec.replicas`.
   * Writes to `/scale` set this field.
   */
  specReplicasPath: string;
  /**
   * Path of the integer field with the observed number of replicas, which `/scale` shows as `status.replicas`. Must be
   * below `.status`, such as `.status.replicas`. Counts as 0 if the object does not have the field.
   */
  statusReplicasPath: string;
  /**
   * Path of the string field with the label selector of the pods, in the form `app=web,tier!=cache`, which `/scale`
   * shows as `status.selector`. Must be below `.spec` or `.status`. Needed for HorizontalPodAutoscalers, which find the
   * pods by it.
   */
  labelSelectorPath?: string;
}

/** Version of a custom kind, with the schema, subresources and columns of its objects. */
export interface CustomResourceDefinitionVersion {
  /**
   * Name of the version as used in URLs, such as `v1` or `v1beta1`. Must be a DNS label (RFC 1035) and unique in the
   * definition. Discovery lists stable versions before beta and alpha ones.
   */
  name: string;
  /** Whether the version is served. Set it to `false` to retire a version while objects are still stored in it. */
  served: boolean;
  /**
   * Whether objects are stored in this version. Exactly one version must have `true`. Changing it affects only objects
   * that are written afterwards.
   */
  storage: boolean;
  /** Whether requests for this version return a warning. Defaults to `false`. */
  deprecated?: boolean & OmitZero;
  /**
   * Text of the warning for a deprecated version. May only be set if `deprecated` is `true`; 1 to 256 printable
   * characters. Defaults to a message that names the version and the newest served version that is not deprecated.
   */
  deprecationWarning?: string;
  /**
   * Schema by which objects of this version are pruned, defaulted and validated. Required for served versions if
   * `preserveUnknownFields` is `false`. Leave it unset if all versions share `spec.validation`.
   */
  schema?: CustomResourceValidation;
  /**
   * Subresources that are served for objects of this version. Leave it unset if all versions share `spec.subresources`.
   */
  subresources?: CustomResourceSubresources;
  /**
   * Columns that `kubectl get` shows after the name. Leave it unset if all versions share
   * `spec.additionalPrinterColumns`.
   */
  additionalPrinterColumns?: ListAtomic<CustomResourceColumnDefinition>;
  /**
   * Fields that clients may use in field selectors. At most 8. Leave it unset if all versions share
   * `spec.selectableFields`.
   */
  selectableFields?: ListAtomic<SelectableField> & Gated<"CustomResourceFieldSelectors">;
}

/** Column that `kubectl get` shows for objects of a custom kind. */
export interface CustomResourceColumnDefinition {
  /** Heading of the column. */
  name: string;
  /**
   * Type of the cells: `string`, `integer`, `number`, `boolean` or `date`. Cells whose value does not have the type are
   * empty; a `date` is shown as the time since then.
   */
  type: string;
  /**
   * Hint for clients on how to show the cells: `int32`, `int64`, `float`, `double`, `byte`, `date`, `date-time` or
   * `password`. Optional.
   */
  format?: string & OmitZero;
  /** Human-readable description of the column. Defaults to a text with the path. */
  description?: string & OmitZero;
  /**
   * Importance of the column: 0 is always shown, columns with a higher number only in wide output (`-o wide`). Defaults
   * to 0.
   */
  priority?: Int32 & OmitZero;
  /** JSON path of the value in the object, such as `.spec.replicas`. Must begin with a dot. */
  JSONPath: string;
}

/** Field that clients may use in field selectors, such as `kubectl get --field-selector spec.color=red`. */
export interface SelectableField {
  /**
   * JSON path of the field, such as `.spec.color`. Must lead to a field of type string, boolean or integer in the
   * schema, not in `metadata` and not through an array.
   */
  jsonPath: string;
}

/** How objects of a custom kind are converted between its versions. */
export interface CustomResourceConversion {
  /** How objects are converted. */
  strategy: ConversionStrategyType;
  /**
   * Address of the conversion webhook and certificates to verify it with. Required if `strategy` is `Webhook`, and not
   * allowed otherwise.
   */
  webhookClientConfig?: WebhookClientConfig;
  /**
   * Versions of ConversionReview that the webhook understands, in order of preference. Must contain `v1` or `v1beta1`.
   * Defaults to `v1beta1` if `strategy` is `Webhook`, and is not allowed otherwise.
   */
  conversionReviewVersions?: ListAtomic<string>;
}

export type ConversionStrategyType = Open<
  /** Only `apiVersion` changes. Fields that the other version does not declare are removed. */
  | "None"
  /** A webhook converts. While it cannot be called, requests for a version other than the stored one fail. */
  | "Webhook"
>;

/** Address of a webhook and how its certificate is verified. */
export interface WebhookClientConfig {
  /**
   * URL of the webhook, `https` only, without user, query and fragment. Exactly one of `url` and `service` must be set.
   * Use `service` for a webhook that runs in the cluster.
   */
  url?: string;
  /** Service of the cluster through which the webhook is reached. Exactly one of `service` and `url` must be set. */
  service?: ServiceReference;
  /**
   * PEM-encoded CA certificates that verify the certificate of the webhook. Defaults to the system's CA certificates.
   */
  caBundle?: Bytes;
}

/** Service of the cluster behind which a webhook runs. */
export interface ServiceReference {
  /** Namespace of the Service. Required. */
  namespace: string;
  /** Name of the Service. Required. */
  name: string;
  /** URL path to which requests are sent, such as `/convert`. Must begin with `/`. */
  path?: string;
  /** Port of the Service that serves HTTPS. Must be between 1 and 65535. */
  port?: Int32 & Default<443>;
}

/** Observed state of a CustomResourceDefinition. */
export interface CustomResourceDefinitionStatus {
  /**
   * Conditions of the definition, set by the API server. Wait for `Established` before you create objects of the kind.
   */
  conditions?: ListMap<CustomResourceDefinitionCondition, "type"> & Always;
  /**
   * Names under which the kind is served. They differ from `spec.names` while a name is in use by another definition of
   * the group.
   */
  acceptedNames?: CustomResourceDefinitionNames & Always;
  /**
   * Versions in which objects may be stored: every version that ever was the storage version. To remove a version,
   * rewrite all objects in the storage version, remove the version here by the status subresource, then from
   * `spec.versions`.
   */
  storedVersions?: ListAtomic<string> & Always;
}

/** Condition of a CustomResourceDefinition. */
export interface CustomResourceDefinitionCondition {
  /** Type of the condition, such as `Established`. */
  type: CustomResourceDefinitionConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type CustomResourceDefinitionConditionType = Open<
  /** The kind is served. Once `True`, it stays so until the definition is deleted. */
  | "Established"
  /** All names in `spec.names` are free in the group and in use by this definition. */
  | "NamesAccepted"
  /** A schema is not structural, which only definitions created by `v1beta1` can have. */
  | "NonStructuralSchema"
  /** The definition is being deleted, and the objects of the kind with it. */
  | "Terminating"
  /** The group is reserved for Kubernetes, and the annotation `api-approved.kubernetes.io` links to an approval. */
  | "KubernetesAPIApprovalPolicyConformant"
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
