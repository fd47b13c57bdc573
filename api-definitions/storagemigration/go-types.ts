/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const STORAGEMIGRATION_GO_TYPES = {
  MigrationCondition: `
    Type MigrationConditionType; Status core.ConditionStatus; LastUpdateTime v1.Time; Reason string; Message string`,
  MigrationConditionType: "= string",
} as const;
