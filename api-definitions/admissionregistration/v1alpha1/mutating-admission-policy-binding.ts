import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type OmitZero } from "../../vocabulary.ts";
import type { ParamRef } from "./policy-inputs.ts";
import type { MatchResources } from "./rules.ts";

/** Puts a mutating policy into force, with parameters. */
export interface MutatingAdmissionPolicyBinding extends ClusterScoped {
  /** What is asked for. */
  spec?: MutatingAdmissionPolicyBindingSpec & Always;
}

/** Which policy, and for what. */
export interface MutatingAdmissionPolicyBindingSpec {
  /** The policy. */
  policyName?: string & OmitZero;
  /** Its parameters. */
  paramRef?: ParamRef;
  /** Narrows down which requests it looks at. */
  matchResources?: MatchResources;
}

export const mutatingAdmissionPolicyBinding = kind<MutatingAdmissionPolicyBinding>({
  plural: "mutatingadmissionpolicybindings",
  generation: true,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.32",
  deprecated: "1.35",
  removed: "1.38",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "PolicyName", type: "string", path: ".spec.policyName", description: "The policy." },
    { name: "ParamRef", type: "string", description: "The parameters." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
