import type { DeviceClaim } from "./device-requests.ts";

/** A request that says nothing else asks for one device. */
export function defaultDeviceClaim(claim: DeviceClaim | undefined): void {
  for (const request of claim?.requests ?? []) {
    const choices = [...(request.deviceClassName ? [request] : []), ...(request.firstAvailable ?? [])];
    for (const choice of choices) {
      choice.allocationMode ||= "ExactCount";
      if (choice.allocationMode === "ExactCount") choice.count ||= 1;
    }
  }
}
