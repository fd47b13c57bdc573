// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { readFileSync } from "node:fs";
import type { KindHooks } from "../runtime/contract/kind-hooks.ts";
import type { ApiCatalogue, GroupVersionKind, Lifecycle } from "../runtime/contract/resource-descriptor.ts";
import type { GroupVersionResource } from "../runtime/contract/served-versions.ts";
import type { TypeModule, TypeRef, TypeSource } from "../runtime/contract/type-table.ts";
import type { ConversionDeclaration } from "../api-definitions/conversion-vocabulary.ts";

/** A kind a configuration file may hold. */
export interface ConfigKind extends GroupVersionKind {
  readonly type: TypeRef;
  readonly lifecycle: Lifecycle;
}

/** How a version of a kind becomes the stored one. Identical shapes differ in apiVersion only. */
export interface ConversionEntry {
  readonly from: TypeRef;
  readonly hub: TypeRef;
  readonly how: "identical" | "declared" | "missing";
  readonly rename?: { readonly [from: string]: string };
  readonly toHub?: true;
  readonly fromHub?: true;
  readonly exact?: true;
}

const files: { readonly [module: string]: string } = {
  "admission/v1": "./types/admission.v1.json",
  "admission/v1beta1": "./types/admission.v1beta1.json",
  "admissionregistration/v1": "./types/admissionregistration.v1.json",
  "admissionregistration/v1alpha1": "./types/admissionregistration.v1alpha1.json",
  "admissionregistration/v1beta1": "./types/admissionregistration.v1beta1.json",
  "apidiscovery/v2": "./types/apidiscovery.v2.json",
  "apidiscovery/v2beta1": "./types/apidiscovery.v2beta1.json",
  "apiextensions/v1": "./types/apiextensions.v1.json",
  "apiextensions/v1beta1": "./types/apiextensions.v1beta1.json",
  "apiregistration/v1": "./types/apiregistration.v1.json",
  "apiregistration/v1beta1": "./types/apiregistration.v1beta1.json",
  "apiserver/v1": "./types/apiserver.v1.json",
  "apiserver/v1alpha1": "./types/apiserver.v1alpha1.json",
  "apiserver/v1beta1": "./types/apiserver.v1beta1.json",
  "apiserverinternal/v1alpha1": "./types/apiserverinternal.v1alpha1.json",
  "apps/v1": "./types/apps.v1.json",
  "apps/v1beta1": "./types/apps.v1beta1.json",
  "apps/v1beta2": "./types/apps.v1beta2.json",
  "audit/v1": "./types/audit.v1.json",
  "authentication/v1": "./types/authentication.v1.json",
  "authentication/v1alpha1": "./types/authentication.v1alpha1.json",
  "authentication/v1beta1": "./types/authentication.v1beta1.json",
  "authorization/v1": "./types/authorization.v1.json",
  "authorization/v1beta1": "./types/authorization.v1beta1.json",
  "autoscaling/v1": "./types/autoscaling.v1.json",
  "autoscaling/v2": "./types/autoscaling.v2.json",
  "autoscaling/v2beta1": "./types/autoscaling.v2beta1.json",
  "autoscaling/v2beta2": "./types/autoscaling.v2beta2.json",
  "batch/v1": "./types/batch.v1.json",
  "batch/v1beta1": "./types/batch.v1beta1.json",
  "certificates/v1": "./types/certificates.v1.json",
  "certificates/v1alpha1": "./types/certificates.v1alpha1.json",
  "certificates/v1beta1": "./types/certificates.v1beta1.json",
  "coordination/v1": "./types/coordination.v1.json",
  "coordination/v1alpha2": "./types/coordination.v1alpha2.json",
  "coordination/v1beta1": "./types/coordination.v1beta1.json",
  "core/v1": "./types/core.v1.json",
  "discovery/v1": "./types/discovery.v1.json",
  "discovery/v1beta1": "./types/discovery.v1beta1.json",
  "events/v1": "./types/events.v1.json",
  "events/v1beta1": "./types/events.v1beta1.json",
  "extensions/v1beta1": "./types/extensions.v1beta1.json",
  "flowcontrol/v1": "./types/flowcontrol.v1.json",
  "flowcontrol/v1beta1": "./types/flowcontrol.v1beta1.json",
  "flowcontrol/v1beta2": "./types/flowcontrol.v1beta2.json",
  "flowcontrol/v1beta3": "./types/flowcontrol.v1beta3.json",
  "imagepolicy/v1alpha1": "./types/imagepolicy.v1alpha1.json",
  "kubeconfig/v1": "./types/kubeconfig.v1.json",
  "meta/v1": "./types/meta.v1.json",
  "meta/v1beta1": "./types/meta.v1beta1.json",
  "networking/v1": "./types/networking.v1.json",
  "networking/v1alpha1": "./types/networking.v1alpha1.json",
  "networking/v1beta1": "./types/networking.v1beta1.json",
  "node/v1": "./types/node.v1.json",
  "node/v1alpha1": "./types/node.v1alpha1.json",
  "node/v1beta1": "./types/node.v1beta1.json",
  "policy/v1": "./types/policy.v1.json",
  "policy/v1beta1": "./types/policy.v1beta1.json",
  "rbac/v1": "./types/rbac.v1.json",
  "rbac/v1alpha1": "./types/rbac.v1alpha1.json",
  "rbac/v1beta1": "./types/rbac.v1beta1.json",
  "resource/v1alpha3": "./types/resource.v1alpha3.json",
  "resource/v1beta1": "./types/resource.v1beta1.json",
  "resource/v1beta2": "./types/resource.v1beta2.json",
  "scheduling/v1": "./types/scheduling.v1.json",
  "scheduling/v1alpha1": "./types/scheduling.v1alpha1.json",
  "scheduling/v1beta1": "./types/scheduling.v1beta1.json",
  "storage/v1": "./types/storage.v1.json",
  "storage/v1alpha1": "./types/storage.v1alpha1.json",
  "storage/v1beta1": "./types/storage.v1beta1.json",
  "storagemigration/v1alpha1": "./types/storagemigration.v1alpha1.json",
};

/** Names of all type modules. */
export const moduleNames: readonly string[] = Object.keys(files);

/** Reads type modules when they are first asked for. Throws a RangeError for one that does not exist. */
export function createTypeSource(): TypeSource {
  const loaded = new Map<string, TypeModule>();
  return {
    module(name) {
      let module = loaded.get(name);
      if (module === undefined) {
        const file = files[name];
        if (file === undefined) throw new RangeError(`no type module named ${name}`);
        module = readJson<TypeModule>(file);
        loaded.set(name, module);
      }
      return module;
    },
  };
}

export function readCatalogue(): ApiCatalogue {
  return readJson("./resources.json");
}

export function readConfigKinds(): readonly ConfigKind[] {
  return readJson("./config-kinds.json");
}

export function readConversions(): readonly ConversionEntry[] {
  return readJson("./conversions.json");
}

/** Steps of every feature gate, as `runtime/release` reads them. */
export function readFeatureGates<Gate>(): readonly Gate[] {
  return readJson("./feature-gates.json");
}

/** Declared metrics and their lives, as `runtime/release` reads them. */
export function readMetrics<Life>(): readonly Life[] {
  return readJson("./metrics.json");
}

/** Schemas of the published OpenAPI documents, as `runtime/openapi` reads them. */
export const openApiSchemas = {
  modules<Module>(): readonly Module[] {
    return readJson("./openapi/modules.json");
  },
  schemas<Schema>(packageName: string): { readonly [name: string]: Schema } {
    return readJson(`./openapi/schemas/${packageName}.json`);
  },
};

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as T;
}

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
  "resource/v1beta1.ResourceClaimTemplate": (): Promise<KindHooks<import("../api-definitions/resource/v1beta1/resource-claim-template.ts").ResourceClaimTemplate>> =>
    import("../api-definitions/resource/v1beta1/resource-claim-template.hooks.ts").then((module) => module.hooks),
  "resource/v1beta1.ResourceClaim": (): Promise<KindHooks<import("../api-definitions/resource/v1beta1/resource-claim.ts").ResourceClaim>> =>
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
export const hookReads: { readonly [type: TypeRef]: readonly GroupVersionResource[] } = {
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
