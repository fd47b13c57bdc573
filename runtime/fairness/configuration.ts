/** The objects that configure fairness, reduced to the fields that are used (flowcontrol.apiserver, v1). */
export interface FlowSchemaObject {
  readonly metadata: { readonly name?: string; readonly uid?: string };
  readonly spec?: FlowSchemaSpec;
}

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration?: { readonly name?: string };
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: { readonly type?: string };
  readonly rules?: readonly PolicyRules[];
}

export interface PolicyRules {
  readonly subjects?: readonly Subject[] | null;
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly PathRule[];
}

export interface Subject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: { readonly namespace?: string; readonly name?: string };
}

/** Lists that Kubernetes always serializes are null if absent. */
export interface ResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
}

export interface PathRule {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

export interface PriorityLevelObject {
  readonly metadata: { readonly name?: string; readonly uid?: string };
  readonly spec?: PriorityLevelSpec;
}

export interface PriorityLevelSpec {
  readonly type?: string;
  readonly limited?: {
    readonly nominalConcurrencyShares?: number;
    readonly lendablePercent?: number;
    readonly borrowingLimitPercent?: number;
    readonly limitResponse?: { readonly type?: string; readonly queuing?: QueuingSpec };
  };
  readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
}

export interface QueuingSpec {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
}

const EVERYTHING: Pick<PolicyRules, "resourceRules" | "nonResourceRules"> = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

const groups = (...names: string[]): Subject[] => names.map((name) => ({ kind: "Group", group: { name } }));

/** Used while the stored objects with these names do not exist: every request matches one of the schemas. */
export const MANDATORY_SCHEMAS: readonly FlowSchemaObject[] = [
  {
    metadata: { name: "exempt" },
    spec: {
      priorityLevelConfiguration: { name: "exempt" },
      matchingPrecedence: 1,
      rules: [{ subjects: groups("system:masters"), ...EVERYTHING }],
    },
  },
  {
    metadata: { name: "catch-all" },
    spec: {
      priorityLevelConfiguration: { name: "catch-all" },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: groups("system:unauthenticated", "system:authenticated"), ...EVERYTHING }],
    },
  },
];

export const MANDATORY_LEVELS: readonly PriorityLevelObject[] = [
  {
    metadata: { name: "exempt" },
    spec: { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  },
  {
    metadata: { name: "catch-all" },
    spec: {
      type: "Limited",
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: "Reject" } },
    },
  },
];
