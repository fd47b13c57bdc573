import type { DeviceClaim } from "./device-requests.ts";

/** Requests ask for exactly one device by default. */
export function defaultDeviceClaim(claim: DeviceClaim | undefined): void {
  for (const { exactly, firstAvailable = [] } of claim?.requests ?? []) {
    for (const choice of [...(exactly ? [exactly] : []), ...firstAvailable]) {
      choice.allocationMode ||= "ExactCount";
      if (choice.allocationMode === "ExactCount") choice.count ||= 1;
    }
  }
}
