import { ADMISSION_OPERATIONS } from "../../contract/admission.ts";
import type { ConfiguredPlugin } from "../configured-plugin.ts";
import type { PolicyEnforcer, ValidatingPolicyParts } from "./policy-enforcer.ts";
import { PolicyIndex } from "./policy-index.ts";
import { nameOf, type ValidatingPolicySpec } from "./policy-objects.ts";

/** Creates the plugin that evaluates validating policies. Without bound policies it does nothing, and loads no code. */
export function createValidatingAdmissionPolicy(parts: ValidatingPolicyParts): ConfiguredPlugin {
  const group = parts.naming.group("admissionregistration");
  const index = new PolicyIndex<ValidatingPolicySpec>({
    policies: { group, resource: "validatingadmissionpolicies" },
    bindings: { group, resource: "validatingadmissionpolicybindings" },
  });
  parts.observer?.registered("policy", () => index.bound.map(({ policy }) => nameOf(policy)));
  let enforcer: Promise<PolicyEnforcer> | undefined;
  const load = async () => new (await import("./policy-enforcer.ts")).PolicyEnforcer(parts);
  return {
    follow: (feed) => index.follow(feed),
    plugin: {
      name: "ValidatingAdmissionPolicy",
      operations: new Set(ADMISSION_OPERATIONS),
      async validate(request) {
        const { bound } = index;
        if (bound.length === 0) return;
        enforcer ??= load();
        await (await enforcer).enforce(bound, request);
      },
    },
  };
}
