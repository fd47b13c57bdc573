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

export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: ListAtomic<Variable>;
  mutations?: ListAtomic<Mutation>;
  failurePolicy?: FailurePolicyType & Default<"Fail">;
  matchConditions?: ListMap<MatchCondition, "name"> & PatchMerge<"name">;
  reinvocationPolicy?: ReinvocationPolicyType & OmitZero;
}

export interface Mutation {
  patchType: PatchType & Discriminator;
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
}

export type PatchType = "ApplyConfiguration" | "JSONPatch";

export interface ApplyConfiguration {
  expression?: string & OmitZero;
}

export interface JSONPatch {
  expression?: string & OmitZero;
}

export const mutatingAdmissionPolicy = kind<MutatingAdmissionPolicy>({
  plural: "mutatingadmissionpolicies",
  categories: ["api-extensions"],
  introduced: "1.32",
  deprecated: "1.35",
  removed: "1.38",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Mutations", type: "integer", description: "How many changes there are." },
    { name: "ParamKind", type: "string", description: "Kind of the parameters." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
