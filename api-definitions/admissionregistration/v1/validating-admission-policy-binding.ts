import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type AtomicStruct, kind, type ListSet, type OmitZero, type Open } from "../../vocabulary.ts";
import type { MatchResources } from "./rules.ts";

/** Puts a validating policy into force, with parameters. */
export interface ValidatingAdmissionPolicyBinding extends ClusterScoped {
  /** What is asked for. */
  spec?: ValidatingAdmissionPolicyBindingSpec & Always;
}

export interface ValidatingAdmissionPolicyBindingSpec {
  policyName?: string & OmitZero;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: ListSet<ValidationAction>;
}

export type ValidationAction = "Deny" | "Warn" | "Audit";

export interface ParamRef extends AtomicStruct {
  name?: string & OmitZero;
  namespace?: string & OmitZero;
  selector?: LabelSelector;
  parameterNotFoundAction?: ParameterNotFoundActionType;
}

export type ParameterNotFoundActionType = Open<"Allow" | "Deny">;

export const validatingAdmissionPolicyBinding = kind<ValidatingAdmissionPolicyBinding>({
  plural: "validatingadmissionpolicybindings",
  categories: ["api-extensions"],
  introduced: "1.30",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "PolicyName", type: "string", path: ".spec.policyName", description: "The policy." },
    { name: "ParamRef", type: "string", description: "The parameters." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
