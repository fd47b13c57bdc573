import type { AdmissionPlugin } from "../contract/admission.ts";
import type { PluginEnvironment } from "./plugin-environment.ts";
import type { PluginSettings } from "./plugin-settings.ts";

type CreatePlugin = (environment: PluginEnvironment) => AdmissionPlugin;

/** A plugin, loaded for the first request that it handles. */
export interface PluginRow {
  /** Plural names of the resources that it handles, in any group; all resources if undefined. */
  readonly concerns?: readonly string[];
  /** The kind of Kubernetes without which the plugin has no function, with its group without domain. Undefined if it needs none. */
  readonly needs?: { readonly group: string; readonly resource: string };
  /** The setting without which the plugin cannot run. */
  readonly requires?: keyof PluginSettings;
  readonly load: () => Promise<CreatePlugin>;
}

const PODS = { group: "", resource: "pods" };
const CERTIFICATES = { group: "certificates", resource: "certificatesigningrequests" };
const CLAIMS = { group: "", resource: "persistentvolumeclaims" };

const TABLE: Readonly<Record<string, PluginRow>> = {
  AlwaysAdmit: { load: async () => always((await import("./plugins/fixed.ts")).alwaysAdmit) },
  AlwaysDeny: { load: async () => always((await import("./plugins/fixed.ts")).alwaysDeny) },
  AlwaysPullImages: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => always((await import("./plugins/always-pull-images.ts")).alwaysPullImages),
  },
  CertificateApproval: {
    concerns: ["certificatesigningrequests"],
    needs: CERTIFICATES,
    load: async () => (await import("./plugins/certificate-approval.ts")).createCertificateApproval,
  },
  CertificateSigning: {
    concerns: ["certificatesigningrequests"],
    needs: CERTIFICATES,
    load: async () => (await import("./plugins/certificate-signing.ts")).createCertificateSigning,
  },
  CertificateSubjectRestriction: {
    concerns: ["certificatesigningrequests"],
    needs: CERTIFICATES,
    load: async () =>
      (await import("./plugins/certificate-subject-restriction.ts")).createCertificateSubjectRestriction,
  },
  ClusterTrustBundleAttest: {
    concerns: ["clustertrustbundles"],
    needs: { group: "certificates", resource: "clustertrustbundles" },
    load: async () => (await import("./plugins/cluster-trust-bundle-attest.ts")).createClusterTrustBundleAttest,
  },
  DefaultIngressClass: {
    concerns: ["ingresses"],
    needs: { group: "networking", resource: "ingresses" },
    load: async () => (await import("./plugins/default-ingress-class.ts")).createDefaultIngressClass,
  },
  DefaultStorageClass: {
    concerns: ["persistentvolumeclaims"],
    needs: CLAIMS,
    load: async () => (await import("./plugins/default-storage-class.ts")).createDefaultStorageClass,
  },
  DefaultTolerationSeconds: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => (await import("./plugins/default-toleration-seconds.ts")).createDefaultTolerationSeconds,
  },
  DenyServiceExternalIPs: {
    concerns: ["services"],
    needs: { group: "", resource: "services" },
    load: async () => always((await import("./plugins/deny-service-external-ips.ts")).denyServiceExternalIPs),
  },
  EventRateLimit: {
    concerns: ["events"],
    requires: "eventRateLimits",
    load: async () => (await import("./plugins/event-rate-limit.ts")).createEventRateLimit,
  },
  ExtendedResourceToleration: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => (await import("./plugins/extended-resource-toleration.ts")).createExtendedResourceToleration,
  },
  ImagePolicyWebhook: {
    concerns: ["pods"],
    needs: PODS,
    requires: "imagePolicy",
    load: async () => (await import("./plugins/image-policy-webhook.ts")).createImagePolicyWebhook,
  },
  LimitPodHardAntiAffinityTopology: {
    concerns: ["pods"],
    needs: PODS,
    load: async () =>
      (await import("./plugins/limit-pod-hard-anti-affinity-topology.ts")).createLimitPodHardAntiAffinityTopology,
  },
  LimitRanger: {
    concerns: ["pods", "persistentvolumeclaims"],
    needs: { group: "", resource: "limitranges" },
    load: async () => (await import("./plugins/limit-ranger.ts")).createLimitRanger,
  },
  NamespaceAutoProvision: {
    load: async () => (await import("./plugins/namespace-presence.ts")).createNamespaceAutoProvision,
  },
  NamespaceExists: { load: async () => (await import("./plugins/namespace-presence.ts")).createNamespaceExists },
  NamespaceLifecycle: { load: async () => (await import("./plugins/namespace-lifecycle.ts")).createNamespaceLifecycle },
  NodeRestriction: {
    needs: { group: "", resource: "nodes" },
    load: async () => (await import("./plugins/node-restriction.ts")).createNodeRestriction,
  },
  PersistentVolumeClaimResize: {
    concerns: ["persistentvolumeclaims"],
    needs: CLAIMS,
    load: async () => (await import("./plugins/persistent-volume-claim-resize.ts")).createPersistentVolumeClaimResize,
  },
  PodNodeSelector: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => (await import("./plugins/pod-node-selector.ts")).createPodNodeSelector,
  },
  PodTolerationRestriction: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => (await import("./plugins/pod-toleration-restriction.ts")).createPodTolerationRestriction,
  },
  PodSecurity: {
    concerns: [
      "namespaces",
      "pods",
      "replicationcontrollers",
      "podtemplates",
      "replicasets",
      "deployments",
      "statefulsets",
      "daemonsets",
      "jobs",
      "cronjobs",
    ],
    needs: PODS,
    load: async () => (await import("./plugins/pod-security.ts")).createPodSecurity,
  },
  PodTopologyLabels: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => (await import("./plugins/pod-topology-labels.ts")).createPodTopologyLabels,
  },
  Priority: {
    concerns: ["pods", "priorityclasses"],
    needs: { group: "scheduling", resource: "priorityclasses" },
    load: async () => (await import("./plugins/priority.ts")).createPriority,
  },
  ResourceQuota: {
    needs: { group: "", resource: "resourcequotas" },
    load: async () => (await import("./plugins/resource-quota.ts")).createResourceQuota,
  },
  RuntimeClass: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => (await import("./plugins/runtime-class.ts")).createRuntimeClass,
  },
  ServiceAccount: {
    concerns: ["pods"],
    needs: PODS,
    load: async () => (await import("./plugins/service-account.ts")).createServiceAccount,
  },
  StorageObjectInUseProtection: {
    concerns: ["persistentvolumes", "persistentvolumeclaims", "volumeattributesclasses"],
    needs: CLAIMS,
    load: async () =>
      (await import("./plugins/storage-object-in-use-protection.ts")).createStorageObjectInUseProtection,
  },
  TaintNodesByCondition: {
    concerns: ["nodes"],
    needs: { group: "", resource: "nodes" },
    load: async () => (await import("./plugins/taint-nodes-by-condition.ts")).createTaintNodesByCondition,
  },
};

/** Returns undefined for plugins that this server does not implement. */
export function findPlugin(name: string): PluginRow | undefined {
  return TABLE[name];
}

function always(plugin: AdmissionPlugin): CreatePlugin {
  return () => plugin;
}
