// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of policy/v1beta1.FSGroupStrategyType. */
export const FSGroupStrategyType: readonly string[] = ["MayRunAs", "MustRunAs", "RunAsAny"];

/** The well-known values of policy/v1beta1.FSType. */
export const FSType: readonly string[] = ["azureFile", "flocker", "flexVolume", "hostPath", "emptyDir", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "secret", "nfs", "iscsi", "glusterfs", "persistentVolumeClaim", "rbd", "cinder", "cephFS", "downwardAPI", "fc", "configMap", "vsphereVolume", "quobyte", "azureDisk", "photonPersistentDisk", "storageos", "projected", "portworxVolume", "scaleIO", "csi", "ephemeral", "*"];

/** The well-known values of policy/v1beta1.RunAsGroupStrategy. */
export const RunAsGroupStrategy: readonly string[] = ["MayRunAs", "MustRunAs", "RunAsAny"];

/** The well-known values of policy/v1beta1.RunAsUserStrategy. */
export const RunAsUserStrategy: readonly string[] = ["MustRunAs", "MustRunAsNonRoot", "RunAsAny"];

/** The well-known values of policy/v1beta1.SELinuxStrategy. */
export const SELinuxStrategy: readonly string[] = ["MustRunAs", "RunAsAny"];

/** The well-known values of policy/v1beta1.SupplementalGroupsStrategyType. */
export const SupplementalGroupsStrategyType: readonly string[] = ["MayRunAs", "MustRunAs", "RunAsAny"];

/** All values of policy/v1beta1.UnhealthyPodEvictionPolicyType. */
export const UnhealthyPodEvictionPolicyType: readonly string[] = ["IfHealthyBudget", "AlwaysAllow"];
