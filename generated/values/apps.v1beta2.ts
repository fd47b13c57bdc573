// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of apps/v1beta2.DaemonSetUpdateStrategyType. */
export const DaemonSetUpdateStrategyType: readonly string[] = ["RollingUpdate", "OnDelete"];

/** The well-known values of apps/v1beta2.DeploymentConditionType. */
export const DeploymentConditionType: readonly string[] = ["Available", "Progressing", "ReplicaFailure"];

/** The well-known values of apps/v1beta2.DeploymentStrategyType. */
export const DeploymentStrategyType: readonly string[] = ["Recreate", "RollingUpdate"];

/** The well-known values of apps/v1beta2.PersistentVolumeClaimRetentionPolicyType. */
export const PersistentVolumeClaimRetentionPolicyType: readonly string[] = ["Retain", "Delete"];

/** The well-known values of apps/v1beta2.PodManagementPolicyType. */
export const PodManagementPolicyType: readonly string[] = ["OrderedReady", "Parallel"];

/** The well-known values of apps/v1beta2.ReplicaSetConditionType. */
export const ReplicaSetConditionType: readonly string[] = ["ReplicaFailure"];

/** The well-known values of apps/v1beta2.StatefulSetUpdateStrategyType. */
export const StatefulSetUpdateStrategyType: readonly string[] = ["RollingUpdate", "OnDelete"];
