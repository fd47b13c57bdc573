import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";

type Arranger = (value: Parsed, random: Random) => void;

const LABELS = { app: "a" };

/** Keeps the union member that the discriminator names, and fields that are not members. */
const discriminated =
  (by: string, members: Readonly<Record<string, string>>): Arranger =>
  (value) => {
    for (const [choice, member] of Object.entries(members)) if (value[by] !== choice) delete value[member];
  };

const withTemplate: Arranger = (value) => {
  value.template ??= { spec: { containers: [{ name: "a", image: "b" }] } };
  value.selector = { matchLabels: LABELS };
  value.template.metadata = {
    ...value.template.metadata,
    labels: { ...LABELS, ...value.template.metadata?.labels, app: "a" },
  };
  delete value.template.metadata.finalizers;
  value.template.spec.restartPolicy = "Always";
  delete value.template.spec.activeDeadlineSeconds;
  delete value.template.spec.ephemeralContainers;
};

const withoutValues: Arranger = (value) => {
  if (/Exist/.test(value.operator)) delete value.values;
  else value.values ??= ["a"];
  if (value.operator === "Gt" || value.operator === "Lt") value.values = ["5"];
};

const withoutValue: Arranger = (value) => {
  if (value.operator === "Exists") delete value.value;
  else value.key ??= "a";
  if (value.effect !== "NoExecute") delete value.tolerationSeconds;
  if (value.operator !== "Exists" && value.operator !== undefined) value.value ??= "a";
};

const limitsAboveRequests: Arranger = (value) => {
  if (value.limits !== undefined && value.requests !== undefined) value.requests = { ...value.limits };
};

/** Functions that make the fields of a struct consistent, by its name. */
const ARRANGERS: Readonly<Record<string, Arranger>> = {
  DeploymentSpec: withTemplate,
  ReplicaSetSpec: withTemplate,
  DaemonSetSpec: withTemplate,
  StatefulSetSpec: withTemplate,
  ReplicationControllerSpec: (value, random) => {
    withTemplate(value, random);
    value.selector = LABELS;
  },
  JobSpec: (value, random) => {
    delete value.selector;
    delete value.manualSelector;
    delete value.template.spec.ephemeralContainers;
    value.template.spec.restartPolicy =
      value.podFailurePolicy === undefined ? random.pick(["Never", "OnFailure"]) : "Never";
    if (value.completionMode !== "Indexed") {
      for (const name of ["backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"]) delete value[name];
      return;
    }
    value.completions ??= 2;
    if (value.backoffLimitPerIndex === undefined) delete value.maxFailedIndexes;
    if (value.podFailurePolicy !== undefined) value.podReplacementPolicy = "Failed";
  },
  PodSpec: arrangePod,
  Container: arrangeContainer,
  EphemeralContainerCommon: arrangeContainer,
  EphemeralContainer: (value) => {
    for (const name of [
      "ports",
      "resources",
      "lifecycle",
      "livenessProbe",
      "readinessProbe",
      "startupProbe",
      "resizePolicy",
      "restartPolicy",
    ])
      delete value[name];
  },
  ResourceRequirements: (value, random) => {
    limitsAboveRequests(value, random);
    delete value.claims;
  },
  VolumeResourceRequirements: (value) => {
    value.requests ??= { storage: "1Gi" };
  },
  NodeSelectorRequirement: withoutValues,
  LabelSelectorRequirement: withoutValues,
  ScopedResourceSelectorRequirement: withoutValues,
  Toleration: withoutValue,
  DeviceToleration: withoutValue,
  SeccompProfile: (value) => localhost(value),
  AppArmorProfile: (value) => localhost(value),
  DeploymentStrategy: discriminated("type", { RollingUpdate: "rollingUpdate" }),
  DaemonSetUpdateStrategy: discriminated("type", { RollingUpdate: "rollingUpdate" }),
  StatefulSetUpdateStrategy: discriminated("type", { RollingUpdate: "rollingUpdate" }),
  RollingUpdateDeployment: (value) => {
    if (value.maxUnavailable === 0) delete value.maxSurge;
  },
  MetricSpec: arrangeMetric,
  MetricStatus: arrangeMetric,
  // Conversions of autoscaling/v1 keep absent values, which Kubernetes loses.
  MetricValueStatus: (value) => {
    value.averageValue ??= "10";
  },
  MetricTarget: (value) => {
    const member =
      { Utilization: "averageUtilization", Value: "value", AverageValue: "averageValue" }[value.type as string] ??
      "value";
    const filled = { type: value.type, [member]: value[member] ?? (member === "averageUtilization" ? 50 : "10") };
    for (const name of Object.keys(value)) delete value[name];
    Object.assign(value, filled);
  },
  Subject: (value, random) => {
    // Kinds of subjects in flow control or RBAC.
    const kind = random.pick(["User", "Group", "ServiceAccount"]);
    if (value.apiGroup === undefined && value.namespace === undefined && value.name === undefined) {
      value.kind = kind;
      for (const name of ["user", "group"]) delete value[name];
      const member = { User: "user", Group: "group", ServiceAccount: "serviceAccount" }[kind] as string;
      const named = { name: "a", ...(kind === "ServiceAccount" && { namespace: "default" }) };
      value[member] = { ...named, ...value[member] };
      if (kind !== "ServiceAccount") delete value.serviceAccount;
      return;
    }
    value.kind = kind;
    if (kind === "ServiceAccount") {
      delete value.apiGroup;
      value.namespace = "default";
      return;
    }
    delete value.namespace;
    if (value.apiGroup !== undefined) value.apiGroup = "rbac.authorization.k8s.io";
  },
  Mutation: discriminated("patchType", { ApplyConfiguration: "applyConfiguration", JSONPatch: "jsonPatch" }),
  VolumeAttachmentSource: (value) => {
    const csi = { driver: "driver.example.com", volumeHandle: "vol-1", ...value.inlineVolumeSpec?.csi };
    if (value.inlineVolumeSpec !== undefined) value.inlineVolumeSpec = { accessModes: ["ReadWriteOnce"], csi };
  },
  ObjectFieldSelector: (value) => {
    if (value.apiVersion !== undefined) value.apiVersion = "v1";
  },
  FlockerVolumeSource: (value) => {
    if (value.datasetUUID !== undefined) delete value.datasetName;
    else value.datasetName = "data";
  },
  ClusterRoleBinding: (value) => {
    value.roleRef.kind = "ClusterRole";
  },
  IngressSpec: (value) => {
    if (value.rules === undefined) value.defaultBackend ??= { service: { name: "a", port: { number: 80 } } };
  },
  PodTemplate: (value) => {
    value.template ??= { spec: { containers: [{ name: "a", image: "b" }] } };
  },
  VolumeAttributesClass: (value) => {
    value.parameters ??= { a: "b" };
  },
  ClusterTrustBundleSpec: (value) => {
    delete value.signerName;
  },
  LimitResponse: discriminated("type", { Queue: "queuing" }),
  PriorityLevelConfigurationSpec: (value, random) => {
    discriminated("type", { Limited: "limited", Exempt: "exempt" })(value, undefined as never);
    if (value.type === "Exempt" && random.chance(0.9)) value.type = "Limited";
    if (value.type === "Limited") value.limited ??= { limitResponse: { type: "Reject" } };
  },
  Event: (value) => {
    for (const name of Object.keys(value)) if (name.startsWith("deprecated")) delete value[name];
    if (value.eventTime !== undefined) {
      for (const name of ["firstTimestamp", "lastTimestamp", "count", "source"]) delete value[name];
      Object.assign(value, { action: "A", reason: "R", type: "Normal" });
      if (value.regarding !== undefined || value.note !== undefined)
        Object.assign(value, { reportingController: "example.com/c", reportingInstance: "i" });
      else if (value.involvedObject !== undefined)
        Object.assign(value, { reportingComponent: "example.com/c", reportingInstance: "i" });
    }
    for (const name of ["regarding", "involvedObject"])
      if (value[name] !== undefined) value[name].namespace = "default";
    if (value.series !== undefined) value.series.count = 2;
  },
  RuleWithOperations: fullRule,
  NamedRuleWithOperations: fullRule,
  ResourcePolicyRule: (value) => {
    if (value.namespaces === undefined) value.clusterScope = true;
  },
  ServiceSpec: arrangeService,
  LimitRangeItem: (value) => {
    for (const name of ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"]) {
      if (value.type === "Pod" && name.startsWith("default")) delete value[name];
    }
    if (value.type === "PersistentVolumeClaim") value.min = { storage: "1Gi" };
    if (value.min !== undefined && value.max !== undefined) value.max = { ...value.min };
    if (value.max !== undefined || value.min !== undefined) {
      delete value.default;
      delete value.defaultRequest;
    }
    delete value.maxLimitRequestRatio;
  },
  PersistentVolumeSpec: (value) => {
    value.capacity ??= { storage: "1Gi" };
    if (value.csi === undefined) delete value.volumeAttributesClassName;
    value.accessModes ??= ["ReadWriteOnce"];
    if (value.local !== undefined)
      value.nodeAffinity = {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] },
      };
  },
  PersistentVolumeClaimSpec: (value) => {
    value.accessModes ??= ["ReadWriteOnce"];
    value.resources = { requests: { storage: "1Gi" }, ...value.resources };
    if (value.dataSource !== undefined) delete value.dataSourceRef;
  },
  NodeSelectorTerm: (value) => {
    for (const each of value.matchFields ?? [])
      Object.assign(each, { key: "metadata.name", operator: "In", values: ["a"] });
    for (const each of value.matchExpressions ?? []) if (each.key === "metadata.name") each.key = "a";
  },
  TopologySpreadConstraint: (value) => {
    if (value.whenUnsatisfiable !== "DoNotSchedule") delete value.minDomains;
    if (value.matchLabelKeys !== undefined) value.labelSelector ??= { matchLabels: LABELS };
  },
  EndpointSlice: (value, random) => {
    const [address, other] = value.addressType === "IPv6" ? ["2001:db8::1", "2001:db8::2"] : ["10.1.2.3", "10.1.2.4"];
    const addresses = value.addressType === "FQDN" ? ["a.example.com"] : random.pick([[address], [address, other]]);
    for (const endpoint of value.endpoints) endpoint.addresses = addresses;
    for (const port of value.ports ?? []) port.protocol ??= "TCP";
  },
  HTTPIngressPath: (value) => {
    if (value.pathType !== "ImplementationSpecific") value.path = "/a";
  },
  NetworkPolicyPort: (value) => {
    if (typeof value.port !== "number") delete value.endPort;
  },
  PodFailurePolicyRule: (value) => {
    if (value.action === "FailIndex") value.action = "FailJob";
  },
  PodFailurePolicyOnExitCodesRequirement: (value) => {
    delete value.containerName;
  },
  WindowsSecurityContextOptions: (value) => {
    delete value.hostProcess;
  },
  IngressClassParametersReference: (value) => {
    if (value.scope === "Namespace") value.namespace = "default";
    else delete value.namespace;
  },
  ExactDeviceRequest: (value) => {
    if (value.allocationMode === "All") delete value.count;
    delete value.adminAccess;
  },
  ResourceSliceSpec: (value) => {
    for (const name of ["nodeSelector", "allNodes", "perDeviceNodeSelection"])
      if (value.nodeName !== undefined) delete value[name];
    if (value.nodeName === undefined && value.nodeSelector === undefined) value.allNodes = true;
    else delete value.allNodes;
    delete value.perDeviceNodeSelection;
  },
};

function fullRule(value: Parsed): void {
  value.operations ??= ["CREATE"];
  value.apiGroups ??= [""];
  value.apiVersions ??= ["v1"];
  value.resources ??= ["pods"];
}

export function arranged(random: Random, type: string, value: Parsed): Parsed {
  ARRANGERS[type]?.(value, random);
  return value;
}

function localhost(value: Parsed): void {
  if (value.type === "Localhost") value.localhostProfile ??= "a";
  else delete value.localhostProfile;
}

function arrangeMetric(value: Parsed): void {
  const member = (value.type as string).replace(/^./, (first) => first.toLowerCase());
  for (const name of Object.keys(value)) if (name !== "type" && name !== member) delete value[name];
  const named = { Object: "object", Pods: "pods", External: "external" }[value.type as string];
  const target = { type: "AverageValue", averageValue: "10" };
  value[member] ??=
    named === undefined
      ? { name: "cpu", container: "a", target }
      : { metric: { name: "m" }, target, describedObject: { kind: "Service", name: "a" } };
  if (member === "resource") delete value[member].container;
}

function arrangePod(value: Parsed, random: Random): void {
  const named = (all: Parsed[] | undefined, prefix: string) => {
    for (const [index, each] of (all ?? []).entries()) each.name = `${prefix}${index}`;
  };
  named(value.containers, "c");
  named(value.initContainers, "i");
  named(value.ephemeralContainers, "e");
  for (const each of value.containers) delete each.restartPolicy;
  for (const each of value.initContainers ?? []) {
    if (each.restartPolicy === undefined)
      for (const name of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]) delete each[name];
  }
  const volumes = (value.volumes ?? []).map(({ name }: Parsed) => name) as string[];
  const blocks = (value.volumes ?? [])
    .filter((each: Parsed) => each.persistentVolumeClaim !== undefined)
    .map(({ name }: Parsed) => name);
  const hasHost = random.chance(0.1);
  for (const each of [...value.containers, ...(value.initContainers ?? []), ...(value.ephemeralContainers ?? [])]) {
    for (const mount of each.volumeMounts ?? []) mount.name = volumes[0];
    if (volumes.length === 0) delete each.volumeMounts;
    for (const device of each.volumeDevices ?? []) device.name = blocks[0];
    if (blocks.length === 0 || each.volumeMounts !== undefined) delete each.volumeDevices;
    for (const port of each.ports ?? []) if (!hasHost) delete port.hostPort;
    if (each.resizePolicy !== undefined)
      each.resizePolicy = each.resizePolicy.filter(({ resourceName }: Parsed) => /cpu|memory/.test(resourceName));
  }
  if (!random.chance(0.2)) delete value.hostNetwork;
  if (value.hostNetwork === true)
    for (const each of value.containers) for (const port of each.ports ?? []) port.hostPort = port.containerPort;
  delete value.priority;
  delete value.preemptionPolicy;
  if (value.hostUsers === false) for (const name of ["hostPID", "hostIPC", "hostNetwork"]) delete value[name];
  delete value.priorityClassName;
  delete value.runtimeClassName;
  delete value.overhead;
  if (value.setHostnameAsFQDN === true && value.hostNetwork === true) delete value.setHostnameAsFQDN;
  if (value.shareProcessNamespace === true) delete value.hostPID;
  if (value.dnsPolicy === "None") value.dnsConfig = { nameservers: ["10.1.2.3"] };
  if (value.nodeName !== undefined) delete value.schedulingGates;
  if (value.serviceAccount !== undefined) value.serviceAccountName = value.serviceAccount;
  if (value.os?.name === "windows" && random.chance(0.7)) delete value.os;
  if (value.os?.name === "linux") delete value.securityContext?.windowsOptions;
}

function arrangeContainer(value: Parsed): void {
  value.image ??= "registry.invalid/a:1";
  for (const probe of [value.livenessProbe, value.startupProbe]) if (probe !== undefined) delete probe.successThreshold;
  delete value.readinessProbe?.terminationGracePeriodSeconds;
  const context = value.securityContext;
  if (context?.privileged === true) delete context.allowPrivilegeEscalation;
  if (context?.procMount !== undefined) context.procMount = "Default";
  for (const mount of value.volumeMounts ?? []) {
    if (mount.subPath !== undefined) delete mount.subPathExpr;
    delete mount.mountPropagation;
    if (mount.recursiveReadOnly !== undefined && mount.readOnly !== true) delete mount.recursiveReadOnly;
  }
  for (const port of value.ports ?? []) delete port.hostIP;
  if (value.lifecycle !== undefined) delete value.lifecycle.stopSignal;
}

function arrangeService(value: Parsed, random: Random): void {
  value.ports ??= [{ name: "http", port: 80 }];
  for (const [index, port] of value.ports.entries())
    Object.assign(port, { name: `p${index}`, port: 80 + index, nodePort: undefined });
  if (value.sessionAffinity !== "ClientIP") delete value.sessionAffinityConfig;
  delete value.healthCheckNodePort;
  delete value.clusterIPs;
  if (value.type === "ExternalName") {
    value.externalName = "example.com";
    for (const name of [
      "internalTrafficPolicy",
      "clusterIP",
      "ipFamilies",
      "ipFamilyPolicy",
      "externalTrafficPolicy",
      "loadBalancerClass",
      "loadBalancerSourceRanges",
      "allocateLoadBalancerNodePorts",
      "sessionAffinity",
      "sessionAffinityConfig",
    ])
      delete value[name];
    return;
  }
  if (value.type !== "LoadBalancer")
    for (const name of [
      "loadBalancerClass",
      "loadBalancerSourceRanges",
      "loadBalancerIP",
      "allocateLoadBalancerNodePorts",
    ])
      delete value[name];
  if (value.type !== "LoadBalancer" && value.type !== "NodePort") delete value.externalTrafficPolicy;
  else delete value.clusterIP;
  if (value.ipFamilyPolicy !== "SingleStack") value.ipFamilyPolicy = random.pick([undefined, "PreferDualStack"]);
}
