// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of storagemigration/v1alpha1.MigrationConditionType. */
export const MigrationConditionType: readonly string[] = ["Running", "Succeeded", "Failed"];
