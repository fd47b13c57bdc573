// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of batch/v2alpha1.ConcurrencyPolicy. */
export const ConcurrencyPolicy: readonly string[] = ["Allow", "Forbid", "Replace"];
