import type { DeviceRequest } from "../../../api-definitions/resource/v1beta1/device-requests.ts";
import type { ApiObject, ObjectOf } from "../../contract/api-object.ts";
import type { Naming } from "../../contract/naming.ts";
import { addInto, raiseTo } from "../../values/amounts.ts";
import type { Quantity } from "../../values/quantity.ts";
import type { UsageRules } from "./usage-rules.ts";

type Claim = ObjectOf<{ metadata: object; spec?: { devices?: { requests?: DeviceRequest[] } } }>;
type Asked = Pick<DeviceRequest, "deviceClassName" | "allocationMode" | "count">;

/** Maximum number of devices that a request for all devices of a class can get. */
const MOST_DEVICES = 32;

const count = (amount: number | bigint): Quantity => ({ unscaled: BigInt(amount), scale: 0, format: "DecimalSI" });

/** How ResourceClaims count: as objects, and by the requested devices of each class. For alternatives, the largest number of each class counts. */
export function deviceClaimUsage(countName: string, naming: Naming): UsageRules {
  const suffix = `.deviceclass.${naming.group("resource")}/devices`;
  const devices = ({ deviceClassName = "", allocationMode, count: asked = 0 }: Asked) =>
    [
      `${deviceClassName}${suffix}`,
      count(allocationMode === "ExactCount" ? asked : allocationMode === "All" ? MOST_DEVICES : 0),
    ] as const;
  return {
    changes: true,
    handles: ({ operation, subresource }) => subresource === "" && operation !== "DELETE",
    concerns: (name) => name === countName || name.endsWith(suffix),
    usage: (object: ApiObject) => {
      const used = new Map([[countName, count(1)]]);
      for (const request of (object as Claim).spec?.devices?.requests ?? []) {
        const most = new Map<string, Quantity>();
        const alternatives: readonly Asked[] = request.firstAvailable ?? [];
        raiseTo(most, (alternatives.length > 0 ? alternatives : [request]).map(devices));
        addInto(used, most);
      }
      return used;
    },
  };
}
