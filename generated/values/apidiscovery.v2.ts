// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of apidiscovery/v2.DiscoveryFreshness. */
export const DiscoveryFreshness: readonly string[] = ["Current", "Stale"];

/** The well-known values of apidiscovery/v2.ResourceScope. */
export const ResourceScope: readonly string[] = ["Cluster", "Namespaced"];
