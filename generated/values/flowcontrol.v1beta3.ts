// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of flowcontrol/v1beta3.ConditionStatus. */
export const ConditionStatus: readonly string[] = ["True", "False", "Unknown"];

/** The well-known values of flowcontrol/v1beta3.FlowDistinguisherMethodType. */
export const FlowDistinguisherMethodType: readonly string[] = ["ByUser", "ByNamespace"];

/** The well-known values of flowcontrol/v1beta3.LimitResponseType. */
export const LimitResponseType: readonly string[] = ["Queue", "Reject"];

/** The well-known values of flowcontrol/v1beta3.PriorityLevelEnablement. */
export const PriorityLevelEnablement: readonly string[] = ["Exempt", "Limited"];

/** The well-known values of flowcontrol/v1beta3.SubjectKind. */
export const SubjectKind: readonly string[] = ["User", "Group", "ServiceAccount"];
