// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { MutatingWebhookConfiguration } from "../../api-definitions/admissionregistration/v1beta1/mutating-webhook-configuration.ts";
import type { ValidatingAdmissionPolicyBinding } from "../../api-definitions/admissionregistration/v1beta1/validating-admission-policy-binding.ts";
import type { ValidatingAdmissionPolicy } from "../../api-definitions/admissionregistration/v1beta1/validating-admission-policy.ts";
import type { ValidatingWebhookConfiguration } from "../../api-definitions/admissionregistration/v1beta1/validating-webhook-configuration.ts";

/** Webhooks that may change objects before they are stored. */
export const mutatingwebhookconfigurations = resourceToken<MutatingWebhookConfiguration>({
  group: "admissionregistration.k8s.io",
  version: "v1beta1",
  kind: "MutatingWebhookConfiguration",
  resource: "mutatingwebhookconfigurations",
  namespaced: false,
});

/** Rules in CEL that may refuse objects before they are stored. */
export const validatingadmissionpolicies = resourceToken<ValidatingAdmissionPolicy>({
  group: "admissionregistration.k8s.io",
  version: "v1beta1",
  kind: "ValidatingAdmissionPolicy",
  resource: "validatingadmissionpolicies",
  namespaced: false,
});

/** Puts a validating policy into force, with parameters. */
export const validatingadmissionpolicybindings = resourceToken<ValidatingAdmissionPolicyBinding>({
  group: "admissionregistration.k8s.io",
  version: "v1beta1",
  kind: "ValidatingAdmissionPolicyBinding",
  resource: "validatingadmissionpolicybindings",
  namespaced: false,
});

/** Webhooks that may refuse objects before they are stored. */
export const validatingwebhookconfigurations = resourceToken<ValidatingWebhookConfiguration>({
  group: "admissionregistration.k8s.io",
  version: "v1beta1",
  kind: "ValidatingWebhookConfiguration",
  resource: "validatingwebhookconfigurations",
  namespaced: false,
});
