// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of apiregistration/v1.APIServiceConditionType. */
export const APIServiceConditionType: readonly string[] = ["Available"];

/** The well-known values of apiregistration/v1.ConditionStatus. */
export const ConditionStatus: readonly string[] = ["True", "False", "Unknown"];
