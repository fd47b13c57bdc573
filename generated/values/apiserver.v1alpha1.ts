// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of apiserver/v1alpha1.AudienceMatchPolicyType. */
export const AudienceMatchPolicyType: readonly string[] = ["MatchAny"];

/** The well-known values of apiserver/v1alpha1.ProtocolType. */
export const ProtocolType: readonly string[] = ["HTTPConnect", "GRPC", "Direct"];
