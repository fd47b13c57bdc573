// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of networking/v1.PathType. */
export const PathType: readonly string[] = ["Exact", "Prefix", "ImplementationSpecific"];

/** All values of networking/v1.PolicyType. */
export const PolicyType: readonly string[] = ["Ingress", "Egress"];
