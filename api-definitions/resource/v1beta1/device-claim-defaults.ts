import type { DeviceClaim } from "./device-requests.ts";

/** Requests ask for exactly one device by default. */
export function defaultDeviceClaim(claim: DeviceClaim | undefined): void {
  for (const request of claim?.requests ?? []) {
    const choices = [...(request.deviceClassName ? [request] : []), ...(request.firstAvailable ?? [])];
    for (const choice of choices) {
      choice.allocationMode ||= "ExactCount";
      if (choice.allocationMode === "ExactCount") choice.count ||= 1;
    }
  }
}
