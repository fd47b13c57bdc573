/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const FLOWCONTROL_GO_TYPES = {
  ExemptPriorityLevelConfiguration: "NominalConcurrencyShares *int32; LendablePercent *int32",
  FlowDistinguisherMethod: "Type FlowDistinguisherMethodType",
  FlowDistinguisherMethodType: "= string",
  FlowSchemaSpec: `
    PriorityLevelConfiguration PriorityLevelConfigurationReference; MatchingPrecedence int32;
    DistinguisherMethod *FlowDistinguisherMethod; Rules []PolicyRulesWithSubjects`,
  GroupSubject: "Name string",
  LimitResponse: "Type LimitResponseType; Queuing *QueuingConfiguration",
  LimitResponseType: "= string",
  LimitedPriorityLevelConfiguration: `
    NominalConcurrencyShares int32; LimitResponse LimitResponse; LendablePercent *int32;
    BorrowingLimitPercent *int32`,
  NonResourcePolicyRule: "Verbs []string; NonResourceURLs []string",
  PolicyRulesWithSubjects: `
    Subjects []Subject; ResourceRules []ResourcePolicyRule; NonResourceRules []NonResourcePolicyRule`,
  PriorityLevelConfigurationReference: "Name string",
  PriorityLevelConfigurationSpec: `
    Type PriorityLevelEnablement; Limited *LimitedPriorityLevelConfiguration;
    Exempt *ExemptPriorityLevelConfiguration`,
  PriorityLevelEnablement: "= string",
  QueuingConfiguration: "Queues int32; HandSize int32; QueueLengthLimit int32",
  ResourcePolicyRule: "Verbs []string; APIGroups []string; Resources []string; ClusterScope bool; Namespaces []string",
  ServiceAccountSubject: "Namespace string; Name string",
  Subject: "Kind SubjectKind; User *UserSubject; Group *GroupSubject; ServiceAccount *ServiceAccountSubject",
  SubjectKind: "= string",
  UserSubject: "Name string",
} as const;
