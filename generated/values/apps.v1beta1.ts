// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of apps/v1beta1.DeploymentConditionType. */
export const DeploymentConditionType: readonly string[] = ["Available", "Progressing", "ReplicaFailure"];

/** The well-known values of apps/v1beta1.DeploymentStrategyType. */
export const DeploymentStrategyType: readonly string[] = ["Recreate", "RollingUpdate"];

/** The well-known values of apps/v1beta1.PersistentVolumeClaimRetentionPolicyType. */
export const PersistentVolumeClaimRetentionPolicyType: readonly string[] = ["Retain", "Delete"];

/** The well-known values of apps/v1beta1.PodManagementPolicyType. */
export const PodManagementPolicyType: readonly string[] = ["OrderedReady", "Parallel"];

/** The well-known values of apps/v1beta1.ReplicaSetConditionType. */
export const ReplicaSetConditionType: readonly string[] = ["ReplicaFailure"];

/** The well-known values of apps/v1beta1.StatefulSetUpdateStrategyType. */
export const StatefulSetUpdateStrategyType: readonly string[] = ["RollingUpdate", "OnDelete"];
