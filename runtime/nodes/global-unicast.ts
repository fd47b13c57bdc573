import { BlockList, isIP } from "node:net";

/** Ranges that are not global unicast: unspecified, loopback, link-local, multicast and broadcast addresses. */
const REFUSED = new BlockList();
for (const [address, bits] of [
  ["0.0.0.0", 32],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 4],
  ["255.255.255.255", 32],
] as const) {
  REFUSED.addSubnet(address, bits, "ipv4");
}
for (const [address, bits] of [
  ["::", 128],
  ["::1", 128],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  REFUSED.addSubnet(address, bits, "ipv6");
}

/** Whether a string is an IP address to which a proxy may connect: users must not reach the server's own host through it. */
export function isGlobalUnicast(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !REFUSED.check(address, family === 4 ? "ipv4" : "ipv6");
}
