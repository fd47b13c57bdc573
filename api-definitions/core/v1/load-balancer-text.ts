/** Addresses of a load balancer for a table column, sorted. */
export function loadBalancerText(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | undefined,
): string {
  const addresses = (ingress ?? [])
    .map((entry) => entry.ip || entry.hostname || "")
    .filter((address) => address !== "");
  return [...new Set(addresses)].sort().join(",");
}
