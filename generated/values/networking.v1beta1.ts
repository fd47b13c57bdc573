// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of networking/v1beta1.PathType. */
export const PathType: readonly string[] = ["Exact", "Prefix", "ImplementationSpecific"];
