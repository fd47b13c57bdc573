/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const CERTIFICATES_GO_TYPES = {
  CertificateSigningRequestCondition: `
    Type RequestConditionType; Status core.ConditionStatus; Reason string; Message string; LastUpdateTime v1.Time;
    LastTransitionTime v1.Time`,
  RequestConditionType: "= string",
} as const;
