// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { mutatingAdmissionPolicyBinding as defineMutatingAdmissionPolicyBinding, type MutatingAdmissionPolicyBinding } from "../../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy-binding.ts";
import { mutatingAdmissionPolicy as defineMutatingAdmissionPolicy, type MutatingAdmissionPolicy } from "../../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy.ts";
import { type ValidatingAdmissionPolicyBinding, validatingAdmissionPolicyBinding as defineValidatingAdmissionPolicyBinding } from "../../api-definitions/admissionregistration/v1alpha1/validating-admission-policy-binding.ts";
import { type ValidatingAdmissionPolicy, validatingAdmissionPolicy as defineValidatingAdmissionPolicy } from "../../api-definitions/admissionregistration/v1alpha1/validating-admission-policy.ts";

/** Changes objects with CEL expressions inside the API server, as an alternative to mutating webhooks. It has an effect only if a MutatingAdmissionPolicyBinding refers to it and the feature gate `MutatingAdmissionPolicy` is on, which is off by default. It does not apply to access reviews and token reviews. */
export const mutatingadmissionpolicies = resourceToken<MutatingAdmissionPolicy>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "MutatingAdmissionPolicy",
  resource: "mutatingadmissionpolicies",
  namespaced: false,
}, defineMutatingAdmissionPolicy);

/** Puts a MutatingAdmissionPolicy into effect: selects its parameters and the requests to which it applies. A policy can have several bindings; each is evaluated separately. */
export const mutatingadmissionpolicybindings = resourceToken<MutatingAdmissionPolicyBinding>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "MutatingAdmissionPolicyBinding",
  resource: "mutatingadmissionpolicybindings",
  namespaced: false,
}, defineMutatingAdmissionPolicyBinding);

/** Validates requests with CEL expressions inside the API server, as an alternative to validating webhooks. It has an effect only if a ValidatingAdmissionPolicyBinding refers to it. It does not apply to access reviews and token reviews. */
export const validatingadmissionpolicies = resourceToken<ValidatingAdmissionPolicy>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "ValidatingAdmissionPolicy",
  resource: "validatingadmissionpolicies",
  namespaced: false,
}, defineValidatingAdmissionPolicy);

/** Puts a ValidatingAdmissionPolicy into effect: selects its parameters, the requests to which it applies and the action on violations. A policy can have several bindings; each is evaluated separately. */
export const validatingadmissionpolicybindings = resourceToken<ValidatingAdmissionPolicyBinding>({
  group: "admissionregistration.k8s.io",
  version: "v1alpha1",
  kind: "ValidatingAdmissionPolicyBinding",
  resource: "validatingadmissionpolicybindings",
  namespaced: false,
}, defineValidatingAdmissionPolicyBinding);
