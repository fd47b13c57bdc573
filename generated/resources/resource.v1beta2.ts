// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { DeviceClass } from "../../api-definitions/resource/v1beta2/device-class.ts";
import type { ResourceClaimTemplate } from "../../api-definitions/resource/v1beta2/resource-claim-template.ts";
import type { ResourceClaim } from "../../api-definitions/resource/v1beta2/resource-claim.ts";
import type { ResourceSlice } from "../../api-definitions/resource/v1beta2/resource-slice.ts";

/** A sort of devices, with what they have in common. */
export const deviceclasses = resourceToken<DeviceClass>({
  group: "resource.k8s.io",
  version: "v1beta2",
  kind: "DeviceClass",
  resource: "deviceclasses",
  namespaced: false,
});

/** Asks for devices, and holds them once given. */
export const resourceclaims = resourceToken<ResourceClaim>({
  group: "resource.k8s.io",
  version: "v1beta2",
  kind: "ResourceClaim",
  resource: "resourceclaims",
  namespaced: true,
});

/** A claim to be made for each pod. */
export const resourceclaimtemplates = resourceToken<ResourceClaimTemplate>({
  group: "resource.k8s.io",
  version: "v1beta2",
  kind: "ResourceClaimTemplate",
  resource: "resourceclaimtemplates",
  namespaced: true,
});

/** Devices that a driver offers. */
export const resourceslices = resourceToken<ResourceSlice>({
  group: "resource.k8s.io",
  version: "v1beta2",
  kind: "ResourceSlice",
  resource: "resourceslices",
  namespaced: false,
});
