import { carryNotes, noteGivenEmpty } from "../../runtime/go/source-notes.ts";
import { conversion } from "../conversion-vocabulary.ts";
import type { Quantity } from "../vocabulary.ts";
import type { ResourceSlice as ResourceSliceV1alpha3 } from "./v1alpha3/resource-slice.ts";
import type { DeviceClaim, DeviceRequest } from "./v1beta1/device-requests.ts";
import type { ResourceClaim } from "./v1beta1/resource-claim.ts";
import type { ResourceClaimTemplate } from "./v1beta1/resource-claim-template.ts";
import type { ResourceSlice } from "./v1beta1/resource-slice.ts";
import type {
  DeviceClaim as DeviceClaimV1beta2,
  DeviceRequest as DeviceRequestV1beta2,
} from "./v1beta2/device-requests.ts";
import type { ResourceClaim as ResourceClaimV1beta2 } from "./v1beta2/resource-claim.ts";
import type { ResourceClaimTemplate as ResourceClaimTemplateV1beta2 } from "./v1beta2/resource-claim-template.ts";
import type { Device as DeviceV1beta2, ResourceSlice as ResourceSliceV1beta2 } from "./v1beta2/resource-slice.ts";

/** In v1alpha3 a capacity is a bare quantity. */
export const resourceSliceV1alpha3 = conversion<ResourceSliceV1alpha3, ResourceSlice>({
  toHub(from, hub) {
    from.spec.devices?.forEach(({ basic }, index) => {
      const device = hub.spec.devices?.[index]?.basic;
      if (device === undefined || basic?.capacity === undefined) return;
      device.capacity = mapValues(basic.capacity, (value: Quantity) => ({ value }));
    });
  },
  fromHub(hub, to) {
    hub.spec.devices?.forEach(({ basic }, index) => {
      const device = to.spec.devices?.[index]?.basic;
      if (device === undefined || basic?.capacity === undefined) return;
      device.capacity = mapValues(basic.capacity, ({ value }) => value);
    });
  },
});

/** v1beta2 has no `basic` in devices, and distinguishes an empty `nodeName` and `allNodes: false` from unset. */
export const resourceSliceV1beta2 = conversion<ResourceSliceV1beta2, ResourceSlice>({
  toHub(from, hub) {
    if (from.spec.nodeName === "") noteGivenEmpty(hub.spec, "nodeName", "");
    if (from.spec.allNodes === false) noteGivenEmpty(hub.spec, "allNodes", false);
    if (from.spec.devices) hub.spec.devices = from.spec.devices.map(({ name, ...basic }) => ({ name, basic }));
  },
  fromHub(hub, to) {
    if (hub.spec.devices)
      to.spec.devices = hub.spec.devices.map(({ name, basic }) => ({ name, ...basic }) as DeviceV1beta2);
  },
});

export const resourceClaimV1beta2 = conversion<ResourceClaimV1beta2, ResourceClaim>({
  toHub: (from, hub) => flattenRequests(from.spec.devices, hub.spec.devices),
  fromHub: (hub, to) => nestRequests(hub.spec.devices, to.spec.devices),
});

export const resourceClaimTemplateV1beta2 = conversion<ResourceClaimTemplateV1beta2, ResourceClaimTemplate>({
  toHub: (from, hub) => flattenRequests(from.spec.spec.devices, hub.spec.spec.devices),
  fromHub: (hub, to) => nestRequests(hub.spec.spec.devices, to.spec.spec.devices),
});

/** v1beta2 has the fields of a request without alternatives in `exactly`. */
function flattenRequests(from: DeviceClaimV1beta2 | undefined, hub: DeviceClaim | undefined): void {
  if (!from?.requests || hub === undefined) return;
  hub.requests = from.requests.map(({ exactly, ...rest }): DeviceRequest => {
    const request = { ...exactly, ...rest };
    if (exactly !== undefined) carryNotes(exactly, request);
    return request;
  });
}

function nestRequests(hub: DeviceClaim | undefined, to: DeviceClaimV1beta2 | undefined): void {
  if (!hub?.requests || to === undefined) return;
  to.requests = hub.requests.map((request): DeviceRequestV1beta2 => {
    const { name, firstAvailable, deviceClassName = "", ...rest } = request;
    const exact = deviceClassName !== "" || Object.keys(rest).length > 0;
    const exactly = { deviceClassName, ...rest } as DeviceRequestV1beta2["exactly"];
    carryNotes(request, exactly ?? {});
    return {
      name,
      ...(exact && exactly && { exactly }),
      ...(firstAvailable && { firstAvailable }),
    };
  });
}

function mapValues<From, To>(map: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
