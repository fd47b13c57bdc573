// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** All values of eventratelimit/v1alpha1.LimitType. */
export const LimitType: readonly string[] = ["Server", "Namespace", "User", "SourceAndObject"];
