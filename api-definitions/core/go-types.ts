/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const CORE_GO_TYPES = {
  AWSElasticBlockStoreVolumeSource: "VolumeID string; FSType string; Partition int32; ReadOnly bool",
  Affinity: "NodeAffinity *NodeAffinity; PodAffinity *PodAffinity; PodAntiAffinity *PodAntiAffinity",
  AppArmorProfile: "Type AppArmorProfileType; LocalhostProfile *string",
  AppArmorProfileType: "= string",
  AzureDataDiskCachingMode: "= string",
  AzureDataDiskKind: "= string",
  AzureDiskVolumeSource: `
    DiskName string; DataDiskURI string diskURI; CachingMode *AzureDataDiskCachingMode; FSType *string;
    ReadOnly *bool; Kind *AzureDataDiskKind`,
  AzureFilePersistentVolumeSource: "SecretName string; ShareName string; ReadOnly bool; SecretNamespace *string",
  AzureFileVolumeSource: "SecretName string; ShareName string; ReadOnly bool",
  CSIPersistentVolumeSource: `
    Driver string; VolumeHandle string; ReadOnly bool; FSType string; VolumeAttributes map[string]string;
    ControllerPublishSecretRef *SecretReference; NodeStageSecretRef *SecretReference;
    NodePublishSecretRef *SecretReference; ControllerExpandSecretRef *SecretReference;
    NodeExpandSecretRef *SecretReference`,
  CSIVolumeSource: `
    Driver string; ReadOnly *bool; FSType *string; VolumeAttributes map[string]string;
    NodePublishSecretRef *LocalObjectReference`,
  Capabilities: "Add []Capability; Drop []Capability",
  Capability: "= string",
  CephFSPersistentVolumeSource: `
    Monitors []string; Path string; User string; SecretFile string; SecretRef *SecretReference; ReadOnly bool`,
  CephFSVolumeSource: `
    Monitors []string; Path string; User string; SecretFile string; SecretRef *LocalObjectReference; ReadOnly bool`,
  CinderPersistentVolumeSource: "VolumeID string; FSType string; ReadOnly bool; SecretRef *SecretReference",
  CinderVolumeSource: "VolumeID string; FSType string; ReadOnly bool; SecretRef *LocalObjectReference",
  ClusterTrustBundleProjection: `
    Name *string; SignerName *string; LabelSelector *v1.LabelSelector; Optional *bool; Path string`,
  ConditionStatus: "= string",
  ConfigMapEnvSource: "LocalObjectReference; Optional *bool",
  ConfigMapKeySelector: "LocalObjectReference; Key string; Optional *bool",
  ConfigMapNodeConfigSource: `
    Namespace string; Name string; UID types.UID; ResourceVersion string; KubeletConfigKey string`,
  ConfigMapProjection: "LocalObjectReference; Items []KeyToPath; Optional *bool",
  ConfigMapVolumeSource: "LocalObjectReference; Items []KeyToPath; DefaultMode *int32; Optional *bool",
  Container: `
    Name string; Image string; Command []string; Args []string; WorkingDir string; Ports []ContainerPort;
    EnvFrom []EnvFromSource; Env []EnvVar; Resources ResourceRequirements; ResizePolicy []ContainerResizePolicy;
    RestartPolicy *ContainerRestartPolicy; VolumeMounts []VolumeMount; VolumeDevices []VolumeDevice;
    LivenessProbe *Probe; ReadinessProbe *Probe; StartupProbe *Probe; Lifecycle *Lifecycle;
    TerminationMessagePath string; TerminationMessagePolicy TerminationMessagePolicy; ImagePullPolicy PullPolicy;
    SecurityContext *SecurityContext; Stdin bool; StdinOnce bool; TTY bool`,
  ContainerPort: "Name string; HostPort int32; ContainerPort int32; Protocol Protocol; HostIP string",
  ContainerResizePolicy: "ResourceName ResourceName; RestartPolicy ResourceResizeRestartPolicy",
  ContainerRestartPolicy: "= string",
  DNSPolicy: "= string",
  DownwardAPIProjection: "Items []DownwardAPIVolumeFile",
  DownwardAPIVolumeFile: `
    Path string; FieldRef *ObjectFieldSelector; ResourceFieldRef *ResourceFieldSelector; Mode *int32`,
  DownwardAPIVolumeSource: "Items []DownwardAPIVolumeFile; DefaultMode *int32",
  EmptyDirVolumeSource: "Medium StorageMedium; SizeLimit *resource.Quantity",
  EnvFromSource: "Prefix string; ConfigMapRef *ConfigMapEnvSource; SecretRef *SecretEnvSource",
  EnvVar: "Name string; Value string; ValueFrom *EnvVarSource",
  EnvVarSource: `
    FieldRef *ObjectFieldSelector; ResourceFieldRef *ResourceFieldSelector; ConfigMapKeyRef *ConfigMapKeySelector;
    SecretKeyRef *SecretKeySelector`,
  EphemeralContainer: "EphemeralContainerCommon; TargetContainerName string",
  EphemeralContainerCommon: `
    Name string; Image string; Command []string; Args []string; WorkingDir string; Ports []ContainerPort;
    EnvFrom []EnvFromSource; Env []EnvVar; Resources ResourceRequirements; ResizePolicy []ContainerResizePolicy;
    RestartPolicy *ContainerRestartPolicy; VolumeMounts []VolumeMount; VolumeDevices []VolumeDevice;
    LivenessProbe *Probe; ReadinessProbe *Probe; StartupProbe *Probe; Lifecycle *Lifecycle;
    TerminationMessagePath string; TerminationMessagePolicy TerminationMessagePolicy; ImagePullPolicy PullPolicy;
    SecurityContext *SecurityContext; Stdin bool; StdinOnce bool; TTY bool`,
  EphemeralVolumeSource: "VolumeClaimTemplate *PersistentVolumeClaimTemplate",
  EventSource: "Component string; Host string",
  ExecAction: "Command []string",
  FCVolumeSource: "TargetWWNs []string; Lun *int32; FSType string; ReadOnly bool; WWIDs []string",
  FlexPersistentVolumeSource: `
    Driver string; FSType string; SecretRef *SecretReference; ReadOnly bool; Options map[string]string`,
  FlexVolumeSource: `
    Driver string; FSType string; SecretRef *LocalObjectReference; ReadOnly bool; Options map[string]string`,
  FlockerVolumeSource: "DatasetName string; DatasetUUID string",
  GCEPersistentDiskVolumeSource: "PDName string; FSType string; Partition int32; ReadOnly bool",
  GRPCAction: "Port int32; Service *string",
  GitRepoVolumeSource: "Repository string; Revision string; Directory string",
  GlusterfsPersistentVolumeSource: `
    EndpointsName string endpoints; Path string; ReadOnly bool; EndpointsNamespace *string`,
  GlusterfsVolumeSource: "EndpointsName string endpoints; Path string; ReadOnly bool",
  HTTPGetAction: "Path string; Port intstr.IntOrString; Host string; Scheme URIScheme; HTTPHeaders []HTTPHeader",
  HTTPHeader: "Name string; Value string",
  HostAlias: "IP string; Hostnames []string",
  HostIP: "IP string",
  HostPathType: "= string",
  HostPathVolumeSource: "Path string; Type *HostPathType",
  ISCSIPersistentVolumeSource: `
    TargetPortal string; IQN string; Lun int32; ISCSIInterface string; FSType string; ReadOnly bool;
    Portals []string; DiscoveryCHAPAuth bool chapAuthDiscovery; SessionCHAPAuth bool chapAuthSession;
    SecretRef *SecretReference; InitiatorName *string`,
  ISCSIVolumeSource: `
    TargetPortal string; IQN string; Lun int32; ISCSIInterface string; FSType string; ReadOnly bool;
    Portals []string; DiscoveryCHAPAuth bool chapAuthDiscovery; SessionCHAPAuth bool chapAuthSession;
    SecretRef *LocalObjectReference; InitiatorName *string`,
  ImageVolumeSource: "Reference string; PullPolicy PullPolicy",
  KeyToPath: "Key string; Path string; Mode *int32",
  Lifecycle: "PostStart *LifecycleHandler; PreStop *LifecycleHandler; StopSignal *Signal",
  LifecycleHandler: "Exec *ExecAction; HTTPGet *HTTPGetAction; TCPSocket *TCPSocketAction; Sleep *SleepAction",
  LocalObjectReference: "Name string",
  LocalVolumeSource: "Path string; FSType *string",
  MountPropagationMode: "= string",
  NFSVolumeSource: "Server string; Path string; ReadOnly bool",
  NodeAddress: "Type NodeAddressType; Address string",
  NodeAddressType: "= string",
  NodeAffinity: `
    RequiredDuringSchedulingIgnoredDuringExecution *NodeSelector;
    PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm`,
  NodeConfigSource: "ConfigMap *ConfigMapNodeConfigSource",
  NodeInclusionPolicy: "= string",
  NodeSelector: "NodeSelectorTerms []NodeSelectorTerm",
  NodeSelectorOperator: "= string",
  NodeSelectorRequirement: "Key string; Operator NodeSelectorOperator; Values []string",
  NodeSelectorTerm: "MatchExpressions []NodeSelectorRequirement; MatchFields []NodeSelectorRequirement",
  OSName: "= string",
  ObjectFieldSelector: "APIVersion string; FieldPath string",
  ObjectReference: `
    Kind string; Namespace string; Name string; UID types.UID; APIVersion string; ResourceVersion string;
    FieldPath string`,
  PersistentVolumeAccessMode: "= string",
  PersistentVolumeClaimSpec: `
    AccessModes []PersistentVolumeAccessMode; Selector *v1.LabelSelector; Resources VolumeResourceRequirements;
    VolumeName string; StorageClassName *string; VolumeMode *PersistentVolumeMode;
    DataSource *TypedLocalObjectReference; DataSourceRef *TypedObjectReference; VolumeAttributesClassName *string`,
  PersistentVolumeClaimTemplate: "v1.ObjectMeta; Spec PersistentVolumeClaimSpec",
  PersistentVolumeClaimVolumeSource: "ClaimName string; ReadOnly bool",
  PersistentVolumeMode: "= string",
  PersistentVolumeReclaimPolicy: "= string",
  PersistentVolumeSource: `
    GCEPersistentDisk *GCEPersistentDiskVolumeSource; AWSElasticBlockStore *AWSElasticBlockStoreVolumeSource;
    HostPath *HostPathVolumeSource; Glusterfs *GlusterfsPersistentVolumeSource; NFS *NFSVolumeSource;
    RBD *RBDPersistentVolumeSource; Quobyte *QuobyteVolumeSource; ISCSI *ISCSIPersistentVolumeSource;
    FlexVolume *FlexPersistentVolumeSource; Cinder *CinderPersistentVolumeSource;
    CephFS *CephFSPersistentVolumeSource cephfs; FC *FCVolumeSource; Flocker *FlockerVolumeSource;
    AzureFile *AzureFilePersistentVolumeSource; VsphereVolume *VsphereVirtualDiskVolumeSource;
    AzureDisk *AzureDiskVolumeSource; PhotonPersistentDisk *PhotonPersistentDiskVolumeSource;
    PortworxVolume *PortworxVolumeSource; ScaleIO *ScaleIOPersistentVolumeSource; Local *LocalVolumeSource;
    StorageOS *StorageOSPersistentVolumeSource storageos; CSI *CSIPersistentVolumeSource`,
  PersistentVolumeSpec: `
    Capacity ResourceList; PersistentVolumeSource; AccessModes []PersistentVolumeAccessMode;
    ClaimRef *ObjectReference; PersistentVolumeReclaimPolicy PersistentVolumeReclaimPolicy; StorageClassName string;
    MountOptions []string; VolumeMode *PersistentVolumeMode; NodeAffinity *VolumeNodeAffinity;
    VolumeAttributesClassName *string`,
  PhotonPersistentDiskVolumeSource: "PdID string; FSType string",
  PodAffinity: `
    RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm;
    PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm`,
  PodAffinityTerm: `
    LabelSelector *v1.LabelSelector; Namespaces []string; TopologyKey string; NamespaceSelector *v1.LabelSelector;
    MatchLabelKeys []string; MismatchLabelKeys []string`,
  PodAntiAffinity: `
    RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm;
    PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm`,
  PodConditionType: "= string",
  PodDNSConfig: "Nameservers []string; Searches []string; Options []PodDNSConfigOption",
  PodDNSConfigOption: "Name string; Value *string",
  PodFSGroupChangePolicy: "= string",
  PodIP: "IP string",
  PodOS: "Name OSName",
  PodReadinessGate: "ConditionType PodConditionType",
  PodResourceClaim: "Name string; ResourceClaimName *string; ResourceClaimTemplateName *string",
  PodSELinuxChangePolicy: "= string",
  PodSchedulingGate: "Name string",
  PodSecurityContext: `
    HostNetwork bool ^hostNetwork; HostPID bool ^hostPID; HostIPC bool ^hostIPC;
    ShareProcessNamespace *bool ^shareProcessNamespace; HostUsers *bool ^hostUsers; SELinuxOptions *SELinuxOptions;
    WindowsOptions *WindowsSecurityContextOptions; RunAsUser *int64; RunAsGroup *int64; RunAsNonRoot *bool;
    SupplementalGroups []int64; SupplementalGroupsPolicy *SupplementalGroupsPolicy; FSGroup *int64;
    FSGroupChangePolicy *PodFSGroupChangePolicy; Sysctls []Sysctl; SeccompProfile *SeccompProfile;
    AppArmorProfile *AppArmorProfile; SELinuxChangePolicy *PodSELinuxChangePolicy`,
  PodSpec: `
    Volumes []Volume; InitContainers []Container; Containers []Container; EphemeralContainers []EphemeralContainer;
    RestartPolicy RestartPolicy; TerminationGracePeriodSeconds *int64; ActiveDeadlineSeconds *int64;
    DNSPolicy DNSPolicy; NodeSelector map[string]string; ServiceAccountName string;
    AutomountServiceAccountToken *bool; NodeName string; SecurityContext *PodSecurityContext!;
    ImagePullSecrets []LocalObjectReference; Hostname string; Subdomain string; SetHostnameAsFQDN *bool;
    Affinity *Affinity; SchedulerName string; Tolerations []Toleration; HostAliases []HostAlias;
    PriorityClassName string; Priority *int32; PreemptionPolicy *PreemptionPolicy; DNSConfig *PodDNSConfig;
    ReadinessGates []PodReadinessGate; RuntimeClassName *string; Overhead ResourceList; EnableServiceLinks *bool;
    TopologySpreadConstraints []TopologySpreadConstraint; OS *PodOS; SchedulingGates []PodSchedulingGate;
    ResourceClaims []PodResourceClaim; Resources *ResourceRequirements`,
  PodTemplateSpec: "v1.ObjectMeta; Spec PodSpec",
  PortworxVolumeSource: "VolumeID string; FSType string; ReadOnly bool",
  PreemptionPolicy: "= string",
  PreferredSchedulingTerm: "Weight int32; Preference NodeSelectorTerm",
  Probe: `
    ProbeHandler; InitialDelaySeconds int32; TimeoutSeconds int32; PeriodSeconds int32; SuccessThreshold int32;
    FailureThreshold int32; TerminationGracePeriodSeconds *int64`,
  ProbeHandler: "Exec *ExecAction; HTTPGet *HTTPGetAction; TCPSocket *TCPSocketAction; GRPC *GRPCAction",
  ProcMountType: "= string",
  ProjectedVolumeSource: "Sources []VolumeProjection; DefaultMode *int32",
  Protocol: "= string",
  PullPolicy: "= string",
  QuobyteVolumeSource: "Registry string; Volume string; ReadOnly bool; User string; Group string; Tenant string",
  RBDPersistentVolumeSource: `
    CephMonitors []string monitors; RBDImage string image; FSType string; RBDPool string pool;
    RadosUser string user; Keyring string; SecretRef *SecretReference; ReadOnly bool`,
  RBDVolumeSource: `
    CephMonitors []string monitors; RBDImage string image; FSType string; RBDPool string pool;
    RadosUser string user; Keyring string; SecretRef *LocalObjectReference; ReadOnly bool`,
  RecursiveReadOnlyMode: "= string",
  ResourceClaim: "Name string; Request string",
  ResourceFieldSelector: "ContainerName string; Resource string; Divisor resource.Quantity",
  ResourceList: "= map[ResourceName]resource.Quantity",
  ResourceName: "= string",
  ResourceQuotaScope: "= string",
  ResourceRequirements: "Limits ResourceList; Requests ResourceList; Claims []ResourceClaim",
  ResourceResizeRestartPolicy: "= string",
  RestartPolicy: "= string",
  SELinuxOptions: "User string; Role string; Type string; Level string",
  ScaleIOPersistentVolumeSource: `
    Gateway string; System string; SecretRef *SecretReference; SSLEnabled bool; ProtectionDomain string;
    StoragePool string; StorageMode string; VolumeName string; FSType string; ReadOnly bool`,
  ScaleIOVolumeSource: `
    Gateway string; System string; SecretRef *LocalObjectReference; SSLEnabled bool; ProtectionDomain string;
    StoragePool string; StorageMode string; VolumeName string; FSType string; ReadOnly bool`,
  ScopeSelector: "MatchExpressions []ScopedResourceSelectorRequirement",
  ScopeSelectorOperator: "= string",
  ScopedResourceSelectorRequirement: "ScopeName ResourceQuotaScope; Operator ScopeSelectorOperator; Values []string",
  SeccompProfile: "Type SeccompProfileType; LocalhostProfile *string",
  SeccompProfileType: "= string",
  SecretEnvSource: "LocalObjectReference; Optional *bool",
  SecretKeySelector: "LocalObjectReference; Key string; Optional *bool",
  SecretProjection: "LocalObjectReference; Items []KeyToPath; Optional *bool",
  SecretReference: "Name string; Namespace string",
  SecretVolumeSource: "SecretName string; Items []KeyToPath; DefaultMode *int32; Optional *bool",
  SecurityContext: `
    Capabilities *Capabilities; Privileged *bool; SELinuxOptions *SELinuxOptions;
    WindowsOptions *WindowsSecurityContextOptions; RunAsUser *int64; RunAsGroup *int64; RunAsNonRoot *bool;
    ReadOnlyRootFilesystem *bool; AllowPrivilegeEscalation *bool; ProcMount *ProcMountType;
    SeccompProfile *SeccompProfile; AppArmorProfile *AppArmorProfile`,
  ServiceAccountTokenProjection: "Audience string; ExpirationSeconds int64; Path string",
  ServicePort: `
    Name string; Protocol Protocol; AppProtocol *string; Port int32; TargetPort intstr.IntOrString; NodePort int32`,
  Signal: "= string",
  SleepAction: "Seconds int64",
  StorageMedium: "= string",
  StorageOSPersistentVolumeSource: `
    VolumeName string; VolumeNamespace string; FSType string; ReadOnly bool; SecretRef *ObjectReference`,
  StorageOSVolumeSource: `
    VolumeName string; VolumeNamespace string; FSType string; ReadOnly bool; SecretRef *LocalObjectReference`,
  SupplementalGroupsPolicy: "= string",
  Sysctl: "Name string; Value string",
  TCPSocketAction: "Port intstr.IntOrString; Host string",
  Taint: "Key string; Value string; Effect TaintEffect; TimeAdded *v1.Time",
  TaintEffect: "= string",
  TerminationMessagePolicy: "= string",
  Toleration: "Key string; Operator TolerationOperator; Value string; Effect TaintEffect; TolerationSeconds *int64",
  TolerationOperator: "= string",
  TopologySpreadConstraint: `
    MaxSkew int32; TopologyKey string; WhenUnsatisfiable UnsatisfiableConstraintAction;
    LabelSelector *v1.LabelSelector; MinDomains *int32; NodeAffinityPolicy *NodeInclusionPolicy;
    NodeTaintsPolicy *NodeInclusionPolicy; MatchLabelKeys []string`,
  TypedLocalObjectReference: "APIGroup *string; Kind string; Name string",
  TypedObjectReference: "APIGroup *string; Kind string; Name string; Namespace *string",
  URIScheme: "= string",
  UnsatisfiableConstraintAction: "= string",
  Volume: "Name string; VolumeSource",
  VolumeDevice: "Name string; DevicePath string",
  VolumeMount: `
    Name string; ReadOnly bool; RecursiveReadOnly *RecursiveReadOnlyMode; MountPath string; SubPath string;
    MountPropagation *MountPropagationMode; SubPathExpr string`,
  VolumeNodeAffinity: "Required *NodeSelector",
  VolumeProjection: `
    Secret *SecretProjection; DownwardAPI *DownwardAPIProjection; ConfigMap *ConfigMapProjection;
    ServiceAccountToken *ServiceAccountTokenProjection; ClusterTrustBundle *ClusterTrustBundleProjection`,
  VolumeResourceRequirements: "Limits ResourceList; Requests ResourceList",
  VolumeSource: `
    HostPath *HostPathVolumeSource; EmptyDir *EmptyDirVolumeSource;
    GCEPersistentDisk *GCEPersistentDiskVolumeSource; AWSElasticBlockStore *AWSElasticBlockStoreVolumeSource;
    GitRepo *GitRepoVolumeSource; Secret *SecretVolumeSource; NFS *NFSVolumeSource; ISCSI *ISCSIVolumeSource;
    Glusterfs *GlusterfsVolumeSource; PersistentVolumeClaim *PersistentVolumeClaimVolumeSource;
    RBD *RBDVolumeSource; Quobyte *QuobyteVolumeSource; FlexVolume *FlexVolumeSource; Cinder *CinderVolumeSource;
    CephFS *CephFSVolumeSource cephfs; Flocker *FlockerVolumeSource; DownwardAPI *DownwardAPIVolumeSource;
    FC *FCVolumeSource; AzureFile *AzureFileVolumeSource; ConfigMap *ConfigMapVolumeSource;
    VsphereVolume *VsphereVirtualDiskVolumeSource; AzureDisk *AzureDiskVolumeSource;
    PhotonPersistentDisk *PhotonPersistentDiskVolumeSource; Projected *ProjectedVolumeSource;
    PortworxVolume *PortworxVolumeSource; ScaleIO *ScaleIOVolumeSource; StorageOS *StorageOSVolumeSource storageos;
    CSI *CSIVolumeSource; Ephemeral *EphemeralVolumeSource; Image *ImageVolumeSource`,
  VsphereVirtualDiskVolumeSource: "VolumePath string; FSType string; StoragePolicyName string; StoragePolicyID string",
  WeightedPodAffinityTerm: "Weight int32; PodAffinityTerm PodAffinityTerm",
  WindowsSecurityContextOptions: `
    GMSACredentialSpecName *string; GMSACredentialSpec *string; RunAsUserName *string; HostProcess *bool`,
} as const;
