import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidField } from "../../../runtime/values/field-errors.ts";
import { shownAs } from "../../go-types.ts";
import type { FlowSchemaSpec, PolicyRulesWithSubjects } from "./flow-schema.ts";
import type { PriorityLevelConfigurationSpec } from "./priority-level-configuration.ts";

/** Mandatory flow schemas, which together match every request. Their spec is fixed. */
const FLOW_SCHEMAS: Readonly<Record<string, FlowSchemaSpec>> = {
  exempt: {
    priorityLevelConfiguration: { name: "exempt" },
    matchingPrecedence: 1,
    rules: [everythingOf("system:masters")],
  },
  "catch-all": {
    priorityLevelConfiguration: { name: "catch-all" },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: "ByUser" },
    rules: [everythingOf("system:unauthenticated", "system:authenticated")],
  },
};

const CATCH_ALL_LEVEL: PriorityLevelConfigurationSpec = {
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0 },
};

export function validateMandatoryFlowSchema(
  name: string,
  spec: FlowSchemaSpec,
  path: string,
  errors: FieldError[],
): void {
  const fixed = Object.hasOwn(FLOW_SCHEMAS, name) ? FLOW_SCHEMAS[name] : undefined;
  if (fixed === undefined || equalMeaning(withoutEmptyLists(spec), fixed)) return;
  const value = shownAs("flowcontrol.FlowSchemaSpec", spec);
  errors.push(invalidField(path, value, `spec of '${name}' must equal the fixed value`));
}

/** Rejects changes of the mandatory priority levels, except of the field `exempt` of the level `exempt`. */
export function validateMandatoryPriorityLevel(
  name: string,
  spec: PriorityLevelConfigurationSpec,
  path: string,
  errors: FieldError[],
): void {
  const value = shownAs("flowcontrol.PriorityLevelConfigurationSpec", spec);
  if (name === "exempt" && !equalMeaning({ ...spec, exempt: undefined }, { type: "Exempt", exempt: undefined })) {
    const detail = `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`;
    errors.push(invalidField(path, value, detail));
  }
  if (name === "catch-all" && !equalMeaning(spec, CATCH_ALL_LEVEL))
    errors.push(invalidField(path, value, `spec of '${name}' must equal the fixed value`));
}

function everythingOf(...groups: string[]): PolicyRulesWithSubjects {
  return {
    subjects: groups.map((name) => ({ kind: "Group", group: { name } })),
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  };
}

/** Empty lists count as unset. */
function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !Array.isArray(member) || member.length > 0);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutEmptyLists(member)]));
}
