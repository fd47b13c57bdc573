import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { ipVersion } from "../values/ip-address.ts";

/** Whether an address stands for all addresses of this host. */
export function isUnspecified(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

export function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1" || address === "localhost";
}

/**
 * Returns an address of this host that other hosts may reach: preferably of an interface with a default route, and of the same family as `like`.
 * Undefined if the host has none.
 */
export function hostAddress(like: string): string | undefined {
  const family = ipVersion(like) === 6 ? "IPv6" : "IPv4";
  const defaults = defaultInterfaces();
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address))
      .map(({ address, family: own }) => ({
        address,
        rank: (own === family ? 0 : 2) + (defaults.includes(name) ? 0 : 1),
      })),
  );
  return found.toSorted((one, other) => one.rank - other.rank)[0]?.address;
}

/** Returns the names of interfaces with a default route, if the system provides them in files. */
function defaultInterfaces(): readonly string[] {
  const routes = (path: string): string[][] => {
    try {
      return readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/));
    } catch {
      return [];
    }
  };
  return [
    ...routes("/proc/net/route").flatMap(([name = "", destination]) => (destination === "00000000" ? [name] : [])),
    ...routes("/proc/net/ipv6_route").flatMap(([destination, length, ...rest]) =>
      destination === "0".repeat(32) && length === "00" ? [rest.at(-1) ?? ""] : [],
    ),
  ];
}

/** Returns the first usable address of a range such as `10.0.0.0/24`, which is that of the API server's Service. */
export function firstAddress(range: string): string {
  const [network = ""] = range.trim().split("/");
  if (ipVersion(network) === 6) {
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
