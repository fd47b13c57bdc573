import type { ConfiguredPlugin } from "../configured-plugin.ts";
import type { MutatingPolicyParts, MutationEnforcer } from "./mutation-enforcer.ts";
import { PolicyIndex } from "./policy-index.ts";
import type { MutatingPolicySpec } from "./policy-objects.ts";

/** Creates the plugin that applies mutating policies. Without bound policies it does nothing, and loads no code. */
export function createMutatingAdmissionPolicy(parts: MutatingPolicyParts): ConfiguredPlugin {
  const group = parts.naming.group("admissionregistration");
  const index = new PolicyIndex<MutatingPolicySpec>({
    policies: { group, resource: "mutatingadmissionpolicies" },
    bindings: { group, resource: "mutatingadmissionpolicybindings" },
  });
  let enforcer: Promise<MutationEnforcer> | undefined;
  const load = async () => new (await import("./mutation-enforcer.ts")).MutationEnforcer(parts);
  return {
    follow: (feed) => index.follow(feed),
    plugin: {
      name: "MutatingAdmissionPolicy",
      operations: new Set(["CREATE", "UPDATE", "CONNECT"]),
      async mutate(request, round) {
        const { bound } = index;
        if (bound.length === 0) return;
        enforcer ??= load();
        await (await enforcer).enforce(bound, request, round);
      },
    },
  };
}
