import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Whether an address means all of this host's own. */
export function isUnspecified(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

export function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1" || address === "localhost";
}

/** An address of this host that others may reach, of the family of `like`; undefined if it has none. */
export function hostAddress(like: string): string | undefined {
  const family = isIP(like) === 6 ? "IPv6" : "IPv4";
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((one) => one.family === family && !one.internal && !one.address.startsWith("fe80:"))?.address;
}
