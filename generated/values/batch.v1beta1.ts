// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of batch/v1beta1.ConcurrencyPolicy. */
export const ConcurrencyPolicy: readonly string[] = ["Allow", "Forbid", "Replace"];
