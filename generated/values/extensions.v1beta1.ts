// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of extensions/v1beta1.DaemonSetUpdateStrategyType. */
export const DaemonSetUpdateStrategyType: readonly string[] = ["RollingUpdate", "OnDelete"];

/** The well-known values of extensions/v1beta1.DeploymentConditionType. */
export const DeploymentConditionType: readonly string[] = ["Available", "Progressing", "ReplicaFailure"];

/** The well-known values of extensions/v1beta1.DeploymentStrategyType. */
export const DeploymentStrategyType: readonly string[] = ["Recreate", "RollingUpdate"];

/** The well-known values of extensions/v1beta1.FSGroupStrategyType. */
export const FSGroupStrategyType: readonly string[] = ["MustRunAs", "RunAsAny"];

/** The well-known values of extensions/v1beta1.FSType. */
export const FSType: readonly string[] = ["azureFile", "flocker", "flexVolume", "hostPath", "emptyDir", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "secret", "nfs", "iscsi", "glusterfs", "persistentVolumeClaim", "rbd", "cinder", "cephFS", "downwardAPI", "fc", "configMap", "quobyte", "azureDisk", "csi", "*"];

/** The well-known values of extensions/v1beta1.PathType. */
export const PathType: readonly string[] = ["Exact", "Prefix", "ImplementationSpecific"];

/** The well-known values of extensions/v1beta1.PolicyType. */
export const PolicyType: readonly string[] = ["Ingress", "Egress"];

/** The well-known values of extensions/v1beta1.ReplicaSetConditionType. */
export const ReplicaSetConditionType: readonly string[] = ["ReplicaFailure"];

/** The well-known values of extensions/v1beta1.RunAsGroupStrategy. */
export const RunAsGroupStrategy: readonly string[] = ["MayRunAs", "MustRunAs", "RunAsAny"];

/** The well-known values of extensions/v1beta1.RunAsUserStrategy. */
export const RunAsUserStrategy: readonly string[] = ["MustRunAs", "MustRunAsNonRoot", "RunAsAny"];

/** The well-known values of extensions/v1beta1.SELinuxStrategy. */
export const SELinuxStrategy: readonly string[] = ["MustRunAs", "RunAsAny"];

/** The well-known values of extensions/v1beta1.SupplementalGroupsStrategyType. */
export const SupplementalGroupsStrategyType: readonly string[] = ["MustRunAs", "RunAsAny"];
