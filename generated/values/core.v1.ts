// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of core/v1.AppArmorProfileType. */
export const AppArmorProfileType: readonly string[] = ["Unconfined", "RuntimeDefault", "Localhost"];

/** All values of core/v1.AzureDataDiskCachingMode. */
export const AzureDataDiskCachingMode: readonly string[] = ["None", "ReadOnly", "ReadWrite"];

/** All values of core/v1.AzureDataDiskKind. */
export const AzureDataDiskKind: readonly string[] = ["Shared", "Dedicated", "Managed"];

/** All values of core/v1.ClaimResourceStatus. */
export const ClaimResourceStatus: readonly string[] = ["ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizePending", "NodeResizeInProgress", "NodeResizeInfeasible"];

/** The well-known values of core/v1.ComponentConditionType. */
export const ComponentConditionType: readonly string[] = ["Healthy"];

/** The well-known values of core/v1.ConditionStatus. */
export const ConditionStatus: readonly string[] = ["True", "False", "Unknown"];

/** The well-known values of core/v1.ContainerRestartPolicy. */
export const ContainerRestartPolicy: readonly string[] = ["Always"];

/** All values of core/v1.DNSPolicy. */
export const DNSPolicy: readonly string[] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/** The well-known values of core/v1.FinalizerName. */
export const FinalizerName: readonly string[] = ["kubernetes"];

/** All values of core/v1.HostPathType. */
export const HostPathType: readonly string[] = ["", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"];

/** All values of core/v1.IPFamily. */
export const IPFamily: readonly string[] = ["IPv4", "IPv6", ""];

/** All values of core/v1.IPFamilyPolicy. */
export const IPFamilyPolicy: readonly string[] = ["SingleStack", "PreferDualStack", "RequireDualStack"];

/** The well-known values of core/v1.LimitType. */
export const LimitType: readonly string[] = ["Pod", "Container", "PersistentVolumeClaim"];

/** The well-known values of core/v1.LoadBalancerIPMode. */
export const LoadBalancerIPMode: readonly string[] = ["VIP", "Proxy"];

/** All values of core/v1.MountPropagationMode. */
export const MountPropagationMode: readonly string[] = ["None", "HostToContainer", "Bidirectional"];

/** The well-known values of core/v1.NamespaceConditionType. */
export const NamespaceConditionType: readonly string[] = ["NamespaceDeletionDiscoveryFailure", "NamespaceDeletionContentFailure", "NamespaceDeletionGroupVersionParsingFailure", "NamespaceContentRemaining", "NamespaceFinalizersRemaining"];

/** All values of core/v1.NamespacePhase. */
export const NamespacePhase: readonly string[] = ["Active", "Terminating"];

/** The well-known values of core/v1.NodeAddressType. */
export const NodeAddressType: readonly string[] = ["Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"];

/** The well-known values of core/v1.NodeConditionType. */
export const NodeConditionType: readonly string[] = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"];

/** All values of core/v1.NodeInclusionPolicy. */
export const NodeInclusionPolicy: readonly string[] = ["Ignore", "Honor"];

/** All values of core/v1.NodePhase. */
export const NodePhase: readonly string[] = ["Pending", "Running", "Terminated"];

/** All values of core/v1.NodeSelectorOperator. */
export const NodeSelectorOperator: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

/** The well-known values of core/v1.OSName. */
export const OSName: readonly string[] = ["linux", "windows"];

/** All values of core/v1.PersistentVolumeAccessMode. */
export const PersistentVolumeAccessMode: readonly string[] = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"];

/** The well-known values of core/v1.PersistentVolumeClaimConditionType. */
export const PersistentVolumeClaimConditionType: readonly string[] = ["Resizing", "FileSystemResizePending", "ControllerResizeError", "NodeResizeError", "ModifyVolumeError", "ModifyingVolume"];

/** All values of core/v1.PersistentVolumeClaimModifyVolumeStatus. */
export const PersistentVolumeClaimModifyVolumeStatus: readonly string[] = ["Pending", "InProgress", "Infeasible"];

/** All values of core/v1.PersistentVolumeClaimPhase. */
export const PersistentVolumeClaimPhase: readonly string[] = ["Pending", "Bound", "Lost"];

/** All values of core/v1.PersistentVolumeMode. */
export const PersistentVolumeMode: readonly string[] = ["Block", "Filesystem"];

/** All values of core/v1.PersistentVolumePhase. */
export const PersistentVolumePhase: readonly string[] = ["Pending", "Available", "Bound", "Released", "Failed"];

/** All values of core/v1.PersistentVolumeReclaimPolicy. */
export const PersistentVolumeReclaimPolicy: readonly string[] = ["Recycle", "Delete", "Retain"];

/** The well-known values of core/v1.PodConditionType. */
export const PodConditionType: readonly string[] = ["ContainersReady", "Initialized", "Ready", "PodScheduled", "DisruptionTarget", "PodReadyToStartContainers", "PodResizePending", "PodResizeInProgress"];

/** All values of core/v1.PodFSGroupChangePolicy. */
export const PodFSGroupChangePolicy: readonly string[] = ["OnRootMismatch", "Always"];

/** All values of core/v1.PodPhase. */
export const PodPhase: readonly string[] = ["Pending", "Running", "Succeeded", "Failed", "Unknown"];

/** All values of core/v1.PodQOSClass. */
export const PodQOSClass: readonly string[] = ["Guaranteed", "Burstable", "BestEffort"];

/** The well-known values of core/v1.PodResizeStatus. */
export const PodResizeStatus: readonly string[] = ["InProgress", "Deferred", "Infeasible"];

/** The well-known values of core/v1.PodSELinuxChangePolicy. */
export const PodSELinuxChangePolicy: readonly string[] = ["Recursive", "MountOption"];

/** All values of core/v1.PreemptionPolicy. */
export const PreemptionPolicy: readonly string[] = ["PreemptLowerPriority", "Never"];

/** All values of core/v1.ProcMountType. */
export const ProcMountType: readonly string[] = ["Default", "Unmasked"];

/** All values of core/v1.Protocol. */
export const Protocol: readonly string[] = ["TCP", "UDP", "SCTP"];

/** All values of core/v1.PullPolicy. */
export const PullPolicy: readonly string[] = ["Always", "Never", "IfNotPresent"];

/** The well-known values of core/v1.RecursiveReadOnlyMode. */
export const RecursiveReadOnlyMode: readonly string[] = ["Disabled", "IfPossible", "Enabled"];

/** The well-known values of core/v1.ReplicationControllerConditionType. */
export const ReplicationControllerConditionType: readonly string[] = ["ReplicaFailure"];

/** The well-known values of core/v1.ResourceHealthStatus. */
export const ResourceHealthStatus: readonly string[] = ["Healthy", "Unhealthy", "Unknown"];

/** The well-known values of core/v1.ResourceName. */
export const ResourceName: readonly string[] = ["cpu", "memory", "storage", "ephemeral-storage", "pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers", "requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage"];

/** All values of core/v1.ResourceQuotaScope. */
export const ResourceQuotaScope: readonly string[] = ["Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity", "VolumeAttributesClass"];

/** The well-known values of core/v1.ResourceResizeRestartPolicy. */
export const ResourceResizeRestartPolicy: readonly string[] = ["NotRequired", "RestartContainer"];

/** All values of core/v1.RestartPolicy. */
export const RestartPolicy: readonly string[] = ["Always", "OnFailure", "Never"];

/** All values of core/v1.ScopeSelectorOperator. */
export const ScopeSelectorOperator: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];

/** All values of core/v1.SeccompProfileType. */
export const SeccompProfileType: readonly string[] = ["Unconfined", "RuntimeDefault", "Localhost"];

/** The well-known values of core/v1.SecretType. */
export const SecretType: readonly string[] = ["Opaque", "kubernetes.io/service-account-token", "kubernetes.io/dockercfg", "kubernetes.io/dockerconfigjson", "kubernetes.io/basic-auth", "kubernetes.io/ssh-auth", "kubernetes.io/tls", "bootstrap.kubernetes.io/token"];

/** All values of core/v1.ServiceAffinity. */
export const ServiceAffinity: readonly string[] = ["ClientIP", "None"];

/** All values of core/v1.ServiceExternalTrafficPolicy. */
export const ServiceExternalTrafficPolicy: readonly string[] = ["Cluster", "Local"];

/** All values of core/v1.ServiceInternalTrafficPolicy. */
export const ServiceInternalTrafficPolicy: readonly string[] = ["Cluster", "Local"];

/** All values of core/v1.ServiceType. */
export const ServiceType: readonly string[] = ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];

/** All values of core/v1.Signal. */
export const Signal: readonly string[] = ["SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGSEGV", "SIGSTKFLT", "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ", "SIGRTMIN", "SIGRTMIN+1", "SIGRTMIN+2", "SIGRTMIN+3", "SIGRTMIN+4", "SIGRTMIN+5", "SIGRTMIN+6", "SIGRTMIN+7", "SIGRTMIN+8", "SIGRTMIN+9", "SIGRTMIN+10", "SIGRTMIN+11", "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14", "SIGRTMIN+15", "SIGRTMAX-14", "SIGRTMAX-13", "SIGRTMAX-12", "SIGRTMAX-11", "SIGRTMAX-10", "SIGRTMAX-9", "SIGRTMAX-8", "SIGRTMAX-7", "SIGRTMAX-6", "SIGRTMAX-5", "SIGRTMAX-4", "SIGRTMAX-3", "SIGRTMAX-2", "SIGRTMAX-1", "SIGRTMAX"];

/** The well-known values of core/v1.StorageMedium. */
export const StorageMedium: readonly string[] = ["Memory", "HugePages", "HugePages-"];

/** All values of core/v1.SupplementalGroupsPolicy. */
export const SupplementalGroupsPolicy: readonly string[] = ["Merge", "Strict"];

/** All values of core/v1.TaintEffect. */
export const TaintEffect: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** All values of core/v1.TerminationMessagePolicy. */
export const TerminationMessagePolicy: readonly string[] = ["File", "FallbackToLogsOnError"];

/** All values of core/v1.TolerationOperator. */
export const TolerationOperator: readonly string[] = ["Exists", "Equal"];

/** All values of core/v1.URIScheme. */
export const URIScheme: readonly string[] = ["HTTP", "HTTPS"];

/** All values of core/v1.UnsatisfiableConstraintAction. */
export const UnsatisfiableConstraintAction: readonly string[] = ["DoNotSchedule", "ScheduleAnyway"];
