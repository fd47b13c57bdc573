/**
 * Returns the names for a serving certificate: loopback names, the in-cluster names and addresses of the API Service, and names that the operator
 * adds.
 */
export function servingNames(options: {
  readonly vendor: string;
  readonly serviceAddresses: readonly string[];
  readonly clusterDomain?: string;
  readonly extra?: readonly string[];
}): string[] {
  const { vendor, clusterDomain = "cluster.local" } = options;
  return [
    ...new Set([
      "localhost",
      vendor,
      `${vendor}.default`,
      `${vendor}.default.svc`,
      `${vendor}.default.svc.${clusterDomain}`,
      "127.0.0.1",
      "::1",
      ...options.serviceAddresses,
      ...(options.extra ?? []),
    ]),
  ];
}
