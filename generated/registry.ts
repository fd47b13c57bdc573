// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import type { KindHooks } from "../runtime/contract/kind-hooks.ts";
import type { GroupVersionResource } from "../runtime/contract/served-versions.ts";
import type { TypeRef } from "../runtime/contract/type-table.ts";
import { createRegistry } from "../runtime/registry/create-registry.ts";
import type { ConversionDeclaration } from "../api-definitions/conversion-vocabulary.ts";

/** What cannot be declared about a kind, loaded when the kind is first used. */
export const hooks = {
  "admissionregistration/v1.MutatingWebhookConfiguration": (): Promise<KindHooks<import("../api-definitions/admissionregistration/v1/mutating-webhook-configuration.ts").MutatingWebhookConfiguration>> =>
    import("../api-definitions/admissionregistration/v1/mutating-webhook-configuration.hooks.ts").then((module) => module.hooks),
  "admissionregistration/v1.ValidatingAdmissionPolicyBinding": (): Promise<KindHooks<import("../api-definitions/admissionregistration/v1/validating-admission-policy-binding.ts").ValidatingAdmissionPolicyBinding>> =>
    import("../api-definitions/admissionregistration/v1/validating-admission-policy-binding.hooks.ts").then((module) => module.hooks),
  "admissionregistration/v1.ValidatingAdmissionPolicy": (): Promise<KindHooks<import("../api-definitions/admissionregistration/v1/validating-admission-policy.ts").ValidatingAdmissionPolicy>> =>
    import("../api-definitions/admissionregistration/v1/validating-admission-policy.hooks.ts").then((module) => module.hooks),
  "admissionregistration/v1.ValidatingWebhookConfiguration": (): Promise<KindHooks<import("../api-definitions/admissionregistration/v1/validating-webhook-configuration.ts").ValidatingWebhookConfiguration>> =>
    import("../api-definitions/admissionregistration/v1/validating-webhook-configuration.hooks.ts").then((module) => module.hooks),
  "admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding": (): Promise<KindHooks<import("../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy-binding.ts").MutatingAdmissionPolicyBinding>> =>
    import("../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy-binding.hooks.ts").then((module) => module.hooks),
  "admissionregistration/v1alpha1.MutatingAdmissionPolicy": (): Promise<KindHooks<import("../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy.ts").MutatingAdmissionPolicy>> =>
    import("../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy.hooks.ts").then((module) => module.hooks),
  "apiextensions/v1.CustomResourceDefinition": (): Promise<KindHooks<import("../api-definitions/apiextensions/v1/custom-resource-definition.ts").CustomResourceDefinition>> =>
    import("../api-definitions/apiextensions/v1/custom-resource-definition.hooks.ts").then((module) => module.hooks),
  "apiextensions/v1beta1.CustomResourceDefinition": (): Promise<KindHooks<import("../api-definitions/apiextensions/v1beta1/custom-resource-definition.ts").CustomResourceDefinition>> =>
    import("../api-definitions/apiextensions/v1beta1/custom-resource-definition.hooks.ts").then((module) => module.hooks),
  "apiregistration/v1.APIService": (): Promise<KindHooks<import("../api-definitions/apiregistration/v1/api-service.ts").APIService>> =>
    import("../api-definitions/apiregistration/v1/api-service.hooks.ts").then((module) => module.hooks),
  "apiserverinternal/v1alpha1.StorageVersion": (): Promise<KindHooks<import("../api-definitions/apiserverinternal/v1alpha1/storage-version.ts").StorageVersion>> =>
    import("../api-definitions/apiserverinternal/v1alpha1/storage-version.hooks.ts").then((module) => module.hooks),
  "apps/v1.ControllerRevision": (): Promise<KindHooks<import("../api-definitions/apps/v1/controller-revision.ts").ControllerRevision>> =>
    import("../api-definitions/apps/v1/controller-revision.hooks.ts").then((module) => module.hooks),
  "apps/v1.DaemonSet": (): Promise<KindHooks<import("../api-definitions/apps/v1/daemon-set.ts").DaemonSet>> =>
    import("../api-definitions/apps/v1/daemon-set.hooks.ts").then((module) => module.hooks),
  "apps/v1.Deployment": (): Promise<KindHooks<import("../api-definitions/apps/v1/deployment.ts").Deployment>> =>
    import("../api-definitions/apps/v1/deployment.hooks.ts").then((module) => module.hooks),
  "apps/v1.ReplicaSet": (): Promise<KindHooks<import("../api-definitions/apps/v1/replica-set.ts").ReplicaSet>> =>
    import("../api-definitions/apps/v1/replica-set.hooks.ts").then((module) => module.hooks),
  "apps/v1.StatefulSet": (): Promise<KindHooks<import("../api-definitions/apps/v1/stateful-set.ts").StatefulSet>> =>
    import("../api-definitions/apps/v1/stateful-set.hooks.ts").then((module) => module.hooks),
  "apps/v1beta1.Deployment": (): Promise<KindHooks<import("../api-definitions/apps/v1beta1/deployment.ts").Deployment>> =>
    import("../api-definitions/apps/v1beta1/deployment.hooks.ts").then((module) => module.hooks),
  "apps/v1beta1.ReplicaSet": (): Promise<KindHooks<import("../api-definitions/apps/v1beta1/replica-set.ts").ReplicaSet>> =>
    import("../api-definitions/apps/v1beta1/replica-set.hooks.ts").then((module) => module.hooks),
  "apps/v1beta1.StatefulSet": (): Promise<KindHooks<import("../api-definitions/apps/v1beta1/stateful-set.ts").StatefulSet>> =>
    import("../api-definitions/apps/v1beta1/stateful-set.hooks.ts").then((module) => module.hooks),
  "autoscaling/v1.HorizontalPodAutoscaler": (): Promise<KindHooks<import("../api-definitions/autoscaling/v1/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler>> =>
    import("../api-definitions/autoscaling/v1/horizontal-pod-autoscaler.hooks.ts").then((module) => module.hooks),
  "autoscaling/v2.HorizontalPodAutoscaler": (): Promise<KindHooks<import("../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler>> =>
    import("../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.hooks.ts").then((module) => module.hooks),
  "autoscaling/v2beta1.HorizontalPodAutoscaler": (): Promise<KindHooks<import("../api-definitions/autoscaling/v2beta1/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler>> =>
    import("../api-definitions/autoscaling/v2beta1/horizontal-pod-autoscaler.hooks.ts").then((module) => module.hooks),
  "autoscaling/v2beta2.HorizontalPodAutoscaler": (): Promise<KindHooks<import("../api-definitions/autoscaling/v2beta2/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler>> =>
    import("../api-definitions/autoscaling/v2beta2/horizontal-pod-autoscaler.hooks.ts").then((module) => module.hooks),
  "batch/v1.CronJob": (): Promise<KindHooks<import("../api-definitions/batch/v1/cron-job.ts").CronJob>> =>
    import("../api-definitions/batch/v1/cron-job.hooks.ts").then((module) => module.hooks),
  "batch/v1.Job": (): Promise<KindHooks<import("../api-definitions/batch/v1/job.ts").Job>> =>
    import("../api-definitions/batch/v1/job.hooks.ts").then((module) => module.hooks),
  "certificates/v1.CertificateSigningRequest": (): Promise<KindHooks<import("../api-definitions/certificates/v1/certificate-signing-request.ts").CertificateSigningRequest>> =>
    import("../api-definitions/certificates/v1/certificate-signing-request.hooks.ts").then((module) => module.hooks),
  "certificates/v1beta1.CertificateSigningRequest": (): Promise<KindHooks<import("../api-definitions/certificates/v1beta1/certificate-signing-request.ts").CertificateSigningRequest>> =>
    import("../api-definitions/certificates/v1beta1/certificate-signing-request.hooks.ts").then((module) => module.hooks),
  "certificates/v1beta1.ClusterTrustBundle": (): Promise<KindHooks<import("../api-definitions/certificates/v1beta1/cluster-trust-bundle.ts").ClusterTrustBundle>> =>
    import("../api-definitions/certificates/v1beta1/cluster-trust-bundle.hooks.ts").then((module) => module.hooks),
  "coordination/v1.Lease": (): Promise<KindHooks<import("../api-definitions/coordination/v1/lease.ts").Lease>> =>
    import("../api-definitions/coordination/v1/lease.hooks.ts").then((module) => module.hooks),
  "coordination/v1beta1.LeaseCandidate": (): Promise<KindHooks<import("../api-definitions/coordination/v1beta1/lease-candidate.ts").LeaseCandidate>> =>
    import("../api-definitions/coordination/v1beta1/lease-candidate.hooks.ts").then((module) => module.hooks),
  "core/v1.ComponentStatus": (): Promise<KindHooks<import("../api-definitions/core/v1/component-status.ts").ComponentStatus>> =>
    import("../api-definitions/core/v1/component-status.hooks.ts").then((module) => module.hooks),
  "core/v1.ConfigMap": (): Promise<KindHooks<import("../api-definitions/core/v1/config-map.ts").ConfigMap>> =>
    import("../api-definitions/core/v1/config-map.hooks.ts").then((module) => module.hooks),
  "core/v1.Endpoints": (): Promise<KindHooks<import("../api-definitions/core/v1/endpoints.ts").Endpoints>> =>
    import("../api-definitions/core/v1/endpoints.hooks.ts").then((module) => module.hooks),
  "core/v1.Event": (): Promise<KindHooks<import("../api-definitions/core/v1/event.ts").Event>> =>
    import("../api-definitions/core/v1/event.hooks.ts").then((module) => module.hooks),
  "core/v1.LimitRange": (): Promise<KindHooks<import("../api-definitions/core/v1/limit-range.ts").LimitRange>> =>
    import("../api-definitions/core/v1/limit-range.hooks.ts").then((module) => module.hooks),
  "core/v1.Namespace": (): Promise<KindHooks<import("../api-definitions/core/v1/namespace.ts").Namespace>> =>
    import("../api-definitions/core/v1/namespace.hooks.ts").then((module) => module.hooks),
  "core/v1.Node": (): Promise<KindHooks<import("../api-definitions/core/v1/node.ts").Node>> =>
    import("../api-definitions/core/v1/node.hooks.ts").then((module) => module.hooks),
  "core/v1.PersistentVolumeClaim": (): Promise<KindHooks<import("../api-definitions/core/v1/persistent-volume-claim.ts").PersistentVolumeClaim>> =>
    import("../api-definitions/core/v1/persistent-volume-claim.hooks.ts").then((module) => module.hooks),
  "core/v1.PersistentVolume": (): Promise<KindHooks<import("../api-definitions/core/v1/persistent-volume.ts").PersistentVolume>> =>
    import("../api-definitions/core/v1/persistent-volume.hooks.ts").then((module) => module.hooks),
  "core/v1.PodTemplate": (): Promise<KindHooks<import("../api-definitions/core/v1/pod-template.ts").PodTemplate>> =>
    import("../api-definitions/core/v1/pod-template.hooks.ts").then((module) => module.hooks),
  "core/v1.Pod": (): Promise<KindHooks<import("../api-definitions/core/v1/pod.ts").Pod>> =>
    import("../api-definitions/core/v1/pod.hooks.ts").then((module) => module.hooks),
  "core/v1.ReplicationController": (): Promise<KindHooks<import("../api-definitions/core/v1/replication-controller.ts").ReplicationController>> =>
    import("../api-definitions/core/v1/replication-controller.hooks.ts").then((module) => module.hooks),
  "core/v1.ResourceQuota": (): Promise<KindHooks<import("../api-definitions/core/v1/resource-quota.ts").ResourceQuota>> =>
    import("../api-definitions/core/v1/resource-quota.hooks.ts").then((module) => module.hooks),
  "core/v1.Secret": (): Promise<KindHooks<import("../api-definitions/core/v1/secret.ts").Secret>> =>
    import("../api-definitions/core/v1/secret.hooks.ts").then((module) => module.hooks),
  "core/v1.ServiceAccount": (): Promise<KindHooks<import("../api-definitions/core/v1/service-account.ts").ServiceAccount>> =>
    import("../api-definitions/core/v1/service-account.hooks.ts").then((module) => module.hooks),
  "core/v1.Service": (): Promise<KindHooks<import("../api-definitions/core/v1/service.ts").Service>> =>
    import("../api-definitions/core/v1/service.hooks.ts").then((module) => module.hooks),
  "discovery/v1.EndpointSlice": (): Promise<KindHooks<import("../api-definitions/discovery/v1/endpoint-slice.ts").EndpointSlice>> =>
    import("../api-definitions/discovery/v1/endpoint-slice.hooks.ts").then((module) => module.hooks),
  "extensions/v1beta1.DaemonSet": (): Promise<KindHooks<import("../api-definitions/extensions/v1beta1/daemon-set.ts").DaemonSet>> =>
    import("../api-definitions/extensions/v1beta1/daemon-set.hooks.ts").then((module) => module.hooks),
  "extensions/v1beta1.Deployment": (): Promise<KindHooks<import("../api-definitions/extensions/v1beta1/deployment.ts").Deployment>> =>
    import("../api-definitions/extensions/v1beta1/deployment.hooks.ts").then((module) => module.hooks),
  "extensions/v1beta1.ReplicaSet": (): Promise<KindHooks<import("../api-definitions/extensions/v1beta1/replica-set.ts").ReplicaSet>> =>
    import("../api-definitions/extensions/v1beta1/replica-set.hooks.ts").then((module) => module.hooks),
  "flowcontrol/v1.FlowSchema": (): Promise<KindHooks<import("../api-definitions/flowcontrol/v1/flow-schema.ts").FlowSchema>> =>
    import("../api-definitions/flowcontrol/v1/flow-schema.hooks.ts").then((module) => module.hooks),
  "flowcontrol/v1.PriorityLevelConfiguration": (): Promise<KindHooks<import("../api-definitions/flowcontrol/v1/priority-level-configuration.ts").PriorityLevelConfiguration>> =>
    import("../api-definitions/flowcontrol/v1/priority-level-configuration.hooks.ts").then((module) => module.hooks),
  "flowcontrol/v1beta3.PriorityLevelConfiguration": (): Promise<KindHooks<import("../api-definitions/flowcontrol/v1beta3/priority-level-configuration.ts").PriorityLevelConfiguration>> =>
    import("../api-definitions/flowcontrol/v1beta3/priority-level-configuration.hooks.ts").then((module) => module.hooks),
  "networking/v1.IngressClass": (): Promise<KindHooks<import("../api-definitions/networking/v1/ingress-class.ts").IngressClass>> =>
    import("../api-definitions/networking/v1/ingress-class.hooks.ts").then((module) => module.hooks),
  "networking/v1.Ingress": (): Promise<KindHooks<import("../api-definitions/networking/v1/ingress.ts").Ingress>> =>
    import("../api-definitions/networking/v1/ingress.hooks.ts").then((module) => module.hooks),
  "networking/v1.IPAddress": (): Promise<KindHooks<import("../api-definitions/networking/v1/ip-address.ts").IPAddress>> =>
    import("../api-definitions/networking/v1/ip-address.hooks.ts").then((module) => module.hooks),
  "networking/v1.NetworkPolicy": (): Promise<KindHooks<import("../api-definitions/networking/v1/network-policy.ts").NetworkPolicy>> =>
    import("../api-definitions/networking/v1/network-policy.hooks.ts").then((module) => module.hooks),
  "networking/v1.ServiceCIDR": (): Promise<KindHooks<import("../api-definitions/networking/v1/service-cidr.ts").ServiceCIDR>> =>
    import("../api-definitions/networking/v1/service-cidr.hooks.ts").then((module) => module.hooks),
  "node/v1.RuntimeClass": (): Promise<KindHooks<import("../api-definitions/node/v1/runtime-class.ts").RuntimeClass>> =>
    import("../api-definitions/node/v1/runtime-class.hooks.ts").then((module) => module.hooks),
  "policy/v1.PodDisruptionBudget": (): Promise<KindHooks<import("../api-definitions/policy/v1/pod-disruption-budget.ts").PodDisruptionBudget>> =>
    import("../api-definitions/policy/v1/pod-disruption-budget.hooks.ts").then((module) => module.hooks),
  "rbac/v1.ClusterRoleBinding": (): Promise<KindHooks<import("../api-definitions/rbac/v1/cluster-role-binding.ts").ClusterRoleBinding>> =>
    import("../api-definitions/rbac/v1/cluster-role-binding.hooks.ts").then((module) => module.hooks),
  "rbac/v1.ClusterRole": (): Promise<KindHooks<import("../api-definitions/rbac/v1/cluster-role.ts").ClusterRole>> =>
    import("../api-definitions/rbac/v1/cluster-role.hooks.ts").then((module) => module.hooks),
  "rbac/v1.RoleBinding": (): Promise<KindHooks<import("../api-definitions/rbac/v1/role-binding.ts").RoleBinding>> =>
    import("../api-definitions/rbac/v1/role-binding.hooks.ts").then((module) => module.hooks),
  "rbac/v1.Role": (): Promise<KindHooks<import("../api-definitions/rbac/v1/role.ts").Role>> =>
    import("../api-definitions/rbac/v1/role.hooks.ts").then((module) => module.hooks),
  "rbac/v1alpha1.ClusterRoleBinding": (): Promise<KindHooks<import("../api-definitions/rbac/v1alpha1/cluster-role-binding.ts").ClusterRoleBinding>> =>
    import("../api-definitions/rbac/v1alpha1/cluster-role-binding.hooks.ts").then((module) => module.hooks),
  "rbac/v1alpha1.RoleBinding": (): Promise<KindHooks<import("../api-definitions/rbac/v1alpha1/role-binding.ts").RoleBinding>> =>
    import("../api-definitions/rbac/v1alpha1/role-binding.hooks.ts").then((module) => module.hooks),
  "resource/v1alpha3.DeviceTaintRule": (): Promise<KindHooks<import("../api-definitions/resource/v1alpha3/device-taint-rule.ts").DeviceTaintRule>> =>
    import("../api-definitions/resource/v1alpha3/device-taint-rule.hooks.ts").then((module) => module.hooks),
  "resource/v1alpha3.ResourceSlice": (): Promise<KindHooks<import("../api-definitions/resource/v1alpha3/resource-slice.ts").ResourceSlice>> =>
    import("../api-definitions/resource/v1alpha3/resource-slice.hooks.ts").then((module) => module.hooks),
  "resource/v1beta1.DeviceClass": (): Promise<KindHooks<import("../api-definitions/resource/v1beta1/device-class.ts").DeviceClass>> =>
    import("../api-definitions/resource/v1beta1/device-class.hooks.ts").then((module) => module.hooks),
  "resource/v1beta1.ResourceClaimTemplate": (): Promise<KindHooks<import("../api-definitions/resource/v1beta1/resource-claim-template.ts").ResourceClaimTemplate, unknown>> =>
    import("../api-definitions/resource/v1beta1/resource-claim-template.hooks.ts").then((module) => module.hooks),
  "resource/v1beta1.ResourceClaim": (): Promise<KindHooks<import("../api-definitions/resource/v1beta1/resource-claim.ts").ResourceClaim, unknown>> =>
    import("../api-definitions/resource/v1beta1/resource-claim.hooks.ts").then((module) => module.hooks),
  "resource/v1beta1.ResourceSlice": (): Promise<KindHooks<import("../api-definitions/resource/v1beta1/resource-slice.ts").ResourceSlice>> =>
    import("../api-definitions/resource/v1beta1/resource-slice.hooks.ts").then((module) => module.hooks),
  "resource/v1beta2.ResourceClaimTemplate": (): Promise<KindHooks<import("../api-definitions/resource/v1beta2/resource-claim-template.ts").ResourceClaimTemplate>> =>
    import("../api-definitions/resource/v1beta2/resource-claim-template.hooks.ts").then((module) => module.hooks),
  "resource/v1beta2.ResourceClaim": (): Promise<KindHooks<import("../api-definitions/resource/v1beta2/resource-claim.ts").ResourceClaim>> =>
    import("../api-definitions/resource/v1beta2/resource-claim.hooks.ts").then((module) => module.hooks),
  "resource/v1beta2.ResourceSlice": (): Promise<KindHooks<import("../api-definitions/resource/v1beta2/resource-slice.ts").ResourceSlice>> =>
    import("../api-definitions/resource/v1beta2/resource-slice.hooks.ts").then((module) => module.hooks),
  "scheduling/v1.PriorityClass": (): Promise<KindHooks<import("../api-definitions/scheduling/v1/priority-class.ts").PriorityClass>> =>
    import("../api-definitions/scheduling/v1/priority-class.hooks.ts").then((module) => module.hooks),
  "storage/v1.CSIDriver": (): Promise<KindHooks<import("../api-definitions/storage/v1/csi-driver.ts").CSIDriver>> =>
    import("../api-definitions/storage/v1/csi-driver.hooks.ts").then((module) => module.hooks),
  "storage/v1.CSINode": (): Promise<KindHooks<import("../api-definitions/storage/v1/csi-node.ts").CSINode>> =>
    import("../api-definitions/storage/v1/csi-node.hooks.ts").then((module) => module.hooks),
  "storage/v1.CSIStorageCapacity": (): Promise<KindHooks<import("../api-definitions/storage/v1/csi-storage-capacity.ts").CSIStorageCapacity>> =>
    import("../api-definitions/storage/v1/csi-storage-capacity.hooks.ts").then((module) => module.hooks),
  "storage/v1.StorageClass": (): Promise<KindHooks<import("../api-definitions/storage/v1/storage-class.ts").StorageClass>> =>
    import("../api-definitions/storage/v1/storage-class.hooks.ts").then((module) => module.hooks),
  "storage/v1.VolumeAttachment": (): Promise<KindHooks<import("../api-definitions/storage/v1/volume-attachment.ts").VolumeAttachment>> =>
    import("../api-definitions/storage/v1/volume-attachment.hooks.ts").then((module) => module.hooks),
  "storage/v1beta1.VolumeAttributesClass": (): Promise<KindHooks<import("../api-definitions/storage/v1beta1/volume-attributes-class.ts").VolumeAttributesClass>> =>
    import("../api-definitions/storage/v1beta1/volume-attributes-class.hooks.ts").then((module) => module.hooks),
  "storagemigration/v1alpha1.StorageVersionMigration": (): Promise<KindHooks<import("../api-definitions/storagemigration/v1alpha1/storage-version-migration.ts").StorageVersionMigration>> =>
    import("../api-definitions/storagemigration/v1alpha1/storage-version-migration.hooks.ts").then((module) => module.hooks),
} satisfies { readonly [type: TypeRef]: () => Promise<KindHooks<never, unknown>> };

/** The kinds that hooks read, in the order of their `reads`. */
const hookReads: { readonly [type: TypeRef]: readonly GroupVersionResource[] } = {
  "resource/v1beta1.ResourceClaimTemplate": [
    { group: "", version: "v1", resource: "namespaces" },
  ],
  "resource/v1beta1.ResourceClaim": [
    { group: "", version: "v1", resource: "namespaces" },
  ],
};

/** Conversions with functions, by the type they convert to its stored version. */
export const conversions = {
  "apiextensions/v1beta1.CustomResourceDefinition": (): Promise<ConversionDeclaration<import("../api-definitions/apiextensions/v1beta1/custom-resource-definition.ts").CustomResourceDefinition, import("../api-definitions/apiextensions/v1/custom-resource-definition.ts").CustomResourceDefinition>> =>
    import("../api-definitions/apiextensions/conversions.ts").then((module) => module.customResourceDefinitionV1beta1),
  "apps/v1beta1.Deployment": (): Promise<ConversionDeclaration<import("../api-definitions/apps/v1beta1/deployment.ts").Deployment, import("../api-definitions/apps/v1/deployment.ts").Deployment>> =>
    import("../api-definitions/apps/conversions.ts").then((module) => module.deploymentV1beta1),
  "autoscaling/v1.HorizontalPodAutoscaler": (): Promise<ConversionDeclaration<import("../api-definitions/autoscaling/v1/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler, import("../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler>> =>
    import("../api-definitions/autoscaling/conversions.ts").then((module) => module.horizontalPodAutoscalerV1),
  "autoscaling/v2beta1.HorizontalPodAutoscaler": (): Promise<ConversionDeclaration<import("../api-definitions/autoscaling/v2beta1/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler, import("../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler>> =>
    import("../api-definitions/autoscaling/conversions.ts").then((module) => module.horizontalPodAutoscalerV2beta1),
  "autoscaling/v2beta2.HorizontalPodAutoscaler": (): Promise<ConversionDeclaration<import("../api-definitions/autoscaling/v2beta2/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler, import("../api-definitions/autoscaling/v2/horizontal-pod-autoscaler.ts").HorizontalPodAutoscaler>> =>
    import("../api-definitions/autoscaling/conversions.ts").then((module) => module.horizontalPodAutoscalerV2beta2),
  "discovery/v1beta1.EndpointSlice": (): Promise<ConversionDeclaration<import("../api-definitions/discovery/v1beta1/endpoint-slice.ts").EndpointSlice, import("../api-definitions/discovery/v1/endpoint-slice.ts").EndpointSlice>> =>
    import("../api-definitions/discovery/conversions.ts").then((module) => module.endpointSliceV1beta1),
  "extensions/v1beta1.Deployment": (): Promise<ConversionDeclaration<import("../api-definitions/extensions/v1beta1/deployment.ts").Deployment, import("../api-definitions/apps/v1/deployment.ts").Deployment>> =>
    import("../api-definitions/extensions/conversions.ts").then((module) => module.deploymentV1beta1),
  "extensions/v1beta1.DaemonSet": (): Promise<ConversionDeclaration<import("../api-definitions/extensions/v1beta1/daemon-set.ts").DaemonSet, import("../api-definitions/apps/v1/daemon-set.ts").DaemonSet>> =>
    import("../api-definitions/extensions/conversions.ts").then((module) => module.daemonSetV1beta1),
  "extensions/v1beta1.Ingress": (): Promise<ConversionDeclaration<import("../api-definitions/extensions/v1beta1/ingress.ts").Ingress, import("../api-definitions/networking/v1/ingress.ts").Ingress>> =>
    import("../api-definitions/extensions/conversions.ts").then((module) => module.ingressV1beta1),
  "flowcontrol/v1beta3.PriorityLevelConfiguration": (): Promise<ConversionDeclaration<import("../api-definitions/flowcontrol/v1beta3/priority-level-configuration.ts").PriorityLevelConfiguration, import("../api-definitions/flowcontrol/v1/priority-level-configuration.ts").PriorityLevelConfiguration>> =>
    import("../api-definitions/flowcontrol/conversions.ts").then((module) => module.priorityLevelConfigurationV1beta3),
  "networking/v1beta1.Ingress": (): Promise<ConversionDeclaration<import("../api-definitions/networking/v1beta1/ingress.ts").Ingress, import("../api-definitions/networking/v1/ingress.ts").Ingress>> =>
    import("../api-definitions/networking/conversions.ts").then((module) => module.ingressV1beta1),
  "policy/v1beta1.PodDisruptionBudget": (): Promise<ConversionDeclaration<import("../api-definitions/policy/v1beta1/pod-disruption-budget.ts").PodDisruptionBudget, import("../api-definitions/policy/v1/pod-disruption-budget.ts").PodDisruptionBudget>> =>
    import("../api-definitions/policy/conversions.ts").then((module) => module.podDisruptionBudgetV1beta1),
  "rbac/v1alpha1.RoleBinding": (): Promise<ConversionDeclaration<import("../api-definitions/rbac/v1alpha1/role-binding.ts").RoleBinding, import("../api-definitions/rbac/v1/role-binding.ts").RoleBinding>> =>
    import("../api-definitions/rbac/conversions.ts").then((module) => module.roleBindingV1alpha1),
  "rbac/v1alpha1.ClusterRoleBinding": (): Promise<ConversionDeclaration<import("../api-definitions/rbac/v1alpha1/cluster-role-binding.ts").ClusterRoleBinding, import("../api-definitions/rbac/v1/cluster-role-binding.ts").ClusterRoleBinding>> =>
    import("../api-definitions/rbac/conversions.ts").then((module) => module.clusterRoleBindingV1alpha1),
  "resource/v1alpha3.ResourceSlice": (): Promise<ConversionDeclaration<import("../api-definitions/resource/v1alpha3/resource-slice.ts").ResourceSlice, import("../api-definitions/resource/v1beta1/resource-slice.ts").ResourceSlice>> =>
    import("../api-definitions/resource/conversions.ts").then((module) => module.resourceSliceV1alpha3),
  "resource/v1beta2.ResourceSlice": (): Promise<ConversionDeclaration<import("../api-definitions/resource/v1beta2/resource-slice.ts").ResourceSlice, import("../api-definitions/resource/v1beta1/resource-slice.ts").ResourceSlice>> =>
    import("../api-definitions/resource/conversions.ts").then((module) => module.resourceSliceV1beta2),
  "resource/v1beta2.ResourceClaim": (): Promise<ConversionDeclaration<import("../api-definitions/resource/v1beta2/resource-claim.ts").ResourceClaim, import("../api-definitions/resource/v1beta1/resource-claim.ts").ResourceClaim>> =>
    import("../api-definitions/resource/conversions.ts").then((module) => module.resourceClaimV1beta2),
  "resource/v1beta2.ResourceClaimTemplate": (): Promise<ConversionDeclaration<import("../api-definitions/resource/v1beta2/resource-claim-template.ts").ResourceClaimTemplate, import("../api-definitions/resource/v1beta1/resource-claim-template.ts").ResourceClaimTemplate>> =>
    import("../api-definitions/resource/conversions.ts").then((module) => module.resourceClaimTemplateV1beta2),
} satisfies { readonly [type: TypeRef]: () => Promise<ConversionDeclaration<never, never>> };

/** Everything that is generated. Types, catalogue, schemas, hooks and conversions are loaded when they are first used. */
export const registry = createRegistry(new URL(".", import.meta.url), {
  modules: {
    "admission/v1": "k8s.io.api.admission.v1",
    "admission/v1beta1": "k8s.io.api.admission.v1beta1",
    "admissionregistration/v1": "k8s.io.api.admissionregistration.v1",
    "admissionregistration/v1alpha1": "k8s.io.api.admissionregistration.v1alpha1",
    "admissionregistration/v1beta1": "k8s.io.api.admissionregistration.v1beta1",
    "apidiscovery/v2": "k8s.io.api.apidiscovery.v2",
    "apidiscovery/v2beta1": "k8s.io.api.apidiscovery.v2beta1",
    "apiextensions/v1": "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1",
    "apiextensions/v1beta1": "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1beta1",
    "apiregistration/v1": "k8s.io.kube_aggregator.pkg.apis.apiregistration.v1",
    "apiregistration/v1beta1": "k8s.io.kube_aggregator.pkg.apis.apiregistration.v1beta1",
    "apiserver/v1": "k8s.io.apiserver.pkg.apis.apiserver.v1",
    "apiserver/v1alpha1": "k8s.io.apiserver.pkg.apis.apiserver.v1alpha1",
    "apiserver/v1beta1": "k8s.io.apiserver.pkg.apis.apiserver.v1beta1",
    "apiserverinternal/v1alpha1": "k8s.io.api.apiserverinternal.v1alpha1",
    "apps/v1": "k8s.io.api.apps.v1",
    "apps/v1beta1": "k8s.io.api.apps.v1beta1",
    "apps/v1beta2": "k8s.io.api.apps.v1beta2",
    "audit/v1": "k8s.io.apiserver.pkg.apis.audit.v1",
    "authentication/v1": "k8s.io.api.authentication.v1",
    "authentication/v1alpha1": "k8s.io.api.authentication.v1alpha1",
    "authentication/v1beta1": "k8s.io.api.authentication.v1beta1",
    "authorization/v1": "k8s.io.api.authorization.v1",
    "authorization/v1beta1": "k8s.io.api.authorization.v1beta1",
    "autoscaling/v1": "k8s.io.api.autoscaling.v1",
    "autoscaling/v2": "k8s.io.api.autoscaling.v2",
    "autoscaling/v2beta1": "k8s.io.api.autoscaling.v2beta1",
    "autoscaling/v2beta2": "k8s.io.api.autoscaling.v2beta2",
    "batch/v1": "k8s.io.api.batch.v1",
    "batch/v1beta1": "k8s.io.api.batch.v1beta1",
    "batch/v2alpha1": "k8s.io.api.batch.v2alpha1",
    "certificates/v1": "k8s.io.api.certificates.v1",
    "certificates/v1alpha1": "k8s.io.api.certificates.v1alpha1",
    "certificates/v1beta1": "k8s.io.api.certificates.v1beta1",
    "coordination/v1": "k8s.io.api.coordination.v1",
    "coordination/v1alpha2": "k8s.io.api.coordination.v1alpha2",
    "coordination/v1beta1": "k8s.io.api.coordination.v1beta1",
    "core/v1": "k8s.io.api.core.v1",
    "discovery/v1": "k8s.io.api.discovery.v1",
    "discovery/v1beta1": "k8s.io.api.discovery.v1beta1",
    "eventratelimit/v1alpha1": "k8s.io.kubernetes.plugin.pkg.admission.eventratelimit.apis.eventratelimit.v1alpha1",
    "events/v1": "k8s.io.api.events.v1",
    "events/v1beta1": "k8s.io.api.events.v1beta1",
    "extensions/v1beta1": "k8s.io.api.extensions.v1beta1",
    "flowcontrol/v1": "k8s.io.api.flowcontrol.v1",
    "flowcontrol/v1beta1": "k8s.io.api.flowcontrol.v1beta1",
    "flowcontrol/v1beta2": "k8s.io.api.flowcontrol.v1beta2",
    "flowcontrol/v1beta3": "k8s.io.api.flowcontrol.v1beta3",
    "imagepolicy/v1alpha1": "k8s.io.api.imagepolicy.v1alpha1",
    "kubeconfig/v1": "k8s.io.client_go.tools.clientcmd.api.v1",
    "meta/v1": "k8s.io.apimachinery.pkg.apis.meta.v1",
    "meta/v1beta1": "k8s.io.apimachinery.pkg.apis.meta.v1beta1",
    "networking/v1": "k8s.io.api.networking.v1",
    "networking/v1alpha1": "k8s.io.api.networking.v1alpha1",
    "networking/v1beta1": "k8s.io.api.networking.v1beta1",
    "node/v1": "k8s.io.api.node.v1",
    "node/v1alpha1": "k8s.io.api.node.v1alpha1",
    "node/v1beta1": "k8s.io.api.node.v1beta1",
    "podtolerationrestriction/v1alpha1": "k8s.io.kubernetes.plugin.pkg.admission.podtolerationrestriction.apis.podtolerationrestriction.v1alpha1",
    "policy/v1": "k8s.io.api.policy.v1",
    "policy/v1beta1": "k8s.io.api.policy.v1beta1",
    "rbac/v1": "k8s.io.api.rbac.v1",
    "rbac/v1alpha1": "k8s.io.api.rbac.v1alpha1",
    "rbac/v1beta1": "k8s.io.api.rbac.v1beta1",
    "resource/v1alpha3": "k8s.io.api.resource.v1alpha3",
    "resource/v1beta1": "k8s.io.api.resource.v1beta1",
    "resource/v1beta2": "k8s.io.api.resource.v1beta2",
    "scheduling/v1": "k8s.io.api.scheduling.v1",
    "scheduling/v1alpha1": "k8s.io.api.scheduling.v1alpha1",
    "scheduling/v1beta1": "k8s.io.api.scheduling.v1beta1",
    "storage/v1": "k8s.io.api.storage.v1",
    "storage/v1alpha1": "k8s.io.api.storage.v1alpha1",
    "storage/v1beta1": "k8s.io.api.storage.v1beta1",
    "storagemigration/v1alpha1": "k8s.io.api.storagemigration.v1alpha1",
  },
  hooks,
  hookReads,
  conversions,
});
