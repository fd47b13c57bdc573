// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of admission/v1beta1.Operation. */
export const Operation: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/** The well-known values of admission/v1beta1.PatchType. */
export const PatchType: readonly string[] = ["JSONPatch"];
