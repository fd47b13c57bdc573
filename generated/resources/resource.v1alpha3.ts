// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { deviceClass as defineDeviceClass, type DeviceClass } from "../../api-definitions/resource/v1alpha3/device-class.ts";
import { deviceTaintRule as defineDeviceTaintRule, type DeviceTaintRule } from "../../api-definitions/resource/v1alpha3/device-taint-rule.ts";
import { resourceClaimTemplate as defineResourceClaimTemplate, type ResourceClaimTemplate } from "../../api-definitions/resource/v1alpha3/resource-claim-template.ts";
import { resourceClaim as defineResourceClaim, type ResourceClaim } from "../../api-definitions/resource/v1alpha3/resource-claim.ts";
import { resourceSlice as defineResourceSlice, type ResourceSlice } from "../../api-definitions/resource/v1alpha3/resource-slice.ts";

/** Preset for requests of devices, such as "GPU with at least 16Gi", made by an administrator. It selects devices and adds configuration for their drivers; every request in a ResourceClaim refers to a class by name. */
export const deviceclasses = resourceToken<DeviceClass>({
  group: "resource.k8s.io",
  version: "v1alpha3",
  kind: "DeviceClass",
  resource: "deviceclasses",
  namespaced: false,
}, defineDeviceClass);

/** Adds a taint to all devices that match, in addition to the taints that drivers set. Use it to take devices out of service without access to their driver. */
export const devicetaintrules = resourceToken<DeviceTaintRule>({
  group: "resource.k8s.io",
  version: "v1alpha3",
  kind: "DeviceTaintRule",
  resource: "devicetaintrules",
  namespaced: false,
}, defineDeviceTaintRule);

/** Claim of devices, such as GPUs or network cards, for pods. Pods refer to it in `spec.resourceClaims`; the scheduler allocates devices when the first pod is scheduled and reserves the claim for each pod that uses it. Pods that refer to the same claim share its devices. */
export const resourceclaims = resourceToken<ResourceClaim>({
  group: "resource.k8s.io",
  version: "v1alpha3",
  kind: "ResourceClaim",
  resource: "resourceclaims",
  namespaced: true,
}, defineResourceClaim);

/** Template by which a ResourceClaim is created for each pod that refers to it. Use it to give every pod devices of its own; use a ResourceClaim to share devices between pods. The claim belongs to the pod and is deleted with it. */
export const resourceclaimtemplates = resourceToken<ResourceClaimTemplate>({
  group: "resource.k8s.io",
  version: "v1alpha3",
  kind: "ResourceClaimTemplate",
  resource: "resourceclaimtemplates",
  namespaced: true,
}, defineResourceClaimTemplate);

/** Devices of one pool that a driver offers, from which the scheduler allocates ResourceClaims. Drivers create and update slices; a pool with many devices has several. Users read them to see which devices exist. */
export const resourceslices = resourceToken<ResourceSlice>({
  group: "resource.k8s.io",
  version: "v1alpha3",
  kind: "ResourceSlice",
  resource: "resourceslices",
  namespaced: false,
}, defineResourceSlice);
