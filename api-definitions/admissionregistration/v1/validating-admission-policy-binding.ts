import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type AtomicStruct, kind, type ListSet, type OmitZero, type Open } from "../../vocabulary.ts";
import type { MatchResources } from "./rules.ts";

/** Puts a validating policy into force, with parameters. */
export interface ValidatingAdmissionPolicyBinding extends ClusterScoped {
  /** What is asked for. */
  spec?: ValidatingAdmissionPolicyBindingSpec & Always;
}

/** Which policy, for what, and how strictly. */
export interface ValidatingAdmissionPolicyBindingSpec {
  /** The policy. */
  policyName?: string & OmitZero;
  /** Its parameters. */
  paramRef?: ParamRef;
  /** Narrows down which requests it looks at. */
  matchResources?: MatchResources;
  /** What happens when a rule does not hold. */
  validationActions?: ListSet<ValidationAction>;
}

export type ValidationAction = "Deny" | "Warn" | "Audit";

/** Which parameters are used. */
export interface ParamRef extends AtomicStruct {
  /** One object, by name. */
  name?: string & OmitZero;
  /** Namespace of the parameters. */
  namespace?: string & OmitZero;
  /** Objects by label. */
  selector?: LabelSelector;
  /** What happens when there are none. */
  parameterNotFoundAction?: ParameterNotFoundActionType;
}

export type ParameterNotFoundActionType = Open<"Allow" | "Deny">;

export const validatingAdmissionPolicyBinding = kind<ValidatingAdmissionPolicyBinding>({
  plural: "validatingadmissionpolicybindings",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.30",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "PolicyName", type: "string", path: ".spec.policyName", description: "The policy." },
    { name: "ParamRef", type: "string", description: "The parameters." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
