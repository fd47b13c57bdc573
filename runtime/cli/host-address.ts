import { isIP, isIPv6 } from "node:net";
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

/** The first usable address of a range such as `10.0.0.0/24`: the one that names the API server itself. */
export function firstAddress(range: string): string {
  const [network = ""] = range.trim().split("/");
  if (isIPv6(network)) {
    const last = network.lastIndexOf(":") + 1;
    return network.endsWith("::") ? `${network}1` : network.slice(0, last) + next(network.slice(last));
  }
  const parts = network.split(".").map(Number);
  const value = parts.reduce((sum, part) => sum * 256 + part, 0) + 1;
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}

function next(hexadecimal: string): string {
  return (Number.parseInt(hexadecimal === "" ? "0" : hexadecimal, 16) + 1).toString(16);
}
