const WIDTH = 16;

/** Addresses of a load balancer for a table column: sorted, and shortened to its width. */
export function loadBalancerText(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | undefined,
): string {
  const addresses = (ingress ?? [])
    .map((entry) => entry.ip || entry.hostname || "")
    .filter((address) => address !== "");
  const text = [...new Set(addresses)].sort().join(",");
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 3)}...` : text;
}
