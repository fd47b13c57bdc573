import { formatTime } from "../../../runtime/values/times.ts";
import type { DeviceTaint } from "./devices.ts";

/** Sets `timeAdded` of a taint to the current time if it is unset. */
export function defaultTaintTime(taint: DeviceTaint | undefined, now: () => Date): void {
  if (taint !== undefined) taint.timeAdded ??= formatTime(now());
}

/** Sets `timeAdded` of all taints of all devices of a slice. */
export function defaultTaintTimes(
  devices: readonly { readonly taints?: readonly DeviceTaint[] | null }[] | null | undefined,
  now: () => Date,
): void {
  for (const { taints } of devices ?? []) for (const taint of taints ?? []) defaultTaintTime(taint, now);
}
