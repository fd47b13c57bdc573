// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of apiextensions/v1beta1.ConditionStatus. */
export const ConditionStatus: readonly string[] = ["True", "False", "Unknown"];

/** The well-known values of apiextensions/v1beta1.ConversionStrategyType. */
export const ConversionStrategyType: readonly string[] = ["None", "Webhook"];

/** The well-known values of apiextensions/v1beta1.CustomResourceDefinitionConditionType. */
export const CustomResourceDefinitionConditionType: readonly string[] = ["Established", "NamesAccepted", "NonStructuralSchema", "Terminating", "KubernetesAPIApprovalPolicyConformant"];

/** All values of apiextensions/v1beta1.FieldValueErrorReason. */
export const FieldValueErrorReason: readonly string[] = ["FieldValueRequired", "FieldValueDuplicate", "FieldValueInvalid", "FieldValueForbidden"];

/** The well-known values of apiextensions/v1beta1.ResourceScope. */
export const ResourceScope: readonly string[] = ["Cluster", "Namespaced"];
