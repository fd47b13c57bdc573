// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of apps/v1.DaemonSetUpdateStrategyType. */
export const DaemonSetUpdateStrategyType: readonly string[] = ["RollingUpdate", "OnDelete"];

/** The well-known values of apps/v1.DeploymentConditionType. */
export const DeploymentConditionType: readonly string[] = ["Available", "Progressing", "ReplicaFailure"];

/** All values of apps/v1.DeploymentStrategyType. */
export const DeploymentStrategyType: readonly string[] = ["Recreate", "RollingUpdate"];

/** The well-known values of apps/v1.PersistentVolumeClaimRetentionPolicyType. */
export const PersistentVolumeClaimRetentionPolicyType: readonly string[] = ["Retain", "Delete"];

/** All values of apps/v1.PodManagementPolicyType. */
export const PodManagementPolicyType: readonly string[] = ["OrderedReady", "Parallel"];

/** The well-known values of apps/v1.ReplicaSetConditionType. */
export const ReplicaSetConditionType: readonly string[] = ["ReplicaFailure"];

/** All values of apps/v1.StatefulSetUpdateStrategyType. */
export const StatefulSetUpdateStrategyType: readonly string[] = ["RollingUpdate", "OnDelete"];
