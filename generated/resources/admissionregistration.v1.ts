// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { mutatingWebhookConfiguration as defineMutatingWebhookConfiguration, type MutatingWebhookConfiguration } from "../../api-definitions/admissionregistration/v1/mutating-webhook-configuration.ts";
import { type ValidatingAdmissionPolicyBinding, validatingAdmissionPolicyBinding as defineValidatingAdmissionPolicyBinding } from "../../api-definitions/admissionregistration/v1/validating-admission-policy-binding.ts";
import { type ValidatingAdmissionPolicy, validatingAdmissionPolicy as defineValidatingAdmissionPolicy } from "../../api-definitions/admissionregistration/v1/validating-admission-policy.ts";
import { type ValidatingWebhookConfiguration, validatingWebhookConfiguration as defineValidatingWebhookConfiguration } from "../../api-definitions/admissionregistration/v1/validating-webhook-configuration.ts";

/** Registers webhooks that can change or reject objects before they are stored. They are called one after the other, ordered by the name of the configuration and the position in `webhooks`, before validation. They are not called for requests that configure admission webhooks and policies themselves. */
export const mutatingwebhookconfigurations = resourceToken<MutatingWebhookConfiguration>({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  resource: "mutatingwebhookconfigurations",
  namespaced: false,
}, defineMutatingWebhookConfiguration);

/** Validates requests with CEL expressions inside the API server, as an alternative to validating webhooks. It has an effect only if a ValidatingAdmissionPolicyBinding refers to it. It does not apply to access reviews and token reviews. */
export const validatingadmissionpolicies = resourceToken<ValidatingAdmissionPolicy>({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicy",
  resource: "validatingadmissionpolicies",
  namespaced: false,
}, defineValidatingAdmissionPolicy);

/** Puts a ValidatingAdmissionPolicy into effect: selects its parameters, the requests to which it applies and the action on violations. A policy can have several bindings; each is evaluated separately. */
export const validatingadmissionpolicybindings = resourceToken<ValidatingAdmissionPolicyBinding>({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicyBinding",
  resource: "validatingadmissionpolicybindings",
  namespaced: false,
}, defineValidatingAdmissionPolicyBinding);

/** Registers webhooks that can reject but not change objects before they are stored. They are called in parallel after all changes are made. They are not called for requests that configure admission webhooks and policies themselves. */
export const validatingwebhookconfigurations = resourceToken<ValidatingWebhookConfiguration>({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  resource: "validatingwebhookconfigurations",
  namespaced: false,
}, defineValidatingWebhookConfiguration);
