// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of coordination/v1.CoordinatedLeaseStrategy. */
export const CoordinatedLeaseStrategy: readonly string[] = ["OldestEmulationVersion"];
