import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Discriminator,
  kind,
  type ListAtomic,
  type ListMap,
  type OmitZero,
  type PatchMerge,
} from "../../vocabulary.ts";
import type { ReinvocationPolicyType } from "../v1/mutating-webhook-configuration.ts";
import type { ParamKind, Variable } from "./policy-inputs.ts";
import type { FailurePolicyType, MatchCondition, MatchResources } from "./rules.ts";

/** Changes in CEL that are made to objects before they are stored. */
export interface MutatingAdmissionPolicy extends ClusterScoped {
  /** What is asked for. */
  spec?: MutatingAdmissionPolicySpec & Always;
}

/** What a policy looks at and changes. */
export interface MutatingAdmissionPolicySpec {
  /** Kind of its parameters. */
  paramKind?: ParamKind;
  /** Requests it looks at. */
  matchConstraints?: MatchResources;
  /** Values the changes can use. */
  variables?: ListAtomic<Variable>;
  /** The changes, one after the other. */
  mutations?: ListAtomic<Mutation>;
  /** What happens when a change cannot be evaluated. */
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  /** Conditions in CEL that must all hold for it to look. */
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
  /** Whether it is called again after others have changed the object. */
  reinvocationPolicy?: ReinvocationPolicyType & OmitZero;
}

/** A change. */
export interface Mutation {
  /** Whether it is applied or patched. */
  patchType: PatchType & Discriminator;
  /** Fields to apply. */
  applyConfiguration?: ApplyConfiguration;
  /** A JSON patch. */
  jsonPatch?: JSONPatch;
}

export type PatchType = "ApplyConfiguration" | "JSONPatch";

/** Fields to apply. */
export interface ApplyConfiguration {
  /** The fields, in CEL. */
  expression?: string & OmitZero;
}

/** A JSON patch. */
export interface JSONPatch {
  /** The patch, in CEL. */
  expression?: string & OmitZero;
}

export const mutatingAdmissionPolicy = kind<MutatingAdmissionPolicy>({
  plural: "mutatingadmissionpolicies",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.32",
  deprecated: "1.35",
  removed: "1.38",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Mutations", type: "integer", description: "How many changes there are." },
    { name: "ParamKind", type: "string", description: "Kind of the parameters." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
