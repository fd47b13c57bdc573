// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of apiserverinternal/v1alpha1.ConditionStatus. */
export const ConditionStatus: readonly string[] = ["True", "False", "Unknown"];

/** The well-known values of apiserverinternal/v1alpha1.StorageVersionConditionType. */
export const StorageVersionConditionType: readonly string[] = ["AllEncodingVersionsEqual"];
