import { isIPv6 } from "node:net";

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
