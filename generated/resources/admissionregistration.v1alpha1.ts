// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { MutatingAdmissionPolicyBinding } from "../../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy-binding.ts";
import type { MutatingAdmissionPolicy } from "../../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy.ts";
import type { ValidatingAdmissionPolicyBinding } from "../../api-definitions/admissionregistration/v1alpha1/validating-admission-policy-binding.ts";
import type { ValidatingAdmissionPolicy } from "../../api-definitions/admissionregistration/v1alpha1/validating-admission-policy.ts";

/** Changes in CEL that are made to objects before they are stored. */
export const mutatingadmissionpolicies = resourceToken<MutatingAdmissionPolicy>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "MutatingAdmissionPolicy",
  resource: "mutatingadmissionpolicies",
  namespaced: false,
});

/** Puts a mutating policy into force, with parameters. */
export const mutatingadmissionpolicybindings = resourceToken<MutatingAdmissionPolicyBinding>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "MutatingAdmissionPolicyBinding",
  resource: "mutatingadmissionpolicybindings",
  namespaced: false,
});

/** Rules in CEL that may refuse objects before they are stored. */
export const validatingadmissionpolicies = resourceToken<ValidatingAdmissionPolicy>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "ValidatingAdmissionPolicy",
  resource: "validatingadmissionpolicies",
  namespaced: false,
});

/** Puts a validating policy into force, with parameters. */
export const validatingadmissionpolicybindings = resourceToken<ValidatingAdmissionPolicyBinding>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "ValidatingAdmissionPolicyBinding",
  resource: "validatingadmissionpolicybindings",
  namespaced: false,
});
